export type OutboundCode =
  | "refused_url"
  | "refused_address"
  | "insecure"
  | "unresolvable"
  | "unreachable"
  | "tls_failed"
  | "timed_out"
  | "too_large"
  | "too_many_redirects"
  | "bad_answer"
  | "aborted";

/** Says which host, never which path, query or header: they may hold secrets. */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly code: OutboundCode;
  /** False only when it is certain that not one byte of the request left: a write may then be sent again. */
  readonly mayHaveArrived: boolean;

  constructor(code: OutboundCode, message: string, mayHaveArrived: boolean, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.mayHaveArrived = mayHaveArrived;
  }
}
