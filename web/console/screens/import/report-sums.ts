import type { OperatorReport } from "@portage/contract/operator";

type StreamReport = OperatorReport["streams"][number];

interface ReportSums {
  readonly skipped: number;
  readonly failed: number;
  readonly behind: number;
  /** Records of the source less those with an outcome; 0: it adds up. */
  readonly unaccounted: number;
}

const total = (causes: StreamReport["failed"]) => causes.reduce((sum, { count }) => sum + count, 0);

/** The causes of a stream together, and whether every record of the source has an outcome. */
export const reportSums = ({
  source,
  written,
  matched,
  ...causes
}: Pick<StreamReport, "source" | "written" | "matched" | "skipped" | "failed" | "behind">): ReportSums => {
  const [skipped, failed] = [total(causes.skipped), total(causes.failed)];
  return {
    skipped,
    failed,
    behind: total(causes.behind),
    unaccounted: source - written - matched - skipped - failed,
  };
};
