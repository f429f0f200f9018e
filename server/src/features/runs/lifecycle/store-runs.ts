import { sql } from "kysely";
import type { Database, Transaction } from "../../../platform/db.ts";
import { newId } from "../../../platform/ids.ts";
import type { Lease, Tallies } from "../chunk/lease.ts";
import type { ChunkToSend, NewPartition, RunCause, RunKind, Side } from "../run.ts";

export interface NewRun {
  readonly importId: string;
  readonly kind: RunKind;
  readonly causes: readonly RunCause[] | null;
  readonly outboxId: number;
  readonly leaf: string;
  readonly since: Date | null;
  readonly leaseMs: number;
}

/**
 * Whether lost runs of the import may have written records: from before the loss until a run has covered everything. An
 * import may seem younger than the loss, because the clocks of two servers differ.
 */
const looksFrom = sql`case
  when s.no = 1 then null
  when last.number is null then case when i.created_at < s.recognized_at + interval '10 minutes' then 1 end
  when last.server < s.no then last.number
  when last.state = 'done' and last.kind in ('full', 'delta') then null
  else last.looks_from end`;

export interface InsertedRun {
  /** Null: an earlier dispatch of the effect created the run. */
  readonly runId: string | null;
  readonly send: readonly ChunkToSend[];
}

/** Creates a run with its first partition, once per effect that asks for it. */
export const insertRun = (db: Database, run: NewRun): Promise<InsertedRun> =>
  db.sql.transaction().execute(async (tx) => {
    const { importId, kind, causes, outboxId, leaf, since, leaseMs } = run;
    const { rows } = await sql<{ id: string }>`
      insert into runs (id, import_id, number, kind, causes, outbox_id, ledger_leaf, since, server, looks_from)
      select ${newId("run")}, i.id, coalesce(last.number, 0) + 1, ${kind}, ${causes && JSON.stringify(causes)}::jsonb,
        ${outboxId}, ${leaf}, ${since}, s.no, ${looksFrom}
      from imports i
      cross join (select no, recognized_at from database_servers order by no desc limit 1) s
      left join lateral (select * from runs r where r.import_id = i.id order by r.number desc limit 1) last on true
      where i.id = ${importId}
      on conflict (outbox_id) do nothing returning id`.execute(tx);
    const [made] = rows;
    if (made)
      await sql`
        insert into partitions (run_id, no, import_id, step, task, state, due_at, started_at)
        values (${made.id}, 0, ${importId}, 0, 'prepare', 'running', now() + ${leaseMs} * interval '1 ms', now())`.execute(
        tx,
      );
    // A repeated effect sends the first chunk twice; its idempotency key makes it one.
    const { rows: send } = await sql<ChunkToSend>`
      select p.run_id, p.no as partition, p.generation, 0 as delay_ms from partitions p
      join runs r on r.id = p.run_id where r.outbox_id = ${outboxId} and p.no = 0 and p.state = 'running'`.execute(
      tx,
    );
    return { runId: made?.id ?? null, send };
  });

/** What a retry is limited to, and how many records had each cause at the end of the run before it. */
export interface LimitedRetry {
  readonly causes: readonly RunCause[];
  readonly found: readonly (RunCause & { readonly count: number })[];
}

/** Null: the run takes up everything that failed. */
export const findLimits = async (db: Database, runId: string): Promise<LimitedRetry | null> => {
  const { rows } = await sql<LimitedRetry>`
    select r.causes, coalesce(i.findings, '[]') as found
    from runs r join imports i on i.id = r.import_id where r.id = ${runId} and r.causes is not null`.execute(
    db.sql,
  );
  return rows[0] ?? null;
};

/** The last run of an import whose sweep counted the source, and the streams that it swept. */
export const lastSweep = async (
  db: Database,
  importId: string,
): Promise<{ readonly number: number; readonly streams: readonly string[] } | null> => {
  const { rows } = await sql<{ number: number; streams: readonly string[] }>`
    select r.number, array(select distinct p.stream from partitions p where p.run_id = r.id and p.task = 'sweep') as streams
    from runs r where r.import_id = ${importId} and r.kind in ('full', 'delta') and r.state = 'done'
    order by r.number desc limit 1`.execute(db.sql);
  return rows[0] ?? null;
};

/** The revision of the mapping that a run used; undefined: there is no such run. */
export const findRunRevision = async (db: Database, runId: string): Promise<number | undefined> => {
  const row = await db.sql
    .selectFrom("runs")
    .select("mappingRevision")
    .where("id", "=", runId)
    .executeTakeFirst();
  return row?.mappingRevision;
};

/**
 * The revision of the mapping that the last finished run before this one used, of those that look at people who did not change: a
 * delta does not. Null: there is none.
 */
export const revisionBefore = async (
  db: Database,
  { importId, runNumber }: Pick<Lease, "importId" | "runNumber">,
): Promise<number | null> => {
  const { rows } = await sql<{ revision: number }>`
    select mapping_revision as revision from runs
    where import_id = ${importId} and number < ${runNumber} and kind not in ('undo', 'delta') and state = 'done'
    order by number desc limit 1`.execute(db.sql);
  return rows[0]?.revision ?? null;
};

