import { sql } from "kysely";
import type { Database, Transaction } from "../../../platform/db.ts";
import type { ChunkRef } from "../run.ts";

/** A server that the database was not known to be on. */
export interface RecognizedServer {
  readonly no: number;
  /** The unfinished runs, all of which may have lost commits. */
  readonly runs: number;
}

/**
 * By how much generations rise at most. It is drawn at random: a backup may be restored twice, and the engine drops chunks with
 * a generation that it has seen.
 */
const maxRise = 20_000_000;
const highestGeneration = 2_000_000_000;

const isKnown = async (tx: Transaction | Database["sql"]): Promise<boolean> => {
  const { rows } = await sql<{ known: boolean }>`select is_recognized_server() as known`.execute(tx);
  return rows[0]?.known === true;
};

/** A chunk is sent after its generation is stored: if the database has only an earlier one, it lost commits. */
const isAhead = async (
  tx: Transaction | Database["sql"],
  { runId, partition, generation }: ChunkRef,
): Promise<boolean> => {
  const ahead = await tx
    .selectFrom("partitions")
    .select("no")
    .where("runId", "=", runId)
    .where("no", "=", partition)
    .where("generation", "<", generation)
    .executeTakeFirst();
  return ahead !== undefined;
};

const flagRuns = async (tx: Transaction, no: number): Promise<number> => {
  const rise = Math.ceil(Math.random() * maxRise);
  const flagged = await sql`
    update runs r set server = ${no}, looks_from = least(r.looks_from, r.number),
      first_generation = least(${highestGeneration}, ${rise} + greatest(r.first_generation,
        (select max(p.generation) from partitions p where p.run_id = r.id)))
    where r.ended_at is null`.execute(tx);
  await sql`
    update partitions p set lease_token = null, generation = r.first_generation,
      due_at = case when p.state = 'running' then now() end
    from runs r where r.id = p.run_id and r.ended_at is null and p.state in ('running', 'waiting')`.execute(
    tx,
  );
  return Number(flagged.numAffectedRows ?? 0n);
};

/**
 * Recognizes the server that the database is on. Undefined: it is the known one, and has lost nothing. Otherwise a standby was
 * promoted or a backup restored, and commits may be lost: fences every attempt, and flags every unfinished run. `ref`: a
 * chunk whose generation may show a loss that left the server's identity as it was, such as a restored disk.
 */
export const recognizeServer = async (
  db: Database,
  ref?: ChunkRef,
): Promise<RecognizedServer | undefined> => {
  const isNew = async (tx: Transaction | Database["sql"]) =>
    !(await isKnown(tx)) || (ref !== undefined && (await isAhead(tx, ref)));
  if (!(await isNew(db.sql))) return undefined;
  return db.sql.transaction().execute(async (tx) => {
    await lockServers(tx);
    // Of several processes that notice it, one is the first.
    return (await isNew(tx)) ? recognize(tx) : undefined;
  });
};

/** An operator knows of a loss that the server's identity does not show. */
export const recognizeLoss = (db: Database): Promise<RecognizedServer> =>
  db.sql.transaction().execute(async (tx) => {
    await lockServers(tx);
    return recognize(tx);
  });

const lockServers = (tx: Transaction) =>
  sql`lock table database_servers in share row exclusive mode`.execute(tx);

const recognize = async (tx: Transaction): Promise<RecognizedServer> => {
  const { rows } = await sql<{ no: number }>`
      insert into database_servers (no, system_identifier, timeline)
      select (select coalesce(max(no), 0) + 1 from database_servers), system_identifier, server_timeline()
      from pg_control_system() returning no`.execute(tx);
  const { no = 1 } = rows[0] ?? {};
  return { no, runs: await flagRuns(tx, no) };
};
