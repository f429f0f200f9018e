/** What a cause did to records: not copied, left out on purpose, left in place, changed on the way, found by checking. */
export type FindingKind = "failed" | "skipped" | "kept" | "changed" | "checked";

/** Something that became otherwise than wished, of one stream and one cause. */
export interface Finding {
  readonly stream: string;
  readonly kind: FindingKind;
  /** Stable; the table of reasons has its words. */
  readonly code: string;
  readonly count: number;
  /** Ids at the source, a few. */
  readonly examples: readonly string[];
}

/** People on both sides. */
export interface PeopleCounted {
  readonly source: number;
  readonly destination: number;
  readonly matched: number;
}

/** What is shown of an import in a list: records now in the destination because of it, by stream, and people. */
export interface Counted {
  readonly items: Readonly<Record<string, number>>;
  readonly people: PeopleCounted;
}

/** What the runs of an import left behind. */
export interface Figures extends Counted {
  readonly findings: readonly Finding[];
}

export const noFigures: Figures = {
  items: {},
  people: { source: 0, destination: 0, matched: 0 },
  findings: [],
};
