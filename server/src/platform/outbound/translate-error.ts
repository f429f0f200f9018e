import { errors } from "undici";
import { OutboundError } from "./outbound-error.ts";

const codeOf = (error: unknown) => (error as { code?: string } | null)?.code ?? "";

const isTls = (code: string) =>
  /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO)/.test(code);

/** Translates a network error into an OutboundError; the cause is kept for the log. */
export const translateError = (
  error: unknown,
  host: string,
  mayHaveArrived: boolean,
  callers: AbortSignal | undefined,
): OutboundError => {
  if (error instanceof OutboundError) return error;
  if (callers?.aborted) return new OutboundError("aborted", "The call was aborted.", mayHaveArrived, error);
  const all = error instanceof AggregateError ? [error, ...error.errors] : [error];
  for (const each of all) if (each instanceof OutboundError) return each;
  const code = codeOf(error);
  if (
    error instanceof errors.ConnectTimeoutError ||
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError ||
    (error as Error | null)?.name === "TimeoutError" ||
    code === "ETIMEDOUT"
  )
    return new OutboundError("timed_out", `${host} did not answer in time.`, mayHaveArrived, error);
  if (error instanceof errors.HeadersOverflowError)
    return new OutboundError("too_large", `The headers of ${host} are too large.`, mayHaveArrived, error);
  if (isTls(code))
    return new OutboundError("tls_failed", `${host} has no valid certificate.`, mayHaveArrived, error);
  if (error instanceof errors.InvalidArgumentError || (error as Error | null)?.name === "TypeError")
    return new OutboundError("refused_url", "The request is not valid HTTP.", mayHaveArrived, error);
  if (error instanceof errors.HTTPParserError)
    return new OutboundError("bad_answer", `${host} did not answer in HTTP.`, mayHaveArrived, error);
  return new OutboundError("unreachable", `${host} could not be reached.`, mayHaveArrived, error);
};
