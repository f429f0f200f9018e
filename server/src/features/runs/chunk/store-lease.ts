// Hot: every chunk takes, renews and hands over a lease.
import type { PoolClient } from "pg";
import { type Database, inTransaction } from "../../../platform/db.ts";
import type { Batch, Lease, LeaseTimes } from "./lease.ts";
import type { ChunkRef, ChunkToSend, Wanted } from "../run.ts";

/** A chunk that starts within this time notices a change early enough by itself. */
export const soonMs = 1_000;

type Row = Omit<Lease, "batch" | "tallies"> & {
  batchIds: string[] | null;
  batchHashes: readonly Buffer[];
  batchParents: string[];
  batchSince: Date;
  deadlineInMs: number;
  tallies: Record<string, number>;
};

const toBatch = (row: Row): Batch | null =>
  row.batchIds && {
    ids: row.batchIds,
    hashes: row.batchHashes.map((hash) => hash.toString("hex")),
    parents: row.batchParents,
    since: row.batchSince,
    deadlineInMs: row.deadlineInMs,
  };

/**
 * Begins an attempt: its new token fences all earlier attempts. Undefined: the generation is outdated, or the server is not
 * recognized.
 */
export const takeLease = async (
  db: Database,
  { runId, partition, generation }: ChunkRef,
  { leaseMs }: LeaseTimes,
): Promise<Lease | undefined> => {
  const { rows } = await db.pool.query<Row>({
    name: "take-lease",
    text: `update partitions p set lease_token = gen_random_uuid(), epoch = p.epoch + 1, attempts = p.attempts + 1, due_at = now() + $4 * interval '1 ms'
           from runs r join imports i on i.id = r.import_id
           where p.run_id = $1 and p.no = $2 and p.generation = $3 and p.state = 'running'
             and r.id = p.run_id and r.ended_at is null and is_recognized_server()
           returning p.run_id as "runId", p.no as partition, p.generation, p.lease_token as token, p.epoch, p.import_id as "importId",
             r.number as "runNumber", r.kind, r.wanted, p.task, p.stream, p.slice, p.cursor, p.tallies, p.failures,
             p.attempts - 1 as "lostAttempts",
             coalesce(extract(epoch from now() - p.failing_since) * 1000, 0)::float8 as "failingForMs",
             i.family, r.mapping_revision as "mappingRevision", r.ledger_leaf as leaf, r.refusal_pauses as "refusalPauses",
             r.since, r.looks_from as "looksFrom",
             exists (select from partitions o where o.run_id = p.run_id and o.no <> p.no and o.state = 'running')
               as "isBesideOthers",
             (select json_build_object('source', max(c.revision) filter (where c.side = 'source'),
                'destination', max(c.revision) filter (where c.side = 'destination'))
              from connections c where c.import_id = i.id and c.settings is not null) as "signIns",
             (select extract(epoch from now() - max(s.recognized_at)) * 1000 from database_servers s)::float8
               as "recognizedForMs",
             coalesce(extract(epoch from now() - p.started_at) * 1000, 0)::float8 as "startedForMs", p.batch_ids as "batchIds", p.batch_hashes as "batchHashes", p.batch_parents as "batchParents",
             p.batch_since as "batchSince",
             coalesce(extract(epoch from p.batch_deadline - now()) * 1000, 0)::float8 as "deadlineInMs"`,
    values: [runId, partition, generation, leaseMs],
  });
  const [row] = rows;
  if (!row) return undefined;
  const {
    batchIds: _,
    batchHashes: __,
    batchParents: ___,
    batchSince: ____,
    deadlineInMs: _____,
    ...rest
  } = row;
  return { ...rest, batch: toBatch(row) };
};

/** Extends the lease and the write deadline, for files that take long. False: another attempt has the partition. */
export const renewLease = async (
  db: Database,
  lease: Lease,
  { leaseMs, writeMs }: LeaseTimes,
): Promise<boolean> => {
  const { rowCount } = await db.pool.query({
    name: "renew-lease",
    text: `update partitions set due_at = now() + $4 * interval '1 ms', batch_deadline = now() + $5 * interval '1 ms'
           where run_id = $1 and no = $2 and is_held(lease_token, $3) and batch_ids is not null`,
    values: [lease.runId, lease.partition, lease.token, leaseMs, writeMs],
  });
  return rowCount === 1;
};

