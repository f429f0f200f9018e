import type { PoolClient } from "pg";
import { sql } from "kysely";
import { type Database, inTransaction, type Transaction } from "../../../platform/db.ts";
import { newId } from "../../../platform/ids.ts";
import type { Lease, Tallies } from "../chunk/lease.ts";
import type { ChunkToSend, NewPartition, RunKind, Side } from "../run.ts";

export interface NewRun {
  readonly importId: string;
  readonly kind: RunKind;
  readonly outboxId: number;
  readonly leaf: string;
  readonly since: Date | null;
  readonly leaseMs: number;
}

/** Creates a run with its first partition, once per effect that asks for it. */
export const insertRun = (db: Database, run: NewRun): Promise<readonly ChunkToSend[]> =>
  inTransaction(db, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `insert into runs (id, import_id, number, kind, outbox_id, ledger_leaf, since)
       select $1, $2, coalesce(max(number), 0) + 1, $3, $4, $5, $6 from runs where import_id = $2
       on conflict (outbox_id) do nothing returning id`,
      [newId("run"), run.importId, run.kind, run.outboxId, run.leaf, run.since],
    );
    const [made] = rows;
    if (made)
      await client.query(
        `insert into partitions (run_id, no, import_id, step, task, state, due_at, started_at)
         values ($1, 0, $2, 0, 'prepare', 'running', now() + $3 * interval '1 ms', now())`,
        [made.id, run.importId, run.leaseMs],
      );
    // A repeated effect sends the first chunk twice; its idempotency key makes it one.
    const { rows: first } = await client.query<ChunkToSend>(
      `select p.run_id as "runId", p.no as partition, p.generation, 0 as "delayMs" from partitions p
       join runs r on r.id = p.run_id where r.outbox_id = $1 and p.no = 0 and p.state = 'running'`,
      [run.outboxId],
    );
    return first;
  });

/** The last run of an import whose sweep counted the source. */
export const lastSweep = async (db: Database, importId: string): Promise<number | null> => {
  const { rows } = await db.pool.query<{ number: number | null }>(
    `select max(number)::int as number from runs where import_id = $1 and kind in ('full', 'delta') and state = 'done'`,
    [importId],
  );
  return rows[0]?.number ?? null;
};

/** The start of the last run that saw everything. */
export const lastSeenAt = async (db: Database, importId: string): Promise<Date | null> => {
  const { rows } = await db.pool.query<{ at: Date | null }>(
    `select max(started_at) as at from runs where import_id = $1 and kind in ('full', 'delta') and state = 'done'`,
    [importId],
  );
  return rows[0]?.at ?? null;
};

export const lastFullDoneAt = async (db: Database, importId: string): Promise<Date | null> => {
  const { rows } = await db.pool.query<{ at: Date | null }>(
    "select max(ended_at) as at from runs where import_id = $1 and kind = 'full' and state = 'done'",
    [importId],
  );
  return rows[0]?.at ?? null;
};

export type PartitionEnd =
  | { readonly kind: "fenced" }
  | { readonly kind: "goes_on"; readonly send: readonly ChunkToSend[] }
  /** No partition is left: the run has ended. */
  | { readonly kind: "last" };

const insertPartitions = (client: PoolClient, lease: Lease, plan: readonly NewPartition[]) =>
  client.query(
    `insert into partitions (run_id, no, import_id, step, task, stream, slice, expected)
     select $1, u.no::int, $2, u.step, u.task, u.stream, u.slice, u.expected
     from unnest($3::int[], $4::text[], $5::text[], $6::jsonb[], $7::bigint[]) with ordinality
       u(step, task, stream, slice, expected, no)`,
    [
      lease.runId,
      lease.importId,
      plan.map(({ step }) => step),
      plan.map(({ task }) => task),
      plan.map(({ stream }) => stream),
      plan.map(({ slice }) => (slice === null ? null : JSON.stringify(slice))),
      plan.map(({ expected }) => expected),
    ],
  );

/**
 * Ends a partition, and starts the next step if it was the last of its own. Locks the run's row first: of two that end
 * at the same time, the second sees the first.
 */
export const endPartition = (
  db: Database,
  lease: Lease,
  {
    as,
    plan = [],
    tallies,
    leaseMs,
  }: {
    as: "done" | "stopped";
    plan?: readonly NewPartition[] | undefined;
    /** Replaces its tallies; absent: they stay. */
    tallies?: Tallies | undefined;
    leaseMs: number;
  },
): Promise<PartitionEnd> =>
  inTransaction(db, async (client): Promise<PartitionEnd> => {
    await client.query("select 1 from runs where id = $1 for update", [lease.runId]);
    const ended = await client.query(
      `update partitions set state = $4, ended_at = now(), due_at = null, tallies = coalesce($5::jsonb, tallies)
       where run_id = $1 and no = $2 and epoch = $3 and state = 'running' and batch_ids is null`,
      [lease.runId, lease.partition, lease.epoch, as, tallies ? JSON.stringify(tallies) : null],
    );
    if (ended.rowCount !== 1) return { kind: "fenced" };
    if (as === "stopped")
      await client.query(
        "update partitions set state = 'stopped', ended_at = now() where run_id = $1 and state = 'waiting'",
        [lease.runId],
      );
    else if (plan.length > 0) await insertPartitions(client, lease, plan);
    // After the choice the number of records is known.
    else if (lease.task === "choose")
      await client.query(
        `update partitions p set expected = (select count(*) from sample_records s
           where s.import_id = p.import_id and s.stream = p.stream)
         where p.run_id = $1 and p.task in ('copy', 'verify')`,
        [lease.runId],
      );
    const { rows } = await client.query<{ running: boolean; next: number | null }>(
      `select coalesce(bool_or(state = 'running'), false) as running, min(step) filter (where state = 'waiting') as next
       from partitions where run_id = $1 and state in ('running', 'waiting')`,
      [lease.runId],
    );
    const { running = false, next = null } = rows[0] ?? {};
    if (running) return { kind: "goes_on", send: [] };
    if (next === null) return { kind: "last" };
    const started = await client.query<ChunkToSend>(
      `update partitions set state = 'running', started_at = now(), due_at = now() + $3 * interval '1 ms'
       where run_id = $1 and step = $2 returning run_id as "runId", no as partition, generation, 0 as "delayMs"`,
      [lease.runId, next, leaseMs],
    );
    await client.query("update runs set step = $2 where id = $1", [lease.runId, next]);
    return { kind: "goes_on", send: started.rows };
  });

/** A person must sign in again: the run waits here, with nothing in the engine. */
export const waitForPerson = async (tx: Transaction, runId: string, side: Side): Promise<void> => {
  await tx
    .updateTable("runs")
    .set({ state: "waiting", waitingFor: side, waitingSince: sql`now()` })
    .where("id", "=", runId)
    .where("state", "=", "running")
    .where("wanted", "<>", "stop")
    .execute();
};

/** Only the first partition decides which mapping a run uses. */
export const setMappingRevision = async (db: Database, lease: Lease, revision: number): Promise<void> => {
  await db.pool.query(
    `update runs r set mapping_revision = $4 from partitions p
     where r.id = $1 and p.run_id = r.id and p.no = $2 and p.epoch = $3 and p.state = 'running'`,
    [lease.runId, lease.partition, lease.epoch, revision],
  );
};
