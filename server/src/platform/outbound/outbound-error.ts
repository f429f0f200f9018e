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

/** Names the host, never the path, query or headers: they may hold secrets. */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly code: OutboundCode;
  /** False only if certainly no byte of the request was sent: then the caller may retry a write. */
  readonly mayHaveArrived: boolean;

  constructor(code: OutboundCode, message: string, mayHaveArrived: boolean, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.mayHaveArrived = mayHaveArrived;
  }
}