/**
 * An attempt could record nothing, but its process lives: it does not count as lost. Without effect if the partition has moved
 * on since, as attempts are counted anew then.
 */
export const forgetAttempt = async (
  db: Database,
  { runId, partition, epoch }: Pick<Lease, "runId" | "partition" | "epoch">,
): Promise<void> => {
  await db.pool.query({
    name: "forget-attempt",
    text: `update partitions set attempts = attempts - 1
           where run_id = $1 and no = $2 and attempts > 0 and $3 > epoch - attempts`,
    values: [runId, partition, epoch],
  });
};

interface HandOver {
  readonly delayMs: number;
  /** This chunk made no progress. */
  readonly failed: boolean;
  readonly leaseMs: number;
}

const giveOn = async (
  client: Pick<PoolClient, "query">,
  lease: Lease,
  { delayMs, failed, leaseMs }: HandOver,
): Promise<number | undefined> => {
  const { rows } = await client.query<{ generation: number }>({
    name: "hand-over",
    text: `update partitions set generation = generation + 1, attempts = 0, due_at = now() + ($5::float8 + $4::float8) * interval '1 ms',
             failures = case when $6 then failures + 1 else 0 end,
             failing_since = case when $6 then coalesce(failing_since, now()) end
           where run_id = $1 and no = $2 and is_held(lease_token, $3) and state = 'running'
           returning generation`,
    values: [lease.runId, lease.partition, lease.token, delayMs, leaseMs, failed],
  });
  return rows[0]?.generation;
};

/** Whether the run was paused, resumed or stopped since this chunk began. Blocks such changes until the commit. */
const isControlChanged = async (client: PoolClient, { runId, wanted }: Lease): Promise<boolean> => {
  const { rows } = await client.query<{ wanted: Wanted }>("select wanted from runs where id = $1 for share", [
    runId,
  ]);
  return rows[0]?.wanted !== wanted;
};

/** Hands the partition over: the next generation may begin after the delay. Undefined: the lease is lost. */
export const handOver = async (
  db: Database,
  lease: Lease,
  how: HandOver,
): Promise<ChunkToSend | undefined> => {
  const { runId, partition } = lease;
  const hand = async (client: Pick<PoolClient, "query">, delayMs: number) => {
    const generation = await giveOn(client, lease, { ...how, delayMs });
    return generation === undefined ? undefined : { runId, partition, generation, delayMs };
  };
  if (how.delayMs <= soonMs) return hand(db.pool, how.delayMs);
  return inTransaction(db, async (client) =>
    hand(client, (await isControlChanged(client, lease)) ? soonMs : how.delayMs),
  );
};

/**
 * For a chunk that came too late: the current generation, or what its run went on with if this very chunk ended its partition.
 * Their messages may have been lost with their sender; if sent twice, the engine drops the duplicates.
 */
export const currentChunks = async (
  db: Database,
  { runId, partition, generation }: ChunkRef,
): Promise<readonly ChunkToSend[]> => {
  const { rows } = await db.pool.query<ChunkToSend>({
    name: "current-chunks",
    text: `select q.run_id as "runId", q.no as partition, q.generation, 0 as "delayMs"
           from partitions p join runs r on r.id = p.run_id join partitions q on q.run_id = p.run_id
           where p.run_id = $1 and p.no = $2 and q.state = 'running' and r.state = 'running' and r.wanted <> 'pause'
             and (q.no = p.no and p.generation > $3 or p.state = 'done' and p.generation = $3)`,
    values: [runId, partition, generation],
  });
  return rows;
};

/** Renews the lease of a working attempt. False: the partition was handed over, or taken. */
export const touchLease = async (db: Database, lease: Lease, { leaseMs }: LeaseTimes): Promise<boolean> => {
  const { rowCount } = await db.pool.query({
    name: "touch-lease",
    text: `update partitions set due_at = greatest(due_at, now() + $5 * interval '1 ms')
           where run_id = $1 and no = $2 and is_held(lease_token, $3) and generation = $4 and state = 'running'`,
    values: [lease.runId, lease.partition, lease.token, lease.generation, leaseMs],
  });
  return rowCount === 1;
};
