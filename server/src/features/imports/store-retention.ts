import type { Database } from "../../platform/db.ts";
import { signInKeptDays } from "./erase-finished.ts";
import type { Side } from "./state.ts";

const dayMs = 24 * 3_600_000;

/** When each side's sign-in will be erased. Null: not yet certain, or there is none. */
export const signInsErasedAt = async (
  db: Database,
  importId: string,
): Promise<Readonly<Record<Side, Date | null>>> => {
  const { rows } = await db.pool.query<{ side: Side; since: Date }>(
    `select c.side, greatest(c.connected_at,
       (select max(a.at) from audit a where a.import_id = i.id and a.to_status = 'migration_completed'
        and a.from_status <> 'migration_completed')) as since
     from connections c join imports i on i.id = c.import_id
     where c.import_id = $1 and c.settings is not null and i.status = 'migration_completed' and i.closed is null`,
    [importId],
  );
  const at = (side: Side) => {
    const since = rows.find((row) => row.side === side)?.since;
    return since ? new Date(since.getTime() + signInKeptDays[side] * dayMs) : null;
  };
  return { source: at("source"), destination: at("destination") };
};
