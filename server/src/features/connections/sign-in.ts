import { isConnectorError } from "@portage/connector-kit";
import type { ValidationErrors } from "@portage/contract";
import { randomPKCECodeVerifier, randomState } from "openid-client";
import type { Database } from "../../platform/db.ts";
import type { Sealer } from "../../platform/seal.ts";
import type { ToolRegistry } from "../tools/index.ts";
import { type AuthorizationServer, hasSignInPage } from "./authorization-server.ts";
import { type ChosenManifest, chooseSignIn } from "./choose-sign-in.ts";
import type { At, Tokens } from "./connection.ts";
import { isWithinOrigins, type Learned } from "./learn-settings.ts";
import { type Given, readSettings, withoutToken } from "./read-settings.ts";
import type { Refusal } from "./refusal.ts";
import { insertSignIn, type PendingSignIn, takeSignIn } from "./store-sign-ins.ts";

export interface SignInNeeds {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly registry: ToolRegistry;
  readonly server: AuthorizationServer;
  readonly publicUrl: string;
}

/** The URL to which a tool sends the customer back; the operator registers it with the tool. */
export const callbackUrl = (publicUrl: string, tool: string): string => `${publicUrl}/oauth/callback/${tool}`;

export type SignInBegun =
  | { readonly kind: "go"; readonly url: string }
  | { readonly kind: "invalid"; readonly errors: ValidationErrors }
  /** The tool has no sign-in page. */
  | { readonly kind: "not_offered"; readonly label: string }
  /** The operator has not registered with the tool at this origin. */
  | { readonly kind: "not_registered"; readonly label: string; readonly origin: string };

export interface ToSignIn extends At {
  readonly tool: string;
  readonly typed: object;
  readonly given: Given;
}

const manifestOf = ({ registry }: SignInNeeds, tool: string): ChosenManifest => {
  const connector = registry.find(tool);
  if (!connector) throw new Error(`There is no tool ${tool}.`);
  return chooseSignIn(connector.manifest, "oauth2");
};

/** Makes a single-use URL of a tool's sign-in page for one customer. */
export const createSignInRequest =
  (needs: SignInNeeds) =>
  async ({ importId, side, tool, typed, given }: ToSignIn): Promise<SignInBegun> => {
    const manifest = manifestOf(needs, tool);
    const { label } = manifest;
    if (!hasSignInPage(manifest)) return { kind: "not_offered", label };
    const read = readSettings(manifest, typed, withoutToken(given));
    if (read.kind === "invalid") return read;
    const state = randomState();
    const verifier = randomPKCECodeVerifier();
    const redirectUri = callbackUrl(needs.publicUrl, tool);
    const of = { manifest, settings: read.settings };
    const url = await needs.server.signInUrl(of, { side, redirectUri, state, verifier });
    if (!url) {
      const { origin } = new URL(manifest.auth.authorizationUrl(read.settings));
      return { kind: "not_registered", label, origin };
    }
    const pending = { side, tool, typed: { ...typed }, verifier };
    await insertSignIn(needs.db, needs.sealer, { importId, side }, state, pending);
    return { kind: "go", url: url.href };
  };

export type SignInRedeemed =
  | {
      readonly kind: "signed_in";
      readonly pending: PendingSignIn;
      readonly tokens: Tokens;
      /** Validated settings that the tool reported. */
      readonly learned: Learned;
    }
  /** The sign-in never began, expired, was used already, or belongs to another import. */
  | { readonly kind: "unknown" }
  | { readonly kind: "refused" | "unchecked"; readonly refusal: Refusal };

const refusal = (code: Refusal["code"], message: string, fix: string, detail: string): Refusal => ({
  code,
  message,
  fix,
  detail,
  setting: null,
});

/** Exchanges the answer of a tool's sign-in page for tokens. */
export const redeemSignIn =
  (needs: SignInNeeds) =>
  async (
    at: { readonly importId: string; readonly side?: At["side"] | null },
    query: URLSearchParams,
    givenFor: (side: At["side"]) => Promise<Given>,
  ): Promise<SignInRedeemed> => {
    const state = query.get("state") ?? "";
    const pending = await takeSignIn(needs.db, needs.sealer, at, state);
    if (!pending) return { kind: "unknown" };
    const { side, tool, typed, verifier } = pending;
    const manifest = manifestOf(needs, tool);
    const given = withoutToken(await givenFor(side));
    const read = readSettings(manifest, typed, given);
    if (!hasSignInPage(manifest) || read.kind === "invalid") return { kind: "unknown" };
    const redirectUri = callbackUrl(needs.publicUrl, tool);
    const { label } = manifest;
    try {
      const granted = await needs.server.redeemCode(
        { manifest, settings: read.settings },
        { redirectUri, query, state, verifier },
      );
      if (granted.kind === "granted") {
        const { tokens, learned = {} } = granted;
        const all = readSettings(manifest, typed, given, learned);
        if (all.kind === "valid" && isWithinOrigins(manifest, read.settings, all.settings))
          return { kind: "signed_in", pending, tokens, learned };
        const message = `${label} did not tell us where your account is.`;
        return { kind: "unchecked", refusal: refusal("not_now", message, "Try again.", "learned_settings") };
      }
      const fix = "Start again, and allow the access on its page.";
      return {
        kind: "refused",
        refusal: refusal("no_permission", `${label} did not let us in.`, fix, "access_denied"),
      };
    } catch (error) {
      if (!isConnectorError(error)) throw error;
      return {
        kind: "unchecked",
        refusal: refusal("not_now", error.message, "Try again in a few minutes.", error.code),
      };
    }
  };