/** The start of the last run that saw everything. */
export const lastSeenAt = async (db: Database, importId: string): Promise<Date | null> => {
  const { rows } = await sql<{ at: Date | null }>`
    select max(started_at) as at from runs
    where import_id = ${importId} and kind in ('full', 'delta') and state = 'done'`.execute(db.sql);
  return rows[0]?.at ?? null;
};

export const lastFullDoneAt = async (db: Database, importId: string): Promise<Date | null> => {
  const { rows } = await sql<{ at: Date | null }>`
    select max(ended_at) as at from runs
    where import_id = ${importId} and kind = 'full' and state = 'done'`.execute(db.sql);
  return rows[0]?.at ?? null;
};

export type PartitionEnd =
  | { readonly kind: "fenced" }
  | { readonly kind: "goes_on"; readonly send: readonly ChunkToSend[] }
  /** No partition is left: the run has ended. */
  | { readonly kind: "last" };

const insertPartitions = (tx: Transaction, { runId, importId }: Lease, plan: readonly NewPartition[]) => {
  const slices = plan.map(({ slice }) => (slice === null ? null : JSON.stringify(slice)));
  return sql`
    insert into partitions (run_id, no, import_id, step, task, stream, slice, expected, generation)
    select ${runId}, u.no::int, ${importId}, u.step, u.task, u.stream, u.slice, u.expected, r.first_generation
    from runs r, unnest(${plan.map(({ step }) => step)}::int[], ${plan.map(({ task }) => task)}::text[],
      ${plan.map(({ stream }) => stream)}::text[], ${slices}::jsonb[],
      ${plan.map(({ expected }) => expected)}::bigint[]) with ordinality
      u(step, task, stream, slice, expected, no)
    where r.id = ${runId}`.execute(tx);
};

export interface Ending {
  readonly as: "done" | "stopped";
  readonly plan?: readonly NewPartition[] | undefined;
  /** Replaces its tallies; absent: they stay. */
  readonly tallies?: Tallies | undefined;
  readonly leaseMs: number;
}

/**
 * Ends a partition, and starts the next step if it was the last of its own, where that step depends on more than the partitions
 * that there are. Locks the run's row first: of two that end at the same time, the second sees the first.
 */
export const endPartitionInSteps = (
  db: Database,
  lease: Lease,
  { as, plan = [], tallies, leaseMs }: Ending,
): Promise<PartitionEnd> =>
  db.sql.transaction().execute(async (tx): Promise<PartitionEnd> => {
    const { runId } = lease;
    await tx.selectFrom("runs").select("id").where("id", "=", runId).forUpdate().execute();
    const ended = await tx
      .updateTable("partitions")
      .set({
        state: as,
        endedAt: sql`now()`,
        dueAt: null,
        ...(tallies && { tallies: JSON.stringify(tallies) }),
      })
      .where("runId", "=", runId)
      .where("no", "=", lease.partition)
      .where(sql<boolean>`is_held(lease_token, ${lease.token})`)
      .where("state", "=", "running")
      .where("batchIds", "is", null)
      .executeTakeFirst();
    if (ended.numUpdatedRows !== 1n) return { kind: "fenced" };
    if (as === "stopped")
      await tx
        .updateTable("partitions")
        .set({ state: "stopped", endedAt: sql`now()` })
        .where("runId", "=", runId)
        .where("state", "=", "waiting")
        .execute();
    else if (plan.length > 0) await insertPartitions(tx, lease, plan);
    // After the choice the number of records is known.
    else if (lease.task === "choose")
      await sql`
        update partitions p set expected = (select count(*) from sample_records s
          where s.import_id = p.import_id and s.stream = p.stream)
        where p.run_id = ${runId} and p.task in ('copy', 'verify')`.execute(tx);
    const { rows } = await sql<{ running: boolean; next: number | null }>`
      select coalesce(bool_or(state = 'running'), false) as running, min(step) filter (where state = 'waiting') as next
      from partitions where run_id = ${runId} and state in ('running', 'waiting')`.execute(tx);
    const { running = false, next = null } = rows[0] ?? {};
    if (running) return { kind: "goes_on", send: [] };
    if (next === null) return { kind: "last" };
    const started = await sql<ChunkToSend>`
      update partitions set state = 'running', started_at = now(), due_at = now() + ${leaseMs} * interval '1 ms'
      where run_id = ${runId} and step = ${next}
      returning run_id, no as partition, generation, 0 as delay_ms, json_build_object('task', task, 'stream', stream) as begins`.execute(
      tx,
    );
    await tx.updateTable("runs").set({ step: next }).where("id", "=", runId).execute();
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
  await sql`
    update runs r set mapping_revision = ${revision} from partitions p
    where r.id = ${lease.runId} and p.run_id = r.id and p.no = ${lease.partition} and is_held(p.lease_token, ${lease.token})
      and p.state = 'running'`.execute(db.sql);
};
