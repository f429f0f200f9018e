/** Why an answer is not what was asked for. */
export type Problem =
  /** It can't be done now, for a reason in plain words. */
  | { readonly kind: "refused"; readonly message: string; readonly current?: unknown }
  /** Not by this link, or not from this page. */
  | { readonly kind: "forbidden"; readonly message: string }
  /** What was typed is not accepted: messages by the name of the field; `base`: about the whole. */
  | { readonly kind: "invalid"; readonly errors: FieldErrors; readonly body: unknown }
  /** Nobody answers: no connection, or the server is being replaced. */
  | { readonly kind: "offline" }
  /** The session has ended: the link must be opened again. */
  | { readonly kind: "expired" }
  /** There is no such thing, or not yet; of the import itself: it was closed. */
  | { readonly kind: "gone"; readonly message: string }
  /** Our own fault. */
  | { readonly kind: "unexpected"; readonly requestId: string | null };

export type FieldErrors = Readonly<Record<string, readonly string[]>>;

export type Outcome<T> = { readonly kind: "ok"; readonly value: T } | Problem;

/** A problem where only a value can go on: queries throw it, pages show it. */
export class ProblemError extends Error {
  readonly code = "problem";
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.kind);
    this.problem = problem;
  }
}
