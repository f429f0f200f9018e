// Hot: every partition of a run ends by it, and a small import has thirty.
import { type Database, inTransaction } from "../../../platform/db.ts";
import type { Lease } from "../chunk/lease.ts";
import type { ChunkToSend } from "../run.ts";
import { type Ending, endPartitionInSteps, type PartitionEnd } from "./store-runs.ts";

interface EndedRow {
  readonly ended: boolean;
  readonly othersRun: boolean;
  readonly next: number | null;
  readonly started: readonly ChunkToSend[];
}

/**
 * Ends a partition and starts the next step, in one statement. `besideOthers`: also if others of its step are at work; the
 * caller then holds the lock of the run's row, since the statement sees the others as they were when it began.
 */
const endAndStart = async (
  client: Pick<Database["pool"], "query">,
  { runId, partition, token }: Lease,
  { tallies, leaseMs }: Pick<Ending, "tallies" | "leaseMs">,
  besideOthers: boolean,
): Promise<EndedRow> => {
  const { rows } = await client.query<EndedRow>({
    name: "end-partition",
    text: `with run as materialized (select id from runs where id = $1 for update),
           others as materialized (
             select coalesce(bool_or(state = 'running'), false) as run, min(step) filter (where state = 'waiting') as next
             from partitions where run_id = $1 and no <> $2 and state in ('running', 'waiting')),
           ended as (
             update partitions p set state = 'done', ended_at = now(), due_at = null, tallies = coalesce($4::jsonb, p.tallies)
             from run, others where p.run_id = run.id and p.no = $2 and is_held(p.lease_token, $3) and p.state = 'running'
               and p.batch_ids is null and ($5 or not others.run)
             returning p.run_id),
           started as (
             update partitions p set state = 'running', started_at = now(), due_at = now() + $6 * interval '1 ms'
             from ended, others where p.run_id = ended.run_id and p.step = others.next and not others.run
             returning p.no, p.generation, p.task, p.stream),
           stepped as (
             update runs r set step = others.next from ended, others
             where r.id = ended.run_id and others.next is not null and not others.run)
           select exists (select from ended) as ended, run as "othersRun", next,
             coalesce((select json_agg(json_build_object('runId', $1::text, 'partition', no, 'generation', generation, 'delayMs', 0,
               'begins', json_build_object('task', task, 'stream', stream))
               order by no) from started), '[]') as started
           from others`,
    values: [runId, partition, token, tallies ? JSON.stringify(tallies) : null, besideOthers, leaseMs],
  });
  return rows[0] as EndedRow;
};

const endOf = ({ ended, othersRun, next, started }: EndedRow): PartitionEnd => {
  if (!ended) return { kind: "fenced" };
  return next === null && !othersRun ? { kind: "last" } : { kind: "goes_on", send: started };
};

/**
 * Ends a partition, and starts the next step if it was the last of its own. Locks the run's row first: of two that end
 * at the same time, the second sees the first.
 */
export const endPartition = async (db: Database, lease: Lease, ending: Ending): Promise<PartitionEnd> => {
  const { as, plan = [] } = ending;
  if (as === "stopped" || plan.length > 0 || lease.task === "choose")
    return endPartitionInSteps(db, lease, ending);
  if (!lease.isBesideOthers) {
    // Alone in its step, it has no other to see.
    const row = await endAndStart(db.pool, lease, ending, false);
    if (row.ended || !row.othersRun) return endOf(row);
  }
  return inTransaction(db, async (client) => {
    await client.query({
      name: "lock-run",
      text: "select from runs where id = $1 for update",
      values: [lease.runId],
    });
    return endOf(await endAndStart(client, lease, ending, true));
  });
};
