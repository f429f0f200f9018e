import { sql } from "kysely";
import type { Database } from "../../platform/db.ts";
import type { RunCause, RunKind, Side } from "../imports/index.ts";

/** The effects that the dispatcher passes to runs. Partner events and refunds have readers of their own. */
export type WorkEffect =
  | { readonly kind: "start_run"; readonly run: RunKind; readonly causes?: readonly RunCause[] }
  | { readonly kind: "stop_run" }
  | { readonly kind: "resume_run"; readonly side: Side }
  | { readonly kind: "pause_run" | "unpause_run" }
  | { readonly kind: "start_after_preflight"; readonly planned?: true };

export interface WaitingEffect {
  readonly id: number;
  readonly importId: string;
  readonly effect: WorkEffect;
  /** The trace of the request that caused it; null: it was not traced. */
  readonly trace: string | null;
}

export interface Take {
  readonly limit: number;
  /** Imports to skip: their effects keep waiting. */
  readonly exceptImports: readonly string[];
}

/** Far above `limit`: the window also holds later effects of imports whose first effect another worker holds. */
const lookAhead = 1_000;

/**
 * Passes the oldest waiting effect of each of up to `limit` imports to `dispatch` and marks those that it dispatched.
 * Row locks keep other workers away meanwhile. An import's effects stay in order: if the window has one of them, it has
 * all before it. After a crash the effects still wait: delivery is at least once. Returns how many there were.
 */
export const takeWaiting = (
  db: Database,
  { limit, exceptImports }: Take,
  dispatch: (waiting: readonly WaitingEffect[]) => Promise<readonly number[]>,
): Promise<number> =>
  db.sql.transaction().execute(async (tx) => {
    // Select by state, never by "after the last id": ids become visible out of order.
    // The first conditions match the index; selective ones come after the limit, or the planner sorts all rows.
    const { rows } = await sql<WaitingEffect>`
      with in_sight as materialized (
        select id, import_id, effect ->> 'kind' as kind from outbox
        where dispatched_at is null and effect ->> 'kind' <> 'notify' and effect ->> 'kind' <> 'refund'
          and import_id <> all(${exceptImports}::text[])
        order by id limit ${lookAhead}
      ), first as (
        select min(id) as id from in_sight
        where kind in ('start_run', 'stop_run', 'resume_run', 'pause_run', 'unpause_run',
          'start_after_preflight') group by import_id
      )
      select o.id, o.import_id, o.effect, o.trace from outbox o
      where o.id = any(array(select id from first)) and o.dispatched_at is null
      order by o.id limit ${limit} for update skip locked`.execute(tx);
    if (rows.length === 0) return 0;
    const dispatched = await dispatch(rows);
    if (dispatched.length > 0)
      await tx
        .updateTable("outbox")
        .set({ dispatchedAt: sql`now()` })
        .where("id", "in", dispatched.map(String))
        .execute();
    return rows.length;
  });

/** How long an import's effect of this kind has been waiting for its dispatch; null: none waits. */
export const waitingForMs = async (
  db: Database,
  importId: string,
  kind: WorkEffect["kind"],
): Promise<number | null> => {
  const { rows } = await sql<{ ms: number | null }>`
    select extract(epoch from now() - min(created_at))::float8 * 1000 as ms from outbox
    where dispatched_at is null and effect ->> 'kind' <> 'notify' and import_id = ${importId}
      and effect ->> 'kind' = ${kind}`.execute(db.sql);
  return rows[0]?.ms ?? null;
};

/** Deletes effects that were dispatched this many days ago. */
export const deleteDispatched = async (db: Database, days: number): Promise<number> => {
  const deleted = await db.sql
    .deleteFrom("outbox")
    .where("dispatchedAt", "<", sql<Date>`now() - ${days} * interval '1 day'`)
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
};
