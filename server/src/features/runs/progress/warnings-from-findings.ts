import { findStream } from "@portage/connector-kit";
import type { Family, Warning } from "@portage/contract";
import type { Finding, FindingKind } from "../../imports/index.ts";
import { reasonText } from "./reasons.ts";

/** What is lost comes before what only looks different. */
const order: readonly FindingKind[] = ["failed", "checked", "skipped", "kept", "changed"];

const singular = (plural: string) => plural.replace(/ies$/, "y").replace(/([^s])s$/, "$1");

/** "1 ticket", "12,430 tickets". */
export const countedStream = (family: Family, stream: string, count: number): string => {
  const plural = (findStream(family, stream)?.label ?? stream.replaceAll("_", " ")).toLowerCase();
  return `${count.toLocaleString("en-US")} ${count === 1 ? singular(plural) : plural}`;
};

export const findingSentence = (
  family: Family,
  { stream, kind, code, count }: Omit<Finding, "examples">,
): string => `${countedStream(family, stream, count)} ${reasonText(kind, code)}.`;

/** Worst first, then the most frequent; the rest of the order only has to be the same each time. */
export const worstFirst = (findings: readonly Finding[]): readonly Finding[] =>
  findings.toSorted(
    (a, b) =>
      order.indexOf(a.kind) - order.indexOf(b.kind) ||
      b.count - a.count ||
      (a.stream === b.stream ? (a.code < b.code ? -1 : 1) : a.stream < b.stream ? -1 : 1),
  );

/** One per cause and stream, whatever became of the records by it. */
export const warningsFromFindings = (family: Family, findings: readonly Finding[]): readonly Warning[] => {
  const causes = new Map<string, Finding>();
  for (const each of worstFirst(findings)) {
    const key = `${each.code}|${each.stream}`;
    const known = causes.get(key);
    causes.set(key, known ? { ...known, count: known.count + each.count } : each);
  }
  return [...causes.values()].map((cause) => ({
    code: cause.code,
    message: findingSentence(family, cause),
    stream: cause.stream,
    count: cause.count,
  }));
};
