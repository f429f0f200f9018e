import { setTimeout as sleep } from "node:timers/promises";
import type { RunsPort } from "../../server/src/engine/runs-port.ts";
import type { ChunkRef, ChunkToSend } from "../../server/src/features/runs/run.ts";
import type { Database } from "../../server/src/platform/db.ts";
import { newId } from "../../server/src/platform/ids.ts";

export interface Counting {
  readonly partitions: number;
  /** Each partition counts up to this, one page per number. */
  readonly target: number;
  readonly pagesPerChunk: number;
  readonly pageMs: number;
  /** How long a partition may make no progress before it is overdue. */
  readonly leaseMs: number;
  /** The delay of each hand-over. */
  readonly delayMs: number;
}

export const counting: Counting = {
  partitions: 2,
  target: 20,
  pagesPerChunk: 4,
  pageMs: 10,
  leaseMs: 3_000,
  delayMs: 0,
};

/** A log for tests: every attempt, and every counted number. */
export const createCountingTables = (db: Database): Promise<unknown> =>
  db.pool.query(`create table attempts (run_id text, no integer, generation integer, epoch integer, worker text,
      at timestamptz not null default clock_timestamp());
    create table counted (run_id text, no integer, number integer, worker text, at timestamptz not null default now());`);

type Row = { no: number; generation: number };
const toSend = (runId: string, rows: readonly Row[], delayMs = 0): readonly ChunkToSend[] =>
  rows.map(({ no, generation }) => ({ runId, partition: no, generation, delayMs }));

/**
 * Runs that only count, in the real tables with the real guards: the generation is the right to work, the
 * lease's token fences attempts, and a page moves the cursor in one statement.
 */
export const createCountingRuns = (db: Database, worker: string, plan: Counting): RunsPort => {
  const ask = async <T>(text: string, values: readonly unknown[]): Promise<readonly T[]> =>
    (await db.pool.query(text, [...values])).rows as T[];
  const lease = `now() + ${plan.leaseMs} * interval '1 ms'`;

  const begin = ({ runId, partition, generation }: ChunkRef) =>
    ask<{ token: string; cursor: number }>(
      `with taken as (update partitions set lease_token = gen_random_uuid(), epoch = epoch + 1, due_at = ${lease}
         where run_id = $1 and no = $2 and generation = $3 and state = 'running' returning lease_token, epoch, cursor),
       noted as (insert into attempts select $1, $2, $3, taken.epoch, $4 from taken)
       select lease_token as token, cursor::int from taken`,
      [runId, partition, generation, worker],
    );
  const countOne = ({ runId, partition }: ChunkRef, token: string) =>
    ask<{ cursor: number }>(
      `with moved as (update partitions set cursor = to_jsonb(cursor::int + 1), read = read + 1, due_at = ${lease}
         where run_id = $1 and no = $2 and is_held(lease_token, $3) and state = 'running' returning cursor::int),
       noted as (insert into counted select $1, $2, moved.cursor, $4 from moved) select cursor from moved`,
      [runId, partition, token, worker],
    );
  const handOver = ({ runId, partition, generation }: ChunkRef, token: string) =>
    ask<Row>(
      `update partitions set generation = generation + 1, due_at = ${lease} + ${plan.delayMs} * interval '1 ms'
       where run_id = $1 and no = $2 and generation = $3 and is_held(lease_token, $4) and state = 'running' returning no, generation`,
      [runId, partition, generation, token],
    );
  const finish = ({ runId, partition }: ChunkRef, token: string) =>
    ask("update partitions set state = 'done' where run_id = $1 and no = $2 and is_held(lease_token, $3)", [
      runId,
      partition,
      token,
    ]);

  return {
    workChunk: async (ref, { signal }) => {
      const [held] = await begin(ref);
      if (!held) return { send: [], read: 0, written: 0 };
      let { cursor } = held;
      let pages = 0;
      while (cursor < plan.target && pages < plan.pagesPerChunk && !signal.aborted) {
        await sleep(plan.pageMs);
        const [moved] = await countOne(ref, held.token);
        if (!moved) return { send: [], read: pages, written: pages };
        ({ cursor } = moved);
        pages++;
      }
      if (cursor >= plan.target) {
        await finish(ref, held.token);
        return { send: [], read: pages, written: pages };
      }
      const send = toSend(ref.runId, await handOver(ref, held.token), plan.delayMs);
      return { send, read: pages, written: pages };
    },
    startRun: async ({ importId, kind, outboxId }) => {
      await ask(
        `with made as (insert into runs (id, import_id, number, kind, outbox_id, ledger_leaf)
           values ($1, $2, 1, $3, $4, '') on conflict do nothing returning id)
         insert into partitions (run_id, no, import_id, step, task, state, cursor, due_at)
         select made.id, no, $2, 0, 'copy', 'running', '0', ${lease} from made, generate_series(1, $5::int) no`,
        [newId("run"), importId, kind, outboxId, plan.partitions],
      );
      const rows = await ask<Row & { runId: string }>(
        `select p.run_id as "runId", p.no, p.generation from partitions p join runs r on r.id = p.run_id
         where r.outbox_id = $1 and p.state = 'running'`,
        [outboxId],
      );
      return rows.flatMap((row) => toSend(row.runId, [row]));
    },
    stopRun: async ({ importId }) => {
      await ask("update partitions set state = 'stopped' where import_id = $1", [importId]);
      await ask("update runs set state = 'stopped', ended_at = now() where import_id = $1", [importId]);
      return [];
    },
    resumeWaiting: async () => [],
    pauseRun: async () => [],
    unpauseRun: async () => [],
    startAfterPreflight: async () => [],
    findOverdue: async (limit) => {
      const rows = await ask<Row & { runId: string }>(
        `update partitions set generation = generation + 1, due_at = ${lease} where (run_id, no) in (
           select run_id, no from partitions where state = 'running' and due_at < now()
           order by run_id, no limit $1 for update skip locked) and due_at < now()
         returning run_id as "runId", no, generation`,
        [limit],
      );
      return rows.flatMap((row) => toSend(row.runId, [row]));
    },
    endOverlongWaits: async () => [],
  };
};
