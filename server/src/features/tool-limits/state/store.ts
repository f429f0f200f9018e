// Hot: workers take the slots of tool calls many times a second.
import type { Database } from "../../../platform/db.ts";

export interface RowKey {
  readonly tool: string;
  /** `instance:…` for the row of an instance as a whole. */
  readonly accountId: string;
}

export interface SlotRow extends RowKey {
  /** Null if there is no row. */
  readonly version: number | null;
  readonly state: unknown;
}

export interface SlotChange extends RowKey {
  /** The version that it was computed from; null if there was no row. */
  readonly from: number | null;
  readonly to: number;
  readonly state: object;
}

/** The rows, with a null version for those that do not exist, and the database's time. */
export const readSlotRows = async (
  db: Database,
  keys: readonly RowKey[],
): Promise<{ rows: readonly SlotRow[]; nowMs: number }> => {
  const { rows } = await db.pool.query<SlotRow & { nowMs: number }>({
    name: "read-slot-rows",
    text: `select key.tool, key.account_id as "accountId", slots.version, slots.state,
             extract(epoch from clock_timestamp())::float8 * 1000 as "nowMs"
           from unnest($1::text[], $2::text[]) as key (tool, account_id)
           left join lateral (select version, state from account_slots
             where tool = key.tool and account_id = key.account_id offset 0) as slots on true`,
    values: [keys.map(({ tool }) => tool), keys.map(({ accountId }) => accountId)],
  });
  return { rows, nowMs: rows[0]?.nowMs ?? Number.NaN };
};

/** The accounts that were used within `minutes`, those used last first; and the database's time. */
export const listSlotRows = async (
  db: Database,
  { minutes, limit }: { readonly minutes: number; readonly limit: number },
): Promise<{ rows: readonly SlotRow[]; nowMs: number }> => {
  const { rows } = await db.pool.query<SlotRow & { nowMs: number }>(
    `select tool, account_id as "accountId", version, state, extract(epoch from clock_timestamp())::float8 * 1000 as "nowMs"
     from account_slots where used_at > now() - ($1::int + 5) * interval '1 minute'
     order by used_at desc limit $2`,
    [minutes, limit],
  );
  return { rows, nowMs: rows[0]?.nowMs ?? Number.NaN };
};

/**
 * Applies the changes whose rows still have the version that was read, or are gone; answers which. Ordered by key, so
 * that two processes that change the same rows never deadlock.
 */
export const changeSlotRows = async (
  db: Database,
  changes: readonly SlotChange[],
): Promise<readonly RowKey[]> => {
  const { rows } = await db.pool.query<RowKey>({
    name: "change-slot-rows",
    text: `insert into account_slots as slots (tool, account_id, version, changed_from, state, changed_at)
           select tool, account_id, version, changed_from, state::json, clock_timestamp()
           from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::text[])
             as change (tool, account_id, version, changed_from, state)
           order by tool, account_id
           on conflict (tool, account_id) do update
             set version = excluded.version, changed_from = excluded.changed_from, state = excluded.state,
               changed_at = excluded.changed_at
             where slots.version = excluded.changed_from
           returning tool, account_id as "accountId"`,
    values: [
      changes.map(({ tool }) => tool),
      changes.map(({ accountId }) => accountId),
      changes.map(({ to }) => to),
      changes.map(({ from }) => from ?? 0),
      changes.map(({ state }) => JSON.stringify(state)),
    ],
  });
  return rows;
};

/** The accounts that were used lately, and the database's time. */
export const readRecentSlotRows = async (
  db: Database,
): Promise<readonly { readonly tool: string; readonly state: unknown; readonly nowMs: number }[]> => {
  const { rows } = await db.pool.query<{ tool: string; state: unknown; nowMs: number }>(
    `select tool, state, extract(epoch from clock_timestamp())::float8 * 1000 as "nowMs" from account_slots
     where used_at > now() - interval '10 minutes' and changed_at > clock_timestamp() - interval '5 minutes'`,
  );
  return rows;
};

/** Deletes accounts unused for a week: what was learned about them may no longer be true. */
export const deleteUnusedAccounts = async (db: Database): Promise<number> => {
  const { rowCount } = await db.pool.query(
    "delete from account_slots where used_at < now() - interval '7 days' and changed_at < now() - interval '7 days'",
  );
  return rowCount ?? 0;
};
