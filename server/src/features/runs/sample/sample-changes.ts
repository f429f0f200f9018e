import type { FieldChange } from "@portage/connector-kit";
import type { Database } from "../../../platform/db.ts";
import type { Sealer } from "../../../platform/seal.ts";
import { countSample, listStoredResults, type StoredResult } from "./store-results.ts";

/** A change of a field, for one reason, and in how many records of a sample. */
export interface SampleChange extends FieldChange {
  readonly count: number;
  /** The first of them. */
  readonly example: Pick<StoredResult, "sourceId" | "sourceUrl">;
}

export interface StreamChanges {
  readonly stream: string;
  readonly changes: readonly SampleChange[];
}

/** All are read in the order of their ids, so that fields that change together share an example. */
const resultsPerPage = 200;

const changesIn = async (
  db: Database,
  sealer: Sealer,
  importId: string,
  stream: string,
): Promise<readonly SampleChange[]> => {
  const found = new Map<string, SampleChange>();
  for (let after: string | null = null; ; ) {
    const page: readonly StoredResult[] = await listStoredResults(db, sealer, importId, {
      stream,
      after,
      limit: resultsPerPage,
    });
    for (const { state, changes, sourceId, sourceUrl } of page) {
      if (state !== "written") continue;
      const own = new Map(changes.map((each) => [JSON.stringify([each.field, each.change, each.why]), each]));
      for (const [key, each] of own) {
        const known = found.get(key) ?? { ...each, count: 0, example: { sourceId, sourceUrl } };
        found.set(key, { ...known, count: known.count + 1 });
      }
    }
    if (page.length < resultsPerPage) break;
    after = page.at(-1)?.sourceId ?? null;
  }
  return [...found.values()].toSorted((a, b) => b.count - a.count);
};

/** The field changes of a sample's records, by field and reason, each with an example. */
export const listSampleChanges = async (
  db: Database,
  sealer: Sealer,
  importId: string,
): Promise<readonly StreamChanges[]> => {
  const streams = new Set((await countSample(db, importId)).map(({ stream }) => stream));
  const all: StreamChanges[] = [];
  for (const stream of streams) all.push({ stream, changes: await changesIn(db, sealer, importId, stream) });
  return all.filter(({ changes }) => changes.length > 0);
};
