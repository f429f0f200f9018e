import { sql } from "kysely";
import type { Database, Transaction } from "../../platform/db.ts";
import type { DB } from "../../platform/schema.ts";
import { lockImport } from "../imports/index.ts";
import { purgeUploads } from "../uploads/index.ts";

/** Tables with up to millions of rows of an import, deleted in batches by stream and source id. */
const large = ["ledger", "pendingLinks", "sampleResults", "sampleRecords"] as const;

/** All others, children first. */
const small = [
  "sampleReviews",
  "mappingPeople",
  "mappingFacts",
  "mappingRevisions",
  "matchedRecords",
  "removingRecords",
  "keptRecords",
  "destinationFields",
  "oldLinks",
  "silenceChecks",
  "runs",
  "connections",
  "signIns",
  "wizardSessions",
  "importLinks",
  "mailAddresses",
  "mails",
  "partnerReminders",
  "importWarnings",
  "scheduledStarts",
] as const;

/** The tables that lose all rows of an erased import. */
export const erasedTables: readonly (keyof DB)[] = [...large, ...small, "partitions", "webhookAttempts"];

const batchSize = 10_000;

export interface Erasure {
  readonly importId: string;
  readonly partnerId: string;
  readonly reason: "requested" | "retention";
  /** Rows by table. */
  readonly erased: Readonly<Record<string, number>>;
  readonly begunAt: Date;
  /** Null: it was interrupted, and the next call goes on. */
  readonly endedAt: Date | null;
}

export type ErasureBegun = { readonly kind: "begun" } | { readonly kind: "missing" | "open" | "live_run" };

/** Begins or resumes an erasure. Only a closed import without a live run: nothing writes to it any more. */
export const beginErasure = (
  db: Database,
  importId: string,
  reason: Erasure["reason"],
): Promise<ErasureBegun> =>
  db.sql.transaction().execute(async (tx): Promise<ErasureBegun> => {
    const locked = await lockImport(tx, importId);
    if (!locked) return { kind: "missing" };
    if (locked.state.liveRun !== null) return { kind: "live_run" };
    if (locked.state.closed === null) return { kind: "open" };
    await tx
      .insertInto("erasures")
      .values({ importId, reason })
      .onConflict((conflict) => conflict.column("importId").doNothing())
      .execute();
    return { kind: "begun" };
  });

const note = async (tx: Transaction, importId: string, table: string, count: number) => {
  if (count === 0) return;
  await sql`
    update erasures set erased = erased || jsonb_build_object(${table}::text,
      coalesce((erased ->> ${table})::bigint, 0) + ${count}::bigint)
    where import_id = ${importId}`.execute(tx);
};

const deleteBatch = async (
  tx: Transaction,
  table: (typeof large)[number],
  importId: string,
): Promise<number> => {
  const from = sql.table(table);
  const { rows } = await sql<{ stream: string; sourceId: string }>`
    select stream, source_id from ${from} where import_id = ${importId}
    order by stream, source_id offset ${batchSize - 1} limit 1`.execute(tx);
  const [last] = rows;
  // By a range of keys: a join with the batch takes a time with the square of it where the planner has no statistics yet.
  const upToLast = last ? sql`and (stream, source_id) <= (${last.stream}, ${last.sourceId})` : sql``;
  const { numAffectedRows = 0n } = await sql`
    delete from ${from} where import_id = ${importId} ${upToLast}`.execute(tx);
  return Number(numAffectedRows);
};

/** Deletes one batch of the large tables, and counts it. False: there was none left. */
export const eraseBatch = (db: Database, importId: string): Promise<boolean> =>
  db.sql.transaction().execute(async (tx) => {
    for (const table of large) {
      const count = await deleteBatch(tx, table, importId);
      await note(tx, importId, table, count);
      if (count > 0) return true;
    }
    return false;
  });

/**
 * Deletes the rest and destroys the import's data key, in one transaction: no value that was sealed for the import can be
 * opened with this database afterwards. The row itself stays, without what identifies the customer.
 */
