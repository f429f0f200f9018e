import { type ConnectorError, isConnectorError } from "@portage/connector-kit";
import { explainRefusal, type Opened } from "../connections/index.ts";
import type { PreflightCode, Side } from "../imports/index.ts";
import type { Finding } from "./finding.ts";

export type ReachableSide = Extract<Opened, { kind: "open" }>;

const codes = {
  wrong_key: "sign_in_refused",
  no_permission: "no_permission",
  wrong_address: "wrong_address",
  unreachable: "unreachable",
  not_now: "unreachable",
} as const satisfies Record<string, PreflightCode>;

const tryLater = "We try again for a few minutes. Check that it works and can be reached from outside.";

/** The connector's own message, or ours. */
type Words = { readonly toolSays: string } | { readonly message: string };

export const unreachable = (side: Side | null, words: Words): Finding => ({
  code: "unreachable",
  level: "blocks",
  fix: tryLater,
  ...("toolSays" in words ? { ...words, message: words.toolSays } : words),
  side,
  stream: null,
  count: 1,
});

/** The finding for a connector error that concerns the whole side. */
export const toolTrouble = (side: Side, opened: ReachableSide, error: ConnectorError): Finding => {
  const { manifest } = opened.connector;
  const refusal = explainRefusal(manifest, opened.settings, error);
  // The customer need not fix what a retry may fix.
  if (error.recovery === "retry") return unreachable(side, { toolSays: refusal.message });
  const isSignIn = refusal.code === "wrong_key" && manifest.auth.kind !== "secret";
  return {
    code: codes[refusal.code],
    level: "blocks",
    message: refusal.message,
    toolSays: refusal.message,
    fix: isSignIn ? `Sign in to ${manifest.label} again.` : refusal.fix,
    side,
    stream: null,
    count: 1,
  };
};

/** Whether the error concerns every call to the tool, not only this one. */
export const concernsAll = (error: unknown): error is ConnectorError =>
  isConnectorError(error) && (error.recovery === "retry" || error.recovery === "reauthorize");
