import type { WizardCause, WizardReport, WizardStreamReport } from "@portage/contract/wizard";

const total = (causes: readonly WizardCause[]) => causes.reduce((sum, { count }) => sum + count, 0);

export interface Sums {
  readonly source: number;
  readonly written: number;
  readonly matched: number;
  readonly skipped: number;
  readonly failed: number;
}

/** One line of the report: found records equal moved, already there, skipped and failed ones. */
export const sumsOf = (stream: WizardStreamReport): Sums => ({
  source: stream.source,
  written: stream.written,
  matched: stream.matched,
  skipped: total(stream.skipped),
  failed: total(stream.failed),
});

export const totalsOf = ({ streams }: Pick<WizardReport, "streams">): Sums =>
  streams.map(sumsOf).reduce(
    (sum, each) => ({
      source: sum.source + each.source,
      written: sum.written + each.written,
      matched: sum.matched + each.matched,
      skipped: sum.skipped + each.skipped,
      failed: sum.failed + each.failed,
    }),
    { source: 0, written: 0, matched: 0, skipped: 0, failed: 0 },
  );

export const accountedFor = ({ written, matched, skipped, failed }: Sums): number =>
  written + matched + skipped + failed;

export interface Verified {
  /** Copies that were compared with the source. */
  readonly compared: number;
  readonly differs: number;
  readonly gone: number;
  readonly doubled: number;
  /** Not compared: changed in the source since, or not shown by one of the tools. */
  readonly changed: number;
  readonly refused: number;
  /** Every copy was compared, not just a sample. */
  readonly all: boolean;
  /** Files whose bytes were compared, and those whose bytes could not be read. */
  readonly files: number;
  readonly filesUnread: number;
  /** The names of the fields that differ. */
  readonly fields: readonly string[];
}

export const verifiedOf = ({ streams }: Pick<WizardReport, "streams">): Verified => {
  const sum = (of: (verified: WizardStreamReport["verified"]) => number) =>
    streams.reduce((result, { verified }) => result + of(verified), 0);
  return {
    compared: sum(({ compared }) => compared),
    differs: sum(({ differs }) => differs),
    gone: sum(({ gone }) => gone),
    doubled: sum(({ doubled }) => doubled),
    changed: sum(({ changedAtSource }) => changedAtSource),
    refused: sum(({ refused }) => refused),
    all: streams.every(
      ({ verified, written }) =>
        verified.oneOf === 1 && verified.compared + verified.changedAtSource >= written,
    ),
    files: sum(({ files }) => files?.compared ?? 0),
    filesUnread: sum(({ files }) => files?.unread ?? 0),
    fields: [...new Set(streams.flatMap(({ verified }) => verified.fields.map(({ label }) => label)))],
  };
};

/** Whether the seal may be green: the counts add up, and all copies that were compared equal the source. */
export const isVerified = (report: Pick<WizardReport, "streams" | "addsUp">): boolean => {
  const { compared, differs, gone, doubled, refused } = verifiedOf(report);
  const nothingToCompare = totalsOf(report).written === 0;
  return report.addsUp && differs + gone + doubled + refused === 0 && (compared > 0 || nothingToCompare);
};
