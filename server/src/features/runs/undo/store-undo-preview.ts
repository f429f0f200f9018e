import { sql } from "kysely";
import type { Database } from "../../../platform/db.ts";
import { keptFromBefore, stateNumber } from "../ledger/row-state.ts";

/** A copy of ours, as it was when written. */
export interface PreviewedCopy {
  readonly sourceId: string;
  readonly destId: string;
  readonly destHash: string | null;
}

interface Where {
  readonly leaf: string;
  readonly importId: string;
  readonly stream: string;
}

/** The ledger's table of an import that was copied; undefined: no run ever began. */
export const findLeaf = async (db: Database, importId: string): Promise<string | undefined> => {
  const run = await db.sql
    .selectFrom("runs")
    .select("ledgerLeaf")
    .where("importId", "=", importId)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  return run?.ledgerLeaf;
};

/** The first and the last id of a stream; undefined: it has none. */
export const findRange = async (
  db: Database,
  { leaf, importId, stream }: Where,
): Promise<{ readonly first: string; readonly last: string } | undefined> => {
  const ids = sql`select source_id from ${sql.table(leaf)} where import_id = ${importId} and stream = ${stream}`;
  const { rows } = await sql<{ first: string | null; last: string | null }>`
    select (${ids} order by source_id limit 1) as first, (${ids} order by source_id desc limit 1) as last`.execute(
    db.sql,
  );
  const { first = null, last = null } = rows[0] ?? {};
  return first === null || last === null ? undefined : { first, last };
};

/** The copies after each of these positions, a few each; the cost does not depend on how many there are. */
export const listCopiesAt = async (
  db: Database,
  { leaf, importId, stream }: Where,
  places: readonly string[],
  each: number,
): Promise<readonly PreviewedCopy[]> => {
  const { rows } = await sql<PreviewedCopy>`
    select distinct on (l.source_id) l.source_id, l.dest_id, encode(l.dest_hash, 'hex') as dest_hash
    from unnest(${places}::text[]) u(id), lateral (
      select * from (select * from ${sql.table(leaf)}
        where import_id = ${importId} and stream = ${stream} and source_id >= u.id
        order by source_id limit ${each * 4}) n
      where n.dest_id is not null and (n.state in (${stateNumber("written")}, ${stateNumber("kept")})
        or (n.state = ${stateNumber("matched")} and n.reason = ${keptFromBefore}))
      order by n.source_id limit ${each}) l
    order by l.source_id`.execute(db.sql);
  return rows;
};
