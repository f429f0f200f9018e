import { sql } from "kysely";
import type { Database, Transaction } from "../../../platform/db.ts";
import type { Lease } from "../chunk/lease.ts";

/** A destination that several imports may write to. */
export interface SharedAccount {
  readonly tool: string;
  readonly accountId: string;
}

/** Serialized per account: of a match and a removal of the same record, the second sees the first. */
export const underAccountLock = <R>(
  db: Database,
  { tool, accountId }: SharedAccount,
  work: (tx: Transaction) => Promise<R>,
): Promise<R> =>
  db.sql.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${tool}/${accountId}`}, 1))`.execute(tx);
    return work(tx);
  });

/** Records that an import points to these records; answers those that it may point to. */
export const takeMatches = async (
  db: Database,
  { importId, stream }: Lease,
  account: SharedAccount,
  destIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (destIds.length === 0) return new Set();
  const { tool, accountId } = account;
  return underAccountLock(db, account, async (tx) => {
    const { rows } = await sql<{ id: string }>`
      select u.id from unnest(${destIds}::text[]) u(id) where not exists (select 1 from removing_records r
        where r.tool = ${tool} and r.account_id = ${accountId} and r.stream = ${stream} and r.dest_id = u.id
          and r.import_id <> ${importId})`.execute(tx);
    const free = rows.map(({ id }) => id);
    await sql`
      insert into matched_records (tool, account_id, stream, dest_id, import_id)
      select distinct ${tool}::text, ${accountId}::text, ${stream}::text, u.id, ${importId}::text
      from unnest(${free}::text[]) u(id) on conflict do nothing`.execute(tx);
    return new Set(free);
  });
};

/** Which of these records other imports point to. */
export const listShared = async (
  db: Database,
  { importId, stream }: Pick<Lease, "importId" | "stream">,
  { tool, accountId }: SharedAccount,
  destIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ id: string }>`
    select m.dest_id as id from matched_records m
    where m.tool = ${tool} and m.account_id = ${accountId} and m.stream = ${stream} and m.dest_id = any(${destIds})
      and m.import_id <> ${importId}`.execute(db.sql);
  return new Set(rows.map(({ id }) => id));
};

/** Announces the removal of these records; answers those that no other import points to. */
export const takeForRemoval = async (
  db: Database,
  { importId, stream }: Lease,
  account: SharedAccount,
  destIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (destIds.length === 0) return new Set();
  const { tool, accountId } = account;
  return underAccountLock(db, account, async (tx) => {
    const { rows } = await sql<{ id: string }>`
      select distinct u.id from unnest(${destIds}::text[]) u(id) where not exists (select 1 from matched_records m
        where m.tool = ${tool} and m.account_id = ${accountId} and m.stream = ${stream} and m.dest_id = u.id
          and m.import_id <> ${importId})`.execute(tx);
    const free = rows.map(({ id }) => id);
    await sql`
      insert into removing_records (tool, account_id, stream, dest_id, import_id)
      select ${tool}, ${accountId}, ${stream}, u.id, ${importId}
      from unnest(${free}::text[]) u(id) on conflict do nothing`.execute(tx);
    return new Set(free);
  });
};

/** The announced removals are done, or abandoned. */
export const endRemoval = async (
  db: Database,
  { stream }: Lease,
  account: SharedAccount,
  destIds: readonly string[],
): Promise<void> => {
  if (destIds.length === 0) return;
  await sql`
    delete from removing_records
    where tool = ${account.tool} and account_id = ${account.accountId} and stream = ${stream}
      and dest_id = any(${destIds})`.execute(db.sql);
};

/** Nothing that this partition announced is in flight any more. Without effect once another attempt has it, which announces anew. */
export const forgetRemovals = async (
  db: Database,
  { importId, stream, runId, partition, token }: Lease,
): Promise<void> => {
  await sql`
    with held as (
      select from partitions where run_id = ${runId} and no = ${partition} and is_held(lease_token, ${token}) for update)
    delete from removing_records r using held where r.import_id = ${importId} and r.stream = ${stream}`.execute(
    db.sql,
  );
};

/** An undo begins: it decides anew what must stay, and releases records that were only matched and fields of others. */
export const beginRemoving = (db: Database, importId: string): Promise<void> =>
  db.sql.transaction().execute(async (tx) => {
    await tx.deleteFrom("keptRecords").where("importId", "=", importId).execute();
    await tx.deleteFrom("removingRecords").where("importId", "=", importId).execute();
    await tx.deleteFrom("matchedRecords").where("importId", "=", importId).execute();
    await tx
      .deleteFrom("destinationFields")
      .where("importId", "=", importId)
      .where("state", "=", "found")
      .execute();
  });
