import { ConnectorError, outcomeUnknown, type Recovery } from "../errors.ts";
import type { Explanation } from "../manifest.ts";

const meanings: Readonly<Record<number, readonly [Recovery, string, string]>> = {
  400: ["skip-record", "rejected", "did not understand the request"],
  401: ["reauthorize", "unauthorized", "no longer accepts the sign-in"],
  402: ["abort", "payment_required", "asks for a payment"],
  403: ["skip-record", "forbidden", "does not allow this account to do that"],
  404: ["skip-record", "not_found", "does not have the requested object"],
  409: ["skip-record", "conflict", "reports a conflict with an existing object"],
  410: ["skip-record", "not_found", "no longer has the requested object"],
  413: ["skip-record", "too_large", "says that the request is too large"],
  422: ["skip-record", "rejected", "did not accept the request"],
  429: ["retry", "rate_limited", "asks us to slow down"],
};

interface Failed {
  readonly label: string;
  /** The status of the answer; the explanation may name another. */
  readonly status: number;
  readonly explanation?: Explanation | undefined;
  readonly reasons?: Readonly<Record<string, string>> | undefined;
  readonly retryAfterMs: number | null;
  /** Whether a retry is harmless. */
  readonly idempotent: boolean;
  /** Whether the request carried the credentials: a file host that refuses a link proves nothing about the sign-in. */
  readonly authorized: boolean;
}

/** Ledger and reports store codes: one that a dialect took from an answer must not carry the customer's words there. */
const isCode = (code: string | undefined): code is string => /^[a-z][a-z0-9_]{0,63}$/.test(code ?? "");

/** Maps an unexpected answer to what the run does about it. */
export const statusError = ({
  label,
  status: answered,
  explanation: { status = answered, setting, ...explained } = {},
  reasons = {},
  retryAfterMs,
  idempotent,
  authorized,
}: Failed): ConnectorError => {
  if (status >= 500 && !idempotent)
    return new ConnectorError({
      recovery: "retry",
      code: outcomeUnknown,
      message: `${label} failed during a write (${answered}); the write may have taken effect.`,
      status,
    });
  const [usually, usual, does] =
    meanings[status === 401 && !authorized ? 403 : status] ??
    (status >= 500 || status === 408
      ? (["retry", "unavailable", "is unavailable at the moment"] as const)
      : (["abort", "unexpected_status", "gave an unexpected answer"] as const));
  const recovery = explained.recovery ?? usually;
  const code = isCode(explained.code) ? explained.code : usual;
  return new ConnectorError({
    recovery,
    code,
    message: `${label} ${Object.hasOwn(reasons, code) ? reasons[code] : does} (${answered}).`,
    status,
    ...(setting === undefined ? {} : { setting }),
    ...(recovery === "retry" && retryAfterMs !== null ? { retryAfterMs } : {}),
  });
};

const transportMeanings: Readonly<Record<string, readonly [Recovery, string]>> = {
  refused_url: ["abort", "can't be called at this address"],
  refused_address: ["abort", "is not at a public address"],
  insecure: ["abort", "must be called with https"],
  tls_failed: ["abort", "has no valid certificate"],
  too_large: ["skip-record", "sent an answer that is too large"],
  too_many_redirects: ["abort", "redirects too often"],
  aborted: ["retry", "did not answer before the request was cancelled"],
  timed_out: ["retry", "did not answer in time"],
};

export const transportError = (
  label: string,
  code: string,
  unknown: boolean,
  cause: unknown,
): ConnectorError => {
  if (unknown)
    return new ConnectorError({
      recovery: "retry",
      code: outcomeUnknown,
      message: `${label} did not answer a write; the write may have taken effect.`,
      cause,
    });
  const [recovery, does] = transportMeanings[code] ?? (["retry", "could not be reached"] as const);
  return new ConnectorError({ recovery, code, message: `${label} ${does}.`, cause });
};
