import type { Database } from "../../platform/db.ts";
import { countByKey, countUnreadable, rewrapBatch, type SealedColumn } from "../../platform/sealed-column.ts";
import { forgetOtherKeys, recordCurrentKey } from "../../platform/key-checks.ts";
import type { Sealer } from "../../platform/seal.ts";
import { keyUse, type KeyUse, sealedColumns } from "./sealed-columns.ts";

// Any fixed number: the advisory lock of the one rotation that may run on this database.
const lockKey = 7_067_824_732;
const batch = 500;

export interface Progress {
  readonly what: string;
  readonly done: number;
  readonly of: number;
}

export type Rotated =
  | {
      readonly kind: "rotated";
      readonly count: number;
      /** Values that processes with another current key have encrypted meanwhile. */
      readonly left: readonly KeyUse[];
      /** Values that no key of the ring opens, by what they are. */
      readonly unreadable: readonly { readonly what: string; readonly values: number }[];
    }
  | { readonly kind: "under_way" };

const rotateColumn = async (
  db: Database,
  sealer: Sealer,
  column: SealedColumn,
  onProgress: (progress: Progress) => void,
): Promise<number> => {
  let of = 0;
  for (const [key, values] of await countByKey(db, column)) if (key !== sealer.currentKey) of += values;
  let done = 0;
  let after: readonly string[] | null = null;
  do {
    const { next, count } = await rewrapBatch(db, sealer, column, after, batch);
    done += count;
    after = next;
    if (of > 0) onProgress({ what: column.what, done, of: Math.max(done, of) });
  } while (after !== null);
  return done;
};

/**
 * Re-encrypts all values with the current key. Each batch commits on its own, so the operator can stop the rotation at
 * any time and start it again; values that use the current key already stay untouched.
 */
export const rotateKeys = async (
  db: Database,
  sealer: Sealer,
  onProgress: (progress: Progress) => void,
): Promise<Rotated> => {
  // On its own connection: the session-level lock lasts as long as the connection.
  const guard = await db.pool.connect();
  try {
    const locked = await guard.query<{ free: boolean }>("select pg_try_advisory_lock($1) as free", [lockKey]);
    if (!locked.rows[0]?.free) return { kind: "under_way" };
    let count = 0;
    for (const column of sealedColumns) count += await rotateColumn(db, sealer, column, onProgress);
    // By opening each of them: what names the current key may be sealed with another key of the same id.
    const unreadable: { what: string; values: number }[] = [];
    for (const column of sealedColumns) {
      const values = await countUnreadable(db, sealer, column);
      if (values > 0) unreadable.push({ what: column.what, values });
    }
    // Last, so that it has what other processes encrypted while the values were opened.
    const left = (await keyUse(db)).filter(({ key }) => key !== sealer.currentKey);
    if (left.length === 0 && unreadable.length === 0) {
      await recordCurrentKey(db, sealer);
      await forgetOtherKeys(db, sealer);
    }
    return { kind: "rotated", count, left, unreadable };
  } finally {
    await guard.query("select pg_advisory_unlock($1)", [lockKey]).catch(() => {});
    guard.release();
  }
};
