import type { WizardImport, WizardSample } from "@portage/contract/wizard";

type Counts = WizardSample["counts"];

/** The main kind of record of each family. */
export const mainOf: Readonly<Record<WizardImport["family"], string>> = {
  helpdesk: "tickets",
  projects: "tasks",
  crm: "deals",
  content: "posts",
};

export interface SampleKind {
  readonly stream: string;
  readonly label: string;
  readonly records: number;
  readonly chosen: number;
  /** In the destination now. */
  readonly there: number;
  /** In the destination, but with changes. */
  readonly changed: number;
  /** Missing, but not because of an undo. */
  readonly lost: number;
  /** Still to be copied. */
  readonly open: number;
}

const sumOf = (counts: Counts, holds: (count: Counts[number]) => boolean) =>
  counts.filter(holds).reduce((sum, { records }) => sum + records, 0);

/** The kinds of records in a sample, the main kind first. */
export const kindsOf = (counts: Counts, family: WizardImport["family"]): readonly SampleKind[] => {
  const streams = [...new Set(counts.map(({ stream }) => stream))];
  const kinds = streams.map((stream): SampleKind => {
    const own = counts.filter((count) => count.stream === stream);
    return {
      stream,
      label: own[0]?.label ?? stream,
      records: sumOf(own, () => true),
      chosen: sumOf(own, ({ why }) => why !== "needed"),
      there: sumOf(own, ({ state }) => state === "written" || state === "matched" || state === "kept"),
      changed: own.reduce((sum, { changed }) => sum + changed, 0),
      lost: sumOf(own, ({ state }) => state === "failed" || state === "skipped"),
      open: sumOf(own, ({ state }) => state === null),
    };
  });
  const rank = ({ stream, chosen }: SampleKind) => (stream === mainOf[family] ? Infinity : chosen);
  return kinds.toSorted((a, b) => rank(b) - rank(a) || b.records - a.records);
};

/** Records that the customer added to the sample and that are not copied yet. */
export const waitingOf = (counts: Counts): number =>
  sumOf(counts, ({ why, state }) => why === "added" && state === null);
