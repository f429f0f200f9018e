import type { Database } from "../../platform/db.ts";

/** Schedules the next poll of a checkout unless it has ended. */
export const putOffLook = async (db: Database, id: string, pauseMs: number): Promise<void> => {
  await db.pool.query(
    `update checkouts set next_look_at = now() + $2 * interval '1 millisecond'
     where id = $1 and next_look_at is not null`,
    [id, Math.round(pauseMs)],
  );
};

/** Expires a checkout without a payment page: no customer can have paid it. False: another process was faster. */
export const giveUpOpening = async (db: Database, id: string): Promise<boolean> => {
  const { rowCount } = await db.pool.query(
    `update checkouts set state = 'expired', next_look_at = null
     where id = $1 and state = 'opening' and reference is null`,
    [id],
  );
  return rowCount === 1;
};
