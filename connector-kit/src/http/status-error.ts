import { ConnectorError, outcomeUnknown, type Recovery } from "../errors.ts";

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
  readonly status: number;
  readonly retryAfterMs: number | null;
  /** Whether a retry is harmless. */
  readonly idempotent: boolean;
  /** Whether the request carried the credentials: a file host that refuses a link proves nothing about the sign-in. */
  readonly authorized: boolean;
}

/** Maps an unexpected status to what the run does about it. */
export const statusError = ({
  label,
  status,
  retryAfterMs,
  idempotent,
  authorized,
}: Failed): ConnectorError => {
  if (status >= 500 && !idempotent)
    return new ConnectorError({
      recovery: "retry",
      code: outcomeUnknown,
      message: `${label} failed during a write (${status}); the write may have taken effect.`,
      status,
    });
  const [recovery, code, does] =
    meanings[status === 401 && !authorized ? 403 : status] ??
    (status >= 500 || status === 408
      ? (["retry", "unavailable", "is unavailable at the moment"] as const)
      : (["abort", "unexpected_status", "gave an unexpected answer"] as const));
  return new ConnectorError({
    recovery,
    code,
    message: `${label} ${does} (${status}).`,
    status,
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
