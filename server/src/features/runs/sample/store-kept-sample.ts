import { sql } from "kysely";
import type { Database } from "../../../platform/db.ts";
import type { RunMapping } from "../chunk/chunk-context.ts";
import type { Lease } from "../chunk/lease.ts";

/**
 * The records of the last sample by stream, if they are those of the next one as well: the customer corrected the matching, and
 * nothing that the choice depends on, neither the selection nor the connection to the source. Then the copies that the correction
 * does not concern stay as they are. Null: choose anew.
 */
export const findKeptSample = async (
  db: Database,
  { importId, runNumber }: Pick<Lease, "importId" | "runNumber">,
  mapping: Pick<RunMapping, "revision" | "choosesLike">,
): Promise<ReadonlyMap<string, number> | null> => {
  const { rows } = await sql<{ revision: number }>`
    select r.mapping_revision as revision from runs r join sample_reviews v on v.import_id = r.import_id
    where r.import_id = ${importId} and r.number = ${runNumber - 1} and r.kind = 'sample' and r.state = 'done'
      and v.coverage is not null and v.work is null
      -- connected again since, the same account may be other files or another part of the tool
      and not exists (select 1 from connections c where c.import_id = ${importId} and c.side = 'source'
        and c.connected_at > r.started_at)
      -- one that the customer added since needs what belongs to it
      and not exists (select 1 from sample_records s where s.import_id = ${importId} and not exists (
        select 1 from sample_results d where d.import_id = ${importId} and d.stream = s.stream
          and d.source_id = s.source_id and d.run_number > 0))`.execute(db.sql);
  const [last] = rows;
  if (!last || last.revision === mapping.revision || !mapping.choosesLike(last.revision)) return null;
  const { rows: counts } = await sql<{ stream: string; count: number }>`
    select stream, count(*)::int as count from sample_records where import_id = ${importId} group by stream`.execute(
    db.sql,
  );
  return counts.length === 0 ? null : new Map(counts.map(({ stream, count }) => [stream, count]));
};
