/** Why a request failed. */
export type Problem =
  /** Not possible now; the message says why. */
  | {
      readonly kind: "refused";
      readonly message: string;
      readonly current?: unknown;
      /** The side whose tool did not answer, if the server knows it. */
      readonly side?: "source" | "destination";
    }
  /** Not allowed for this link or from this page. */
  | { readonly kind: "forbidden"; readonly message: string }
  /** Invalid input: messages by field name; `base` holds those about the whole form. */
  | { readonly kind: "invalid"; readonly errors: FieldErrors; readonly body: unknown }
  /** No answer: no connection, or the server is being replaced. */
  | { readonly kind: "offline" }
  /** The session has ended: the customer must open the link again. */
  | { readonly kind: "expired" }
  /** The resource does not exist, or not yet; for the import itself: it was closed. */
  | { readonly kind: "gone"; readonly message: string }
  /** An error of the server. */
  | { readonly kind: "unexpected"; readonly requestId: string | null };

export type FieldErrors = Readonly<Record<string, readonly string[]>>;

export type Outcome<T> = { readonly kind: "ok"; readonly value: T } | Problem;

/** Wraps a problem as an error: queries throw it, pages show it. */
export class ProblemError extends Error {
  readonly code = "problem";
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.kind);
    this.problem = problem;
  }
}
