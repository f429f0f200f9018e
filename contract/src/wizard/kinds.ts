/**
 * One kind of record that this move can take, and what holds for its copies: what the new tool's connector declares and
 * its conformance suite shows. Nothing else may be promised of it.
 */
export interface WizardKind {
  readonly name: string;
  /** For people: "Tickets". */
  readonly label: string;
  /** Nobody gets a message when it is written. */
  readonly silent: boolean;
  /** Copies have the dates of their originals. */
  readonly backdates: boolean;
  /** Copies have the authors of their originals; null: there is nothing of the kind. */
  readonly keepsAuthor: boolean | null;
  /** An undo can take it away again: by itself, or with what holds it. */
  readonly removable: boolean;
  /** The fields that the new tool does not hold as they were, and why: a sentence for people. */
  readonly dropped: Readonly<Record<string, string>>;
}
