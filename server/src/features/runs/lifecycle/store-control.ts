import { sql } from "kysely";
import type { Database, Transaction } from "../../../platform/db.ts";
import { forgetRefusals, refusalsNeedYou } from "../../imports/index.ts";
import { soonMs } from "../chunk/store-lease.ts";
import type { ChunkToSend, Refusals, Side, Wanted } from "../run.ts";

/** Why a run can't continue: for programs, and for people. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** Raises the generation of unended partitions, so that each is sent anew: all, or only postponed ones. */
const sendAnew = async (
  tx: Transaction,
  runId: string,
  leaseMs: number,
  /** A partition at work is due within a lease; a postponed one, at least that much later. */
  lateByMs: number | null,
): Promise<readonly ChunkToSend[]> => {
  const { rows } = await sql<ChunkToSend>`
    update partitions set generation = generation + 1, attempts = 0, due_at = now() + ${leaseMs} * interval '1 ms'
    where run_id = ${runId} and state = 'running' and (${lateByMs}::float8 is null
      or due_at > clock_timestamp() + (${leaseMs}::float8 + ${lateByMs}::float8) * interval '1 ms')
    returning run_id, no as partition, generation, 0 as delay_ms`.execute(tx);
  return rows;
};

/**
 * Fails the whole run: all of its partitions settle and end; answers the chunks to send. An undo of an open import
 * never fails: it must continue some day.
 */
export const failRun = (
  db: Database,
  runId: string,
  { code, message }: Failure,
  leaseMs: number,
): Promise<readonly ChunkToSend[]> =>
  db.sql.transaction().execute(async (tx) => {
    const { rows } = await sql<{ isNew: boolean }>`
      update runs r set wanted = 'stop', failure_code = coalesce(failure_code, ${code}),
        failure_message = coalesce(failure_message, ${message.slice(0, 500)})
      from (select id, wanted <> 'stop' as is_new from runs where id = ${runId} and ended_at is null
              and (kind <> 'undo'
                or exists (select 1 from imports i where i.id = import_id and i.closed is not null)) for update) before
      where r.id = before.id returning before.is_new`.execute(tx);
    // A postponed chunk would otherwise notice only when its time has come.
    return rows[0]?.isNew ? sendAnew(tx, runId, leaseMs, soonMs) : [];
  });

/** Sets what is wanted of the live run of an import; answers the chunks to send so that it notices. */
export const wantRun = (
  db: Database,
  importId: string,
  wanted: Wanted,
  leaseMs: number,
): Promise<{ readonly found: boolean; readonly send: readonly ChunkToSend[] }> =>
  db.sql.transaction().execute(async (tx) => {
    const stops = sql`${wanted}::text = 'stop'`;
    const { rows } = await sql<{ id: string; atWork: boolean }>`
      update runs r set wanted = ${wanted}, refusals = null, state = case when ${stops} then 'running' else r.state end,
        waiting_for = case when ${stops} then null else r.waiting_for end,
        waiting_since = case when ${stops} then null else r.waiting_since end
      from (select id, state = 'running' and wanted = 'run' as at_work from runs
            where import_id = ${importId} and ended_at is null and wanted not in ('stop', ${wanted})
              and (kind <> 'undo' or ${wanted}::text = 'run'
                or exists (select 1 from imports i where i.id = import_id and i.closed is not null)) for update) before
      where r.id = before.id returning r.id, before.at_work`.execute(tx);
    const [run] = rows;
    if (!run) return { found: false, send: [] };
    await forgetRefusals(tx, importId);
    // A working attempt notices with the next page; a waiting or paused run has no attempt to notice.
    return { found: true, send: await sendAnew(tx, run.id, leaseMs, run.atWork ? soonMs : null) };
  });

/** Pauses a run that works, and notes why; false: it is to stop, or rests already. */
export const pauseRun = async (tx: Transaction, runId: string, refusals: Refusals): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable("runs")
    .set(({ eb }) => ({
      wanted: "pause",
      refusals: JSON.stringify(refusals),
      refusalPauses: eb("refusalPauses", "+", 1),
    }))
    .where("id", "=", runId)
    .where("endedAt", "is", null)
    .where("wanted", "=", "run")
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

/** After a new sign-in. */
export const resumeWaiting = (
  db: Database,
  importId: string,
  side: Side,
  leaseMs: number,
): Promise<readonly ChunkToSend[]> =>
  db.sql.transaction().execute(async (tx) => {
    const run = await tx
      .updateTable("runs")
      .set({ state: "running", waitingFor: null, waitingSince: null })
      .where("importId", "=", importId)
      .where("state", "=", "waiting")
      .where("waitingFor", "=", side)
      .returning("id")
      .executeTakeFirst();
    return run ? sendAnew(tx, run.id, leaseMs, null) : [];
  });

/** Gives a successor to generations that were silent for too long. Safe to call from several processes at once. */
export const takeOverdue = async (
  db: Database,
  limit: number,
  leaseMs: number,
): Promise<readonly ChunkToSend[]> => {
  const { rows } = await sql<ChunkToSend>`
    update partitions p set generation = p.generation + 1, due_at = now() + ${leaseMs} * interval '1 ms'
    from (select o.run_id, o.no from partitions o join runs r on r.id = o.run_id
          where o.state = 'running' and o.due_at < now() and r.ended_at is null and r.state = 'running'
            and r.wanted <> 'pause' limit ${limit} for update of o skip locked) overdue
    where p.run_id = overdue.run_id and p.no = overdue.no
    returning p.run_id, p.no as partition, p.generation, 0 as delay_ms`.execute(db.sql);
  return rows;
};

/** Runs that have waited too long for a person, or of a closed import, where no sign-in is possible. */
export const listOverlongWaits = async (db: Database, days: number): Promise<readonly string[]> => {
  const { rows } = await sql<{ id: string }>`
    select r.import_id as id from runs r join imports i on i.id = r.import_id
    where r.state = 'waiting' and (i.closed is not null
      or (r.kind <> 'undo' and r.waiting_since < now() - make_interval(days => ${days})))`.execute(db.sql);
  return rows.map(({ id }) => id);
};

/** The imports whose run has been paused for too long. */
export const listForgottenPauses = async (db: Database, days: number): Promise<readonly string[]> => {
  const { rows } = await sql<{ id: string }>`
    select r.import_id as id from runs r
    where r.ended_at is null and r.wanted = 'pause' and r.kind <> 'undo'
      and (select max(a.at) from audit a where a.import_id = r.import_id
           and (a.event ->> 'type' = 'pause_requested' or a.event ->> 'reason' = ${refusalsNeedYou})) < now() - make_interval(days => ${days})`.execute(
    db.sql,
  );
  return rows.map(({ id }) => id);
};
