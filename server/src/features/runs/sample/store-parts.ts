import { sql } from "kysely";
import type { Database } from "../../../platform/db.ts";
import { stateName } from "../ledger/row-state.ts";

/** How many parts of one kind a record of the sample has: its comments, its files and those of its comments. */
export interface SamplePart {
  readonly stream: string;
  readonly records: number;
  /** How many of those are not in the destination. */
  readonly missing: number;
}

interface PartRow {
  readonly root: string;
  readonly stream: string;
  readonly state: number;
  readonly records: number;
}

const isThere = (state: number) => ["written", "matched"].includes(stateName(state));

/** The parts of these records of a stream, by their ids. A sample is small: counts all of them. */
export const countParts = async (
  db: Database,
  importId: string,
  stream: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly SamplePart[]>> => {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<PartRow>`
    with recursive parts as (
      select r.parent_id as root, r.stream, r.source_id, r.state from sample_results r
      where r.import_id = ${importId} and r.parent_stream = ${stream} and r.parent_id = any(${ids})
      union all
      select p.root, r.stream, r.source_id, r.state from parts p
      join sample_results r on r.import_id = ${importId} and r.parent_stream = p.stream and r.parent_id = p.source_id
      where p.stream <> ${stream})
    select root, stream, state, count(*)::int as records from parts group by 1, 2, 3 order by 1, 2, 3`.execute(
    db.sql,
  );
  const found = new Map<string, Map<string, SamplePart>>();
  for (const { root, stream: name, state, records } of rows) {
    const parts = found.get(root) ?? new Map<string, SamplePart>();
    found.set(root, parts);
    const known = parts.get(name) ?? { stream: name, records: 0, missing: 0 };
    const missing = known.missing + (isThere(state) ? 0 : records);
    parts.set(name, { stream: name, records: known.records + records, missing });
  }
  return new Map([...found].map(([root, parts]) => [root, [...parts.values()]]));
};
