import type { Database } from "../../../platform/db.ts";
import type { Sealer } from "../../../platform/seal.ts";
import type { Facet } from "./facets.ts";
import { countParts, type SamplePart } from "./store-parts.ts";
import { listStoredResults, type ResultsPage, type StoredResult } from "./store-results.ts";
import { findSampleCoverage } from "./store-review.ts";

export interface SampleResult extends StoredResult {
  /** What it is in the sample for; empty if it came along. */
  readonly covers: readonly Facet[];
  /** Its parts: comments, files. */
  readonly parts: readonly SamplePart[];
}

export interface SampleResultPage {
  readonly results: readonly SampleResult[];
  /** Where the next page begins; null at the end. */
  readonly next: string | null;
}

/** A page of the results of a sample's records. */
export const listSampleResults = async (
  db: Database,
  sealer: Sealer,
  importId: string,
  page: ResultsPage,
): Promise<SampleResultPage> => {
  const found = await listStoredResults(db, sealer, importId, { ...page, limit: page.limit + 1 });
  const coverage = await findSampleCoverage(db, sealer, importId);
  const chosen = (coverage?.chosen ?? []).filter(({ stream }) => stream === page.stream);
  const covers = new Map(chosen.map((each) => [each.id, each.covers]));
  const shown = found.slice(0, page.limit);
  const ids = shown.map(({ sourceId }) => sourceId);
  const parts = await countParts(db, importId, page.stream, ids);
  const results = shown.map((result) => ({
    ...result,
    covers: covers.get(result.sourceId) ?? [],
    parts: parts.get(result.sourceId) ?? [],
  }));
  return { results, next: found.length > page.limit ? (results.at(-1)?.sourceId ?? null) : null };
};
