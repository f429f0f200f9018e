import type { WizardReport } from "@portage/contract/wizard";
import { changedFields } from "../../app/changed-fields.ts";
import { isVerified, totalsOf, verifiedOf } from "./report-sums.ts";

interface Claims {
  readonly lead: readonly (
    | "leadAll"
    | "leadSome"
    | "leadAllMoving"
    | "leadSomeMoving"
    | "leadRest"
    | "leadLeft"
  )[];
  readonly title: "seal.verified" | "seal.verifiedMoving" | "seal.notVerified";
  readonly seal: readonly (
    | "seal.counted"
    | "seal.comparedAll"
    | "seal.compared"
    | "seal.files"
    | "seal.filesUnread"
    | "seal.changed"
    | "seal.listed"
    | "seal.noneChanged"
  )[];
}

type Reported = Pick<WizardReport, "streams" | "addsUp" | "leftBehind">;

const sealOf = (report: Reported): Claims["seal"] => {
  const { compared, all, files, filesUnread, changed } = verifiedOf(report);
  return [
    "seal.counted",
    ...(compared > 0 ? ([all ? "seal.comparedAll" : "seal.compared"] as const) : []),
    ...(files > 0 ? (["seal.files"] as const) : []),
    ...(filesUnread > 0 ? (["seal.filesUnread"] as const) : []),
    ...(changed > 0 ? (["seal.changed"] as const) : []),
    changedFields(report).length > 0 ? ("seal.listed" as const) : ("seal.noneChanged" as const),
  ];
};

/** The claims that a report supports: "all" only if no kind was left behind, "listed" only if there is a list. */
export const claimsOf = (report: Reported): Claims => {
  const { source, written, matched, failed } = totalsOf(report);
  const isAll = written + matched >= source;
  const isPart = report.leftBehind.length > 0;
  const lead = () => {
    // The title has the numbers.
    if (failed > 0) return "leadRest";
    return isAll ? (isPart ? "leadAllMoving" : "leadAll") : isPart ? "leadSomeMoving" : "leadSome";
  };
  return {
    lead: isPart ? [lead(), "leadLeft"] : [lead()],
    title: isVerified(report) ? (isPart ? "seal.verifiedMoving" : "seal.verified") : "seal.notVerified",
    seal: sealOf(report),
  };
};
