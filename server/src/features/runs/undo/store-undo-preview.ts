import type { Database } from "../../../platform/db.ts";
import { stateNumber } from "../ledger/row-state.ts";

/** A copy of ours, as it was when written. */
export interface PreviewedCopy {
  readonly sourceId: string;
  readonly destId: string;
  readonly destHash: Buffer | null;
}

interface Where {
  readonly leaf: string;
  readonly importId: string;
  readonly stream: string;
}

/** The ledger's table of an import that was copied; undefined: no run ever began. */
export const findLeaf = async (db: Database, importId: string): Promise<string | undefined> => {
  const { rows } = await db.pool.query<{ leaf: string }>(
    "select ledger_leaf as leaf from runs where import_id = $1 order by number desc limit 1",
    [importId],
  );
  return rows[0]?.leaf;
};

/** The first and the last id of a stream; undefined: it has none. */
export const findRange = async (
  db: Database,
  { leaf, importId, stream }: Where,
): Promise<{ readonly first: string; readonly last: string } | undefined> => {
  const { rows } = await db.pool.query<{ first: string | null; last: string | null }>({
    name: `find-range-${leaf}`,
    text: `select (select source_id from ${leaf} where import_id = $1 and stream = $2 order by source_id limit 1) as first,
             (select source_id from ${leaf} where import_id = $1 and stream = $2 order by source_id desc limit 1) as last`,
    values: [importId, stream],
  });
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
  const { rows } = await db.pool.query<PreviewedCopy>({
    name: `list-copies-at-${leaf}`,
    text: `select distinct on (l.source_id) l.source_id as "sourceId", l.dest_id as "destId", l.dest_hash as "destHash"
           from unnest($3::text[]) u(id), lateral (
             select * from (select * from ${leaf} where import_id = $1 and stream = $2 and source_id >= u.id
               order by source_id limit $4 * 4) n
             where n.state in (${stateNumber("written")}, ${stateNumber("kept")}) and n.dest_id is not null
             order by n.source_id limit $4) l
           order by l.source_id`,
    values: [importId, stream, places, each],
  });
  return rows;
};
