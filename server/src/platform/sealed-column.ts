import type { Database } from "./db.ts";
import { SealError, type Sealer, sealedBy } from "./seal.ts";

/** Describes a column whose values a key of the operator's ring seals: key rotation must cover it. */
export interface SealedColumn {
  /** The content of the column, for the operator. */
  readonly what: string;
  readonly table: string;
  readonly column: string;
  /** The primary key; all its columns are text. */
  readonly key: readonly [string, ...string[]];
  /** The context that a row's value is sealed with. */
  about(key: readonly string[]): string;
}

/** Counts the values that each key seals. */
export const countByKey = async (
  db: Database,
  { table, column }: SealedColumn,
): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await db.pool.query<{ key: string; count: number }>(
    `select encode(substr(${column}, 2, get_byte(${column}, 0)), 'escape') as key, count(*) as count
     from ${table} where length(${column}) > 0 group by 1 order by 1`,
  );
  return new Map(rows.map(({ key, count }) => [key, count]));
};

/** Counts the values that the ring can't open, whatever key they name. */
export const countUnreadable = async (
  db: Database,
  sealer: Sealer,
  { table, column, key, about }: SealedColumn,
): Promise<number> => {
  const limit = 1_000;
  const keyList = key.join(", ");
  let unreadable = 0;
  let after: readonly string[] = [];
  for (;;) {
    const from =
      after.length === 0 ? "" : `and (${keyList}) > (${key.map((_, i) => `$${i + 2}`).join(", ")})`;
    const { rows } = await db.pool.query<Record<string, string> & { sealed: Buffer }>(
      `select ${keyList}, ${column} as sealed from ${table}
       where length(${column}) > 0 ${from} order by ${keyList} limit $1`,
      [limit, ...after],
    );
    for (const row of rows) {
      after = key.map((name) => row[name] ?? "");
      try {
        sealer.openAlone(about(after), row.sealed);
      } catch (error) {
        if (!(error instanceof SealError)) throw error;
        unreadable += 1;
      }
    }
    if (rows.length < limit) return unreadable;
  }
};

export interface Rewrapped {
  /** The cursor of the next batch; null at the end. */
  readonly next: readonly string[] | null;
  readonly count: number;
}

/**
 * Re-seals the next batch of values of other keys with the current key, in primary key order. A value that another
 * process changes meanwhile stays as that process wrote it.
 */
export const rewrapBatch = async (
  db: Database,
  sealer: Sealer,
  { table, column, key, about }: SealedColumn,
  after: readonly string[] | null,
  limit: number,
): Promise<Rewrapped> => {
  const current = sealedBy(sealer.currentKey);
  const keyList = key.join(", ");
  const from = after === null ? "" : `and (${keyList}) > (${key.map((_, i) => `$${i + 3}`).join(", ")})`;
  const { rows } = await db.pool.query<Record<string, string> & { sealed: Buffer }>(
    `select ${keyList}, ${column} as sealed from ${table}
     where length(${column}) > 0 and substring(${column} from 1 for ${current.length}) <> $1 ${from}
     order by ${keyList} limit $2`,
    [current, limit, ...(after ?? [])],
  );
  if (rows.length === 0) return { next: null, count: 0 };
  const keys = rows.map((row) => key.map((name) => row[name] ?? ""));
  const changed = await db.pool.query(
    `update ${table} t set ${column} = n.fresh
     from unnest($1::bytea[], $2::bytea[], ${key.map((_, i) => `$${i + 3}::text[]`).join(", ")})
       as n (sealed, fresh, ${keyList})
     where ${key.map((name) => `t.${name} = n.${name}`).join(" and ")} and t.${column} = n.sealed`,
    [
      rows.map(({ sealed }) => sealed),
      rows.map(({ sealed }, index) => sealer.rewrap(about(keys[index] ?? []), sealed)),
      ...key.map((_, i) => keys.map((each) => each[i])),
    ],
  );
  return { next: rows.length < limit ? null : (keys.at(-1) ?? null), count: changed.rowCount ?? 0 };
};
