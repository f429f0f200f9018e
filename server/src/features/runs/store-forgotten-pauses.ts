import type { Database } from "../../platform/db.ts";

/** The imports whose run has been paused for longer than anybody should be waited for. */
export const listForgottenPauses = async (db: Database, days: number): Promise<readonly string[]> => {
  const { rows } = await db.pool.query<{ id: string }>(
    `select r.import_id as id from runs r
     where r.ended_at is null and r.wanted = 'pause' and r.kind <> 'undo'
       and (select max(a.at) from audit a where a.import_id = r.import_id
            and a.event ->> 'type' = 'pause_requested') < now() - make_interval(days => $1)`,
    [days],
  );
  return rows.map(({ id }) => id);
};
