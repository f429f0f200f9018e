import type { Occasion } from "../mail-orders/index.ts";

/** What a mail may say of. Texts of others: they are neither HTML nor a header yet. */
export interface MailFacts {
  readonly partner: string;
  readonly source: string;
  readonly destination: string;
  /** What somebody is needed for. */
  readonly about: string;
  readonly figures: MailFigures | null;
}

/** What a migration came to, all kinds of records together. */
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
  /** What the link says. */
  readonly action: string;
}

/** All that a language must have words for. */
export interface MailCatalogue {
  /** Which one it is, for numbers and for whoever reads aloud. */
  readonly language: string;
  text(occasion: Occasion, facts: MailFacts): MailText;
  readonly figures: Readonly<Record<"written" | "matched" | "skipped" | "failed", string>>;
  readonly why: string;
  readonly care: string;
  readonly stop: string;
  runBy(partner: string): string;
}
