import { findStream } from "@portage/connector-kit";
import type { Family, Warning } from "@portage/contract";
import type { RunFinding, FindingKind } from "../../imports/index.ts";
import { reasonText } from "./reasons.ts";

/** Losses come before differences. */
const order: readonly FindingKind[] = ["failed", "checked", "skipped", "kept", "changed"];

const singular = (plural: string) => plural.replace(/ies$/, "y").replace(/([^s])s$/, "$1");

/** "1 ticket", "12,430 tickets". */
export const countedStream = (family: Family, stream: string, count: number): string => {
  const plural = (findStream(family, stream)?.label ?? stream.replaceAll("_", " ")).toLowerCase();
  return `${count.toLocaleString("en-US")} ${count === 1 ? singular(plural) : plural}`;
};

export const findingSentence = (
  family: Family,
  { stream, kind, code, count }: Omit<RunFinding, "examples">,
): string => `${countedStream(family, stream, count)} ${reasonText(kind, code)}.`;

/** Worst first, then the most frequent; the rest of the order only has to be stable. */
export const worstFirst = (findings: readonly RunFinding[]): readonly RunFinding[] =>
  findings.toSorted(
    (a, b) =>
      order.indexOf(a.kind) - order.indexOf(b.kind) ||
      b.count - a.count ||
      (a.stream === b.stream ? (a.code < b.code ? -1 : 1) : a.stream < b.stream ? -1 : 1),
  );

/** One per cause and stream, whatever the outcome of the records. */
export const warningsFromFindings = (family: Family, findings: readonly RunFinding[]): readonly Warning[] => {
  const causes = new Map<string, RunFinding>();
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