export const endErasure = (db: Database, importId: string, reason: Erasure["reason"]): Promise<void> =>
  db.sql.transaction().execute(async (tx) => {
    await lockImport(tx, importId);
    const partitions = await sql`
      delete from partitions where run_id in (select id from runs where import_id = ${importId})`.execute(tx);
    await note(tx, importId, "partitions", Number(partitions.numAffectedRows ?? 0n));
    // No index finds an import's events. Those of an import that was closed long ago have been deleted with their attempts.
    if (reason === "requested") {
      const attempts = await sql`
        delete from webhook_attempts where event_id in (select id from events where import_id = ${importId})`.execute(
        tx,
      );
      await note(tx, importId, "webhookAttempts", Number(attempts.numAffectedRows ?? 0n));
    }
    for (const table of small) {
      const { numDeletedRows } = await tx
        .deleteFrom(table)
        .where("importId", "=", importId)
        .executeTakeFirst();
      await note(tx, importId, table, Number(numDeletedRows));
    }
    await purgeUploads(tx, importId);
    // An event's details can name accounts and errors of a tool.
    await tx
      .updateTable("audit")
      .set({ event: sql`jsonb_build_object('type', event -> 'type')` })
      .where("importId", "=", importId)
      .execute();
    await tx
      .updateTable("imports")
      .set({
        reference: null,
        destinationInstanceUrl: null,
        destinationUsername: null,
        usernameKey: null,
        destinationToken: null,
        dataKey: Buffer.alloc(0),
        linkToken: Buffer.alloc(0),
        items: "{}",
        findings: "[]",
        sourcePeople: 0,
        destinationPeople: 0,
        matchedPeople: 0,
      })
      .where("id", "=", importId)
      .execute();
    await tx
      .updateTable("erasures")
      .set({ endedAt: sql`now()` })
      .where("importId", "=", importId)
      .where("endedAt", "is", null)
      .execute();
  });

export const findErasure = async (db: Database, importId: string): Promise<Erasure | undefined> =>
  (await db.sql
    .selectFrom("erasures")
    .innerJoin("imports", "imports.id", "erasures.importId")
    .select(["erasures.importId", "imports.partnerId", "erasures.reason", "erasures.erased"])
    .select(["erasures.begunAt", "erasures.endedAt"])
    .where("erasures.importId", "=", importId)
    .executeTakeFirst()) as Erasure | undefined;

/** The imports of one customer, oldest first; null: of all partners. */
export const listImportsOf = async (
  db: Database,
  usernameKey: string,
  partnerId: string | null,
): Promise<readonly { readonly id: string; readonly isAtRest: boolean }[]> => {
  let query = db.sql
    .selectFrom("imports")
    .select(["id", "closed", "liveRun"])
    .where("usernameKey", "=", usernameKey);
  if (partnerId !== null) query = query.where("partnerId", "=", partnerId);
  return (await query.orderBy("id").execute()).map(({ id, closed, liveRun }) => ({
    id,
    isAtRest: closed !== null && liveRun === null,
  }));
};

/** Imports that were closed this many days ago and hold data of their customer. */
export const listLongClosed = async (
  db: Database,
  days: number,
  limit: number,
): Promise<readonly string[]> => {
  const { rows } = await sql<{ id: string }>`
    select i.id from imports i
    where i.closed is not null and i.live_run is null and i.closed_at < now() - ${days} * interval '1 day'
      and not exists (select from erasures e where e.import_id = i.id and e.ended_at is not null)
    order by i.closed_at, i.id limit ${limit}`.execute(db.sql);
  return rows.map(({ id }) => id);
};

/** Deletes the audit logs of imports that were closed this many days ago; each is bounded, so one statement is enough. */
export const deleteOldAudit = async (db: Database, days: number, limit: number): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    with old as (
      select i.id from imports i
      where i.closed is not null and i.live_run is null and i.closed_at < now() - ${days} * interval '1 day'
        -- one lookup by key per import: a join would read the whole log
        and (select true from audit a where a.import_id = i.id limit 1) limit ${limit}),
    gone as (delete from audit a using old where a.import_id = old.id returning a.import_id)
    select count(*) as count from gone`.execute(db.sql);
  return rows[0]?.count ?? 0;
};
