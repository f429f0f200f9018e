import type { ErrorAnswer, ValidationErrors } from "./wire.ts";

/** The API's own codes, and four for errors outside the API. */
export type ErrorCode =
  | ErrorAnswer["error"]["code"]
  /** A 422: `errors` names the wrong properties and the reasons. */
  | "validation_failed"
  /** No complete answer within `timeoutMs`. */
  | "timed_out"
  /** The client could not reach the API, or the connection broke. */
  | "connection_failed"
  /** The answer is not from the API. */
  | "unexpected_answer";

interface Facts {
  readonly code: ErrorCode;
  readonly message: string;
  readonly status?: number;
  readonly requestId?: string | null;
  readonly errors?: ValidationErrors;
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
}

/** Any failure between you and the API. Decide by `code`. */
export class PortageError extends Error {
  override readonly name = "PortageError";
  readonly code: ErrorCode;
  /** The HTTP status; 0 without an answer. */
  readonly status: number;
  /** Quote it when you write to the operator. */
  readonly requestId: string | null;
  /** The errors by property, only for wrong properties. Empty unless `code` is `validation_failed`. */
  readonly errors: ValidationErrors;
  /** How long the API asks you to wait. */
  readonly retryAfterMs: number | null;
  constructor({ code, message, status = 0, requestId = null, errors = {}, ...rest }: Facts) {
    super(message, { cause: rest.cause });
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.errors = errors;
    this.retryAfterMs = rest.retryAfterMs ?? null;
  }
}
