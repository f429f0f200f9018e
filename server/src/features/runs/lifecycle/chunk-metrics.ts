import type { Metrics } from "../../../platform/metrics/index.ts";
import type { Counts, Tallies } from "../chunk/lease.ts";

export const settledOutcomes = [
  "created",
  "updated",
  "matched",
  "skipped",
  "failed",
  "removed",
  "kept",
] as const;

export const countSettled = (metrics: Metrics, tool: string, counts: Counts): void => {
  for (const outcome of settledOutcomes)
    if (counts[outcome] > 0) metrics.count("portage_records_total", { tool, outcome }, counts[outcome]);
};

/** Verdicts of the final check that a person must know of. */
const differences = ["differs", "gone", "doubled"].map((verdict) => `count|verified|${verdict}`);

/** What the chunk has added to the tallies of its partition. */
export const countDifferences = (
  metrics: Metrics,
  tool: string,
  { before, after }: { readonly before: Tallies; readonly after: Tallies },
): void => {
  const sum = (tallies: Tallies) => differences.reduce((all, key) => all + (tallies[key] ?? 0), 0);
  const more = sum(after) - sum(before);
  if (more > 0) metrics.count("portage_verification_differences_total", { tool }, more);
};
