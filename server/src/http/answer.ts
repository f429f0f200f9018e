import {
  type ErrorCode,
  errorStatuses,
  type NewImportErrors,
  type ValidationErrors,
} from "@portage/contract";

/** The response of a route; the server serializes it. */
export interface Answer {
  readonly status: number;
  /** Omitted: an empty body without a content type. A stream is sent as it comes, with its own content type. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error for the caller, with a stable code. It becomes a body only where the request id is known. */
export class Problem extends Error {
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;
  constructor(code: ErrorCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.code = code;
    this.headers = headers;
  }
}

export const problemAnswer = (problem: Problem, requestId: string): Answer => ({
  status: errorStatuses[problem.code],
  body: { error: { code: problem.code, message: problem.message, request_id: requestId } },
  headers: problem.headers,
});

export const invalid = (errors: ValidationErrors | NewImportErrors): Answer => ({
  status: 422,
  body: errors,
});

export const emptyOk: Answer = { status: 200 };

export const ok = (body: unknown, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status: 200,
  body,
  headers,
});
