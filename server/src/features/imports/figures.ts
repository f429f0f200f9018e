/** The effect on records: not copied, left out on purpose, left in place, changed during the copy, found by a check. */
export type FindingKind = "failed" | "skipped" | "kept" | "changed" | "checked";

/** A deviation from the expected result, by stream and cause. */
export interface RunFinding {
  readonly stream: string;
  readonly kind: FindingKind;
  /** Stable; the table of reasons has its text. */
  readonly code: string;
  readonly count: number;
  /** A few ids in the source. */
  readonly examples: readonly string[];
}

/** People on both sides. */
export interface PeopleCounted {
  readonly source: number;
  readonly destination: number;
  readonly matched: number;
}

/** The figures of an import in a list: records now in the destination because of it, by stream, and people. */
export interface Counted {
  readonly items: Readonly<Record<string, number>>;
  readonly people: PeopleCounted;
}

/** The result of an import's runs. */
export interface Figures extends Counted {
  readonly findings: readonly RunFinding[];
}

export const noFigures: Figures = {
  items: {},
  people: { source: 0, destination: 0, matched: 0 },
  findings: [],
};
