import type { ErrorAnswer, ValidationErrors } from "./wire.ts";

/** The API's own codes, and four for what it could not say itself. */
export type ErrorCode =
  | ErrorAnswer["error"]["code"]
  /** A 422: `errors` tells which property is wrong, and why. */
  | "validation_failed"
  /** No whole answer came within `timeoutMs`. */
  | "timed_out"
  /** The API could not be reached, or the connection broke. */
  | "connection_failed"
  /** What answered does not speak as the API does. */
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

/** Whatever goes wrong between you and the API. Decide by `code`. */
export class PortageError extends Error {
  override readonly name = "PortageError";
  readonly code: ErrorCode;
  /** The HTTP status; 0 when no answer came. */
  readonly status: number;
  /** Quote it when you write to the operator. */
  readonly requestId: string | null;
  /** What is wrong, by property; only those that are. Empty unless `code` is `validation_failed`. */
  readonly errors: ValidationErrors;
  /** How long the API asked to wait. */
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
