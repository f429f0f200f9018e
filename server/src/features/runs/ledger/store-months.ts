import { sql } from "kysely";
import type { Database } from "../../../platform/db.ts";
import { firstIdAt, timeOfId } from "../../../platform/ids.ts";

const leaves = 8;

const monthOf = (at: Date) => ({
  name: `ledger_${at.getUTCFullYear()}_${String(at.getUTCMonth() + 1).padStart(2, "0")}`,
  from: firstIdAt("imp", Date.UTC(at.getUTCFullYear(), at.getUTCMonth())),
  to: firstIdAt("imp", Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1)),
});

/** Creates the ledger's tables of one month, if missing. Safe to call from several processes at once. */
export const ensureLedgerMonth = async (db: Database, at: Date): Promise<void> => {
  const { name, from, to } = monthOf(at);
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass(${name}) is not null as there`.execute(db.sql);
  if (rows[0]?.there) return;
  const month = sql.table(name);
  await db.sql.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('ledger months', 0))`.execute(tx);
    // Attached afterwards: that does not wait for readers of other months.
    await sql`
      create table if not exists ${month} (like ledger including all) partition by hash (import_id)`.execute(
      tx,
    );
    for (let leaf = 0; leaf < leaves; leaf += 1)
      await sql`
        create table if not exists ${sql.table(`${name}_${leaf}`)} partition of ${month}
        for values with (modulus ${sql.lit(leaves)}, remainder ${sql.lit(leaf)}) with (fillfactor = 90)`.execute(
        tx,
      );
    const attached = await sql`select 1 from pg_inherits where inhrelid = ${name}::regclass`.execute(tx);
    if (attached.rows.length === 0)
      await sql`
        alter table ledger attach partition ${month}
        for values from (${sql.lit(from)}) to (${sql.lit(to)})`.execute(tx);
  });
};

/** The table that holds an import's rows: named in every statement, so that no plan has to look for it. */
export const ledgerLeafOf = async (db: Database, importId: string): Promise<string> => {
  const month = new Date(timeOfId(importId));
  await ensureLedgerMonth(db, month);
  const { name } = monthOf(month);
  const { rows } = await sql<{ leaf: string }>`
    select ${`${name}_`}::text || n as leaf from generate_series(0, ${leaves - 1}::int) n
    where satisfies_hash_partition(${name}::regclass, ${leaves}, n, ${importId}::text)`.execute(db.sql);
  const [found] = rows;
  if (!found) throw new Error("No ledger leaf accepts this import.");
  return found.leaf;
};

/**
 * Detaches and drops the months whose last import is older than `before` and that have no open import and none whose old
 * links still lead to its copies: no row is deleted by itself.
 */
export const dropLedgerMonths = async (db: Database, before: Date): Promise<readonly string[]> => {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'ledger'::regclass order by 1`.execute(
    db.sql,
  );
  const old = rows.filter(({ name }) => {
    const [year = 0, month = 0] = name.replace("ledger_", "").split("_").map(Number);
    return Date.UTC(year, month) <= before.getTime();
  });
  const dropped: string[] = [];
  for (const { name } of old) {
    const [year = 0, month = 0] = name.replace("ledger_", "").split("_").map(Number);
    const { from, to } = monthOf(new Date(Date.UTC(year, month - 1)));
    const open = await db.sql
      .selectFrom("imports")
      .select("id")
      .where("id", ">=", from)
      .where("id", "<", to)
      .where("closed", "is", null)
      .limit(1)
      .executeTakeFirst();
    if (open) continue;
    const followed = await db.sql
      .selectFrom("oldLinks")
      .select("importId")
      .where("importId", ">=", from)
      .where("importId", "<", to)
      .limit(1)
      .executeTakeFirst();
    if (followed) continue;
    dropped.push(name);
    await sql`alter table ledger detach partition ${sql.table(name)}`.execute(db.sql);
    await sql`drop table ${sql.table(name)}`.execute(db.sql);
  }
  return dropped;
};
