import type { Occasion } from "../mail-outbox/index.ts";

/** The facts of a mail. They contain foreign text that is not yet safe for HTML or a header. */
export interface MailFacts {
  readonly partner: string;
  readonly source: string;
  readonly destination: string;
  /** What the customer is needed for. */
  readonly about: string;
  readonly figures: MailFigures | null;
}

/** The result of a migration, summed over all streams. */
export interface MailFigures {
  readonly written: number;
  readonly matched: number;
  readonly skipped: number;
  readonly failed: number;
  readonly addsUp: boolean;
}

export interface MailText {
  readonly subject: string;
  readonly title: string;
  readonly lines: readonly string[];
  /** The label of the link. */
  readonly action: string;
}

/** All texts that a language must provide. */
export interface MailCatalogue {
  /** The language tag, for number formats and screen readers. */
  readonly language: string;
  text(occasion: Occasion, facts: MailFacts): MailText;
  readonly figures: Readonly<Record<"written" | "matched" | "skipped" | "failed", string>>;
  readonly why: string;
  readonly care: string;
  readonly stop: string;
  runBy(partner: string): string;
}
