import { sql } from "kysely";
import type { Database } from "../../platform/db.ts";
import type { RunKind, Side } from "../imports/index.ts";

/** The effects that runs are told of. What partners are told, and money, have readers of their own. */
export type WorkEffect =
  | { readonly kind: "start_run"; readonly run: RunKind }
  | { readonly kind: "stop_run" }
  | { readonly kind: "resume_run"; readonly side: Side }
  | { readonly kind: "pause_run" | "unpause_run" }
  | { readonly kind: "start_after_preflight" };

export interface Waiting {
  readonly id: number;
  readonly importId: string;
  readonly effect: WorkEffect;
}

export interface Take {
  readonly limit: number;
  /** Imports whose effects are to wait on. */
  readonly exceptImports: readonly string[];
}

/** Many more than are taken at once: later effects of imports whose first is held by another worker are among them. */
const lookAhead = 1_000;

/**
 * Hands over the oldest waiting effect of each of up to `limit` imports, and writes down which of them were dispatched.
 * They are locked meanwhile, so that no other worker has them. An import's effects are never out of order: where one of
 * them is in sight, all before it are. A crash in between leaves them waiting: at least once. Answers how many there were.
 */
export const takeWaiting = (
  db: Database,
  { limit, exceptImports }: Take,
  dispatch: (waiting: readonly Waiting[]) => Promise<readonly number[]>,
): Promise<number> =>
  db.sql.transaction().execute(async (tx) => {
    // By what waits, never by "after the last id": ids become visible out of order.
    // The first condition is the index's; what leaves little over comes after the limit, or the planner sorts them all.
    const { rows } = await sql<Waiting>`
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
      select o.id, o.import_id, o.effect from outbox o
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

/** How long an import's effect of this kind has been waiting to be dispatched; null: none is. */
export const waitingForMs = async (
  db: Database,
  importId: string,
  kind: WorkEffect["kind"],
): Promise<number | null> => {
  const { rows } = await db.pool.query<{ ms: number }>(
    `select extract(epoch from now() - min(created_at))::float8 * 1000 as ms from outbox
     where dispatched_at is null and effect ->> 'kind' <> 'notify' and import_id = $1 and effect ->> 'kind' = $2`,
    [importId, kind],
  );
  return rows[0]?.ms ?? null;
};
