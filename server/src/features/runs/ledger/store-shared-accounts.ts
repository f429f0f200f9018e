import type { PoolClient } from "pg";
import { type Database, inTransaction } from "../../../platform/db.ts";
import type { Lease } from "../chunk/lease.ts";

/** A destination that several imports may write to. */
export interface SharedAccount {
  readonly tool: string;
  readonly accountId: string;
}

/** Serialized per account: of a match and a removal of the same record, the second sees the first. */
const underLock = <R>(
  db: Database,
  { tool, accountId }: SharedAccount,
  work: (client: PoolClient) => Promise<R>,
): Promise<R> =>
  inTransaction(db, async (client) => {
    await client.query("select pg_advisory_xact_lock(hashtextextended($1, 1))", [`${tool}/${accountId}`]);
    return work(client);
  });

/** Records that an import points to these records; answers those that it may point to. */
export const takeMatches = async (
  db: Database,
  { importId, stream }: Lease,
  account: SharedAccount,
  destIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (destIds.length === 0) return new Set();
  return underLock(db, account, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `select u.id from unnest($4::text[]) u(id) where not exists (select 1 from removing_records r
         where r.tool = $1 and r.account_id = $2 and r.stream = $3 and r.dest_id = u.id and r.import_id <> $5)`,
      [account.tool, account.accountId, stream, destIds, importId],
    );
    const free = rows.map(({ id }) => id);
    await client.query(
      `insert into matched_records (tool, account_id, stream, dest_id, import_id)
       select distinct $1, $2, $3, u.id, $5 from unnest($4::text[]) u(id) on conflict do nothing`,
      [account.tool, account.accountId, stream, free, importId],
    );
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
  const { rows } = await db.pool.query<{ id: string }>(
    `select m.dest_id as id from matched_records m
     where m.tool = $1 and m.account_id = $2 and m.stream = $3 and m.dest_id = any($4) and m.import_id <> $5`,
    [tool, accountId, stream, destIds, importId],
  );
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
  return underLock(db, account, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `select distinct u.id from unnest($4::text[]) u(id) where not exists (select 1 from matched_records m
         where m.tool = $1 and m.account_id = $2 and m.stream = $3 and m.dest_id = u.id and m.import_id <> $5)`,
      [account.tool, account.accountId, stream, destIds, importId],
    );
    const free = rows.map(({ id }) => id);
    await client.query(
      `insert into removing_records (tool, account_id, stream, dest_id, import_id)
       select $1, $2, $3, u.id, $5 from unnest($4::text[]) u(id) on conflict do nothing`,
      [account.tool, account.accountId, stream, free, importId],
    );
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
  await db.pool.query(
    `delete from removing_records where tool = $1 and account_id = $2 and stream = $3 and dest_id = any($4::text[])`,
    [account.tool, account.accountId, stream, destIds],
  );
};

/** The announced removals will not be requested any more, and none is in flight. */
export const forgetRemovals = async (
  db: Database,
  { importId, stream }: Pick<Lease, "importId" | "stream">,
): Promise<void> => {
  await db.pool.query("delete from removing_records where import_id = $1 and stream = $2", [
    importId,
    stream,
  ]);
};

/** An undo begins: it decides anew what must stay, and releases records that were only matched. */
export const beginRemoving = (db: Database, importId: string): Promise<void> =>
  inTransaction(db, async (client) => {
    for (const table of ["kept_records", "removing_records", "matched_records"])
      await client.query(`delete from ${table} where import_id = $1`, [importId]);
  });
