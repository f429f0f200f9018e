import { sql } from "kysely";
import type { Database } from "../../../platform/db.ts";

/** What the last undo did to a stream. */
export interface UndoneStream {
  readonly stream: string;
  readonly removed: number;
  readonly kept: number;
  readonly failed: number;
}

export interface UndoneRun {
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly streams: readonly UndoneStream[];
}

/** The last completed undo; undefined: there was none. */
export const findUndoneRun = async (db: Database, importId: string): Promise<UndoneRun | undefined> => {
  const { rows } = await sql<Omit<UndoneRun, "streams"> & { streams: UndoneStream[] | null }>`
    select r.started_at, r.ended_at,
      (select json_agg(json_build_object('stream', s.stream, 'removed', s.removed, 'kept', s.kept, 'failed', s.failed)
         order by s.step)
       from (select p.stream, min(p.step) as step, sum(p.removed) as removed, sum(p.kept) as kept,
               sum(p.failed) as failed
             from partitions p where p.run_id = r.id and p.task = 'remove' group by p.stream) s) as streams
    from runs r where r.import_id = ${importId} and r.kind = 'undo' and r.state = 'done'
    order by r.number desc limit 1`.execute(db.sql);
  const [run] = rows;
  return run && { ...run, streams: run.streams ?? [] };
};
