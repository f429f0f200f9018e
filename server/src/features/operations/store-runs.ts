import { sql } from "kysely";
import type { Database } from "../../platform/db.ts";

/** A part of a run as the database knows it; times by the database's clock. */
export interface PartitionState {
  readonly no: number;
  readonly step: number;
  readonly task: string;
  readonly stream: string;
  readonly state: string;
  readonly expected: number | null;
  readonly read: number;
  readonly created: number;
  readonly updated: number;
  readonly matched: number;
  readonly skipped: number;
  readonly failed: number;
  readonly removed: number;
  readonly kept: number;
  /** Attempts since it last moved, and chunks in a row that got nowhere. */
  readonly attempts: number;
  readonly failures: number;
  readonly failingSince: string | null;
  /** Where it reads on, shortened. */
  readonly position: string | null;
  /** Seconds until its lease ends; negative: it is over. */
  readonly leaseSeconds: number | null;
  readonly progressAt: string | null;
  /** Since when a batch of writes is in doubt. */
  readonly inDoubtSince: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

export interface RunDetails {
  readonly id: string;
  readonly number: number;
  readonly kind: string;
  readonly state: string;
  readonly wanted: string;
  readonly waitingFor: string | null;
  readonly waitingSince: Date | null;
  readonly refusals: unknown;
  readonly causes: unknown;
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  /** Null: too old to be listed. */
  readonly partitions: readonly PartitionState[] | null;
}

const maxRuns = 20;
/** Older runs are listed without their partitions. */
const runsWithPartitions = 3;
const longestPosition = 200;

/** The runs of an import, newest first. */
export const listRuns = async (db: Database, importId: string): Promise<readonly RunDetails[]> => {
  const { rows } = await sql<RunDetails>`
    select r.id, r.number, r.kind, r.state, r.wanted, r.waiting_for, r.waiting_since, r.refusals, r.causes,
      r.failure_code, r.failure_message, r.started_at, r.ended_at,
      case when r.position <= ${runsWithPartitions} then coalesce((
        select json_agg(json_build_object('no', p.no, 'step', p.step, 'task', p.task, 'stream', p.stream,
          'state', p.state, 'expected', p.expected, 'read', p.read, 'created', p.created, 'updated', p.updated,
          'matched', p.matched, 'skipped', p.skipped, 'failed', p.failed, 'removed', p.removed, 'kept', p.kept,
          'attempts', p.attempts, 'failures', p.failures, 'failingSince', p.failing_since,
          'position', left(p.cursor::text, ${longestPosition}),
          'leaseSeconds', round(extract(epoch from p.due_at - now())), 'progressAt', p.mark_at,
          'inDoubtSince', case when p.batch_ids is not null then p.batch_since end,
          'startedAt', p.started_at, 'endedAt', p.ended_at) order by p.no)
        from partitions p where p.run_id = r.id), '[]') end as partitions
    from (select runs.*, row_number() over (order by number desc) as position from runs
          where import_id = ${importId} order by number desc limit ${maxRuns}) r
    order by r.number desc`.execute(db.sql);
  return rows;
};
