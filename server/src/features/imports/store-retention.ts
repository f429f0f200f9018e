import { sql } from "kysely";
import type { Database, Transaction } from "../../platform/db.ts";
import { signInKeptDays } from "./erase-finished.ts";
import type { Side } from "./state.ts";

const dayMs = 24 * 3_600_000;

/** When each side's sign-in will be erased. Null: not yet certain, or there is none. */
export const signInsErasedAt = async (
  db: Database,
  importId: string,
): Promise<Readonly<Record<Side, Date | null>>> => {
  const { rows } = await sql<{ side: Side; since: Date }>`
    select c.side, greatest(c.connected_at,
      (select max(a.at) from audit a where a.import_id = i.id and a.to_status = 'migration_completed'
       and a.from_status <> 'migration_completed')) as since
    from connections c join imports i on i.id = c.import_id
    where c.import_id = ${importId} and c.settings is not null and i.status = 'migration_completed'
      and i.closed is null`.execute(db.sql);
  const at = (side: Side) => {
    const since = rows.find((row) => row.side === side)?.since;
    return since ? new Date(since.getTime() + signInKeptDays[side] * dayMs) : null;
  };
  return { source: at("source"), destination: at("destination") };
};

/** When the oldest import was created; null: there is none. */
export const firstImportAt = async (db: Database): Promise<Date | null> => {
  const first = await db.sql
    .selectFrom("imports")
    .select("createdAt")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return first?.createdAt ?? null;
};

/** Open imports without a live run, idle for their partner's retention period. */
const idleImports = (on: Database["sql"]) =>
  on
    .selectFrom("imports")
    .innerJoin("partners", "partners.id", "imports.partnerId")
    .select("imports.id")
    .where("imports.closed", "is", null)
    .where("imports.liveRun", "is", null)
    // It is going to start.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("scheduledStarts")
            .select("scheduledStarts.importId")
            .whereRef("scheduledStarts.importId", "=", "imports.id")
            .where("scheduledStarts.state", "<>", "missed"),
        ),
      ),
    )
    .where("imports.activeAt", "<", sql<Date>`now() - make_interval(days => partners.archive_after_days)`);

export const listIdleImports = async (db: Database, limit: number): Promise<readonly string[]> => {
  const rows = await idleImports(db.sql)
    .orderBy("imports.activeAt")
    .orderBy("imports.id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
};

/** Of one import, under its lock. */
export const isIdle = async (tx: Transaction, importId: string): Promise<boolean> =>
  (await idleImports(tx).where("imports.id", "=", importId).executeTakeFirst()) !== undefined;
