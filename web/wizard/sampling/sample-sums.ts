import type { WizardImport, WizardSample } from "@portage/contract/wizard";

type Counts = WizardSample["counts"];

/** What people look at first in each family. */
const mainOf: Readonly<Record<WizardImport["family"], string>> = {
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
  /** In the new tool now. */
  readonly there: number;
  /** There, but not quite as it was. */
  readonly changed: number;
  /** Not there, and not because it was taken away again. */
  readonly lost: number;
  /** Still to be copied. */
  readonly open: number;
}

const sumOf = (counts: Counts, holds: (count: Counts[number]) => boolean) =>
  counts.filter(holds).reduce((sum, { records }) => sum + records, 0);

/** The kinds of records in a sample, the one that matters most first. */
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

/** Records that people have put into the sample and that are not copied yet. */
export const waitingOf = (counts: Counts): number =>
  sumOf(counts, ({ why, state }) => why === "added" && state === null);
