/**
 * One kind of record in this move, and the guarantees for its copies: those that the destination's connector declares
 * and the conformance suite proves. Promise nothing else.
 */
export interface WizardKind {
  readonly name: string;
  /** For people: "Tickets". */
  readonly label: string;
  /** Writing it sends no mail. */
  readonly silent: boolean;
  /** Copies have the dates of their originals. */
  readonly backdates: boolean;
  /** Copies have the authors of their originals; null: this kind has no authors. */
  readonly keepsAuthor: boolean | null;
  /** An undo can remove it: directly, or together with its parent. */
  readonly removable: boolean;
  /** The fields that the new tool does not keep unchanged, and why: a sentence for people. */
  readonly dropped: Readonly<Record<string, string>>;
}
