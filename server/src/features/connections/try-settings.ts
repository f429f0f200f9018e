import { ConnectorError, type Manifest } from "@portage/connector-kit";
import type { ValidationErrors } from "@portage/contract";
import type { Secret } from "../../platform/secret.ts";
import { namedFor, type ToolRegistry } from "../tools/index.ts";
import { chooseSignIn } from "./choose-sign-in.ts";
import type { SignedIn, Tokens } from "./connection.ts";
import type { AttemptLimit } from "../../platform/attempt-limit.ts";
import type { Learned } from "./learn-settings.ts";
import { decidingHosts, type Given, readSettings, withoutToken } from "./read-settings.ts";
import { explainRefusal, type Refusal } from "./refusal.ts";
import type { ToolAnswer, ToolCheck } from "./tool-check.ts";

export type Tried =
  | { readonly kind: "accepted"; readonly signedIn: SignedIn }
  | { readonly kind: "invalid"; readonly errors: ValidationErrors }
  /** Typed settings are not enough: the customer must sign in at the tool's own page. */
  | { readonly kind: "sign_in_needed" }
  | { readonly kind: "refused" | "unchecked"; readonly refusal: Refusal };

export interface ToTry {
  readonly tool: string;
  readonly typed: object;
  /** What the partner supplied. */
  readonly given: Given;
  /** The partner whose customer reads the answer. Absent: the partner itself, which knows the tool's own name. */
  readonly partnerName?: string;
  /** From a sign-in at the tool's own page. */
  readonly tokens?: Tokens;
  readonly learned?: Learned;
  /** The import whose uploaded files the tool may read. */
  readonly importId?: string;
}

export type TrySettings = (asked: ToTry) => Promise<Tried>;

export interface TrySettingsOptions {
  readonly timeoutMs?: number;
  /** Counts failed attempts by host. Omitted: no limit. */
  readonly hostFailures?: AttemptLimit;
}

const longestMs = 8_000;

/** The hosts of a tool that its customers name: those of a tool at one fixed host serve everyone, and are not limited. */
const namedHosts = (manifest: Manifest, settings: unknown): readonly string[] =>
  decidingHosts(manifest, settings).size === 0
    ? []
    : [...new Set(manifest.hosts(settings).api.flatMap((origin) => URL.parse(origin)?.hostname ?? []))];

const tooMany = (label: string): Tried => ({
  kind: "unchecked",
  refusal: {
    code: "not_now",
    message: `There were many attempts to connect ${label} at this address.`,
    fix: "Check the address, wait a minute, and try again.",
    setting: null,
    detail: "too_many_attempts",
  },
});

const unanswered = (manifest: Manifest, settings: unknown): ToolAnswer => {
  const message = `${manifest.label} did not answer in time.`;
  const late = new ConnectorError({ recovery: "retry", code: "timed_out", message });
  return { kind: "unchecked", refusal: explainRefusal(manifest, settings, late) };
};

/** Reads the settings for a tool and calls it, within the time that a customer waits. */
export const createTrySettings = (
  registry: ToolRegistry,
  checks: ReadonlyMap<string, ToolCheck>,
  { timeoutMs = longestMs, hostFailures }: TrySettingsOptions = {},
): TrySettings => {
  const call = async (
    manifest: Manifest,
    settings: unknown,
    { accessToken, partnerName }: { accessToken: Secret | undefined; partnerName: string | undefined },
  ) => {
    const late = unanswered(manifest, settings);
    const signal = AbortSignal.timeout(timeoutMs);
    // A race: a check that ignores its signal must not keep the caller waiting.
    const timedOut = new Promise<ToolAnswer>((resolve) => {
      signal.addEventListener("abort", () => resolve(late), { once: true });
    });
    const answer = checks.get(manifest.name)?.(settings, signal, accessToken, partnerName);
    return answer ? Promise.race([answer, timedOut]) : late;
  };
  return async ({ tool, typed, given, tokens: signedIn, learned, partnerName, importId }) => {
    const connector = registry.find(tool);
    if (!connector) throw new Error(`There is no tool ${tool}.`);
    const named = partnerName === undefined ? connector : namedFor(connector, partnerName);
    const manifest = chooseSignIn(named.manifest, signedIn ? "oauth2" : "secret");
    const { auth } = manifest;
    // Over what was typed: a customer must not name the files of another import.
    const own = auth.kind === "none" && auth.filesOf !== undefined ? { [auth.filesOf]: importId } : {};
    const read = readSettings(manifest, typed, signedIn ? withoutToken(given) : given, {
      ...learned,
      ...own,
    });
    if (read.kind === "invalid") return read;
    const { input, settings, accessToken } = read;
    const fromPartner = accessToken && { access: accessToken, refresh: null, accessExpiresAt: null };
    const tokens = signedIn ?? fromPartner;
    if (manifest.auth.kind === "oauth2" && !tokens) return { kind: "sign_in_needed" };
    const hosts = hostFailures ? namedHosts(manifest, settings) : [];
    if (hosts.some((host) => hostFailures?.waitSeconds(host))) return tooMany(manifest.label);
    const answer = await call(manifest, settings, { accessToken: tokens?.access, partnerName });
    if (answer.kind !== "accepted") {
      for (const host of hosts) hostFailures?.count(host);
      return answer;
    }
    return { kind: "accepted", signedIn: { tool, settings: input, account: answer.account, tokens } };
  };
};
