import { ConnectorError, outcomeUnknown, type Recovery } from "../errors.ts";

const meanings: Readonly<Record<number, readonly [Recovery, string, string]>> = {
  400: ["skip-record", "rejected", "did not understand what it was sent"],
  401: ["reauthorize", "unauthorized", "no longer accepts the sign-in"],
  402: ["abort", "payment_required", "asks for a payment"],
  403: ["skip-record", "forbidden", "does not allow this account to do that"],
  404: ["skip-record", "not_found", "does not have what was asked for"],
  409: ["skip-record", "conflict", "says that it conflicts with something that is there"],
  410: ["skip-record", "not_found", "no longer has what was asked for"],
  413: ["skip-record", "too_large", "finds it too large"],
  422: ["skip-record", "rejected", "did not accept what it was sent"],
  429: ["retry", "rate_limited", "asks us to slow down"],
};

interface Failed {
  readonly label: string;
  readonly status: number;
  readonly retryAfterMs: number | null;
  /** Whether sending it again would be harmless. */
  readonly idempotent: boolean;
  /** Whether it carried the credentials: a file's host that refuses a link says nothing about the sign-in. */
  readonly authorized: boolean;
}

/** What a status that nobody expected means for the run. */
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
      message: `${label} failed while it was writing (${status}); whether it took effect is not known.`,
      status,
    });
  const [recovery, code, does] =
    meanings[status === 401 && !authorized ? 403 : status] ??
    (status >= 500 || status === 408
      ? (["retry", "unavailable", "is out of order at the moment"] as const)
      : (["abort", "unexpected_status", "gave an answer that was not expected"] as const));
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
  too_large: ["skip-record", "answered with more than is allowed"],
  too_many_redirects: ["abort", "redirects in circles"],
  aborted: ["retry", "was not waited for"],
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
      message: `${label} did not answer to a write; whether it took effect is not known.`,
      cause,
    });
  const [recovery, does] = transportMeanings[code] ?? (["retry", "could not be reached"] as const);
  return new ConnectorError({ recovery, code, message: `${label} ${does}.`, cause });
};
