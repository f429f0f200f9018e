import type { WizardReport } from "@portage/contract/wizard";
import { isVerified, totalsOf } from "./report-sums.ts";

/**
 * How a move ended. `all`: nothing failed, and the comparison found nothing. `unverified`: nothing failed, but the
 * comparison found something. `some`, `none`: records failed, and others, or no others, are in the destination.
 */
export type Outcome = "all" | "unverified" | "some" | "none";

export const outcomeOf = (report: Pick<WizardReport, "streams" | "addsUp">): Outcome => {
  const { written, matched, failed } = totalsOf(report);
  if (failed > 0) return written + matched > 0 ? "some" : "none";
  return isVerified(report) ? "all" : "unverified";
};
