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
  const { rows } = await db.pool.query<{ there: boolean }>("select to_regclass($1) is not null as there", [
    name,
  ]);
  if (rows[0]?.there) return;
  const client = await db.pool.connect();
  try {
    await client.query("begin");
    await client.query("select pg_advisory_xact_lock(hashtextextended('ledger months', 0))");
    // Attached afterwards: that does not wait for readers of other months.
    await client.query(
      `create table if not exists ${name} (like ledger including all) partition by hash (import_id)`,
    );
    for (let leaf = 0; leaf < leaves; leaf += 1)
      await client.query(
        `create table if not exists ${name}_${leaf} partition of ${name}
         for values with (modulus ${leaves}, remainder ${leaf}) with (fillfactor = 90)`,
      );
    const attached = await client.query("select 1 from pg_inherits where inhrelid = $1::regclass", [name]);
    if (attached.rowCount === 0)
      await client.query(
        `alter table ledger attach partition ${name} for values from ('${from}') to ('${to}')`,
      );
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
};

/** The table that holds an import's rows: named in every statement, so that no plan has to look for it. */
export const ledgerLeafOf = async (db: Database, importId: string): Promise<string> => {
  const month = new Date(timeOfId(importId));
  await ensureLedgerMonth(db, month);
  const { name } = monthOf(month);
  const { rows } = await db.pool.query<{ leaf: string }>(
    `select $1 || '_' || n as leaf from generate_series(0, ${leaves - 1}) n
     where satisfies_hash_partition($1::regclass, ${leaves}, n, $2::text)`,
    [name, importId],
  );
  const [found] = rows;
  if (!found) throw new Error("No ledger leaf accepts this import.");
  return found.leaf;
};

/**
 * Detaches and drops the months whose last import is older than `before` and that have no open import: no row is
 * deleted by itself.
 */
export const dropLedgerMonths = async (db: Database, before: Date): Promise<readonly string[]> => {
  const { rows } = await db.pool.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'ledger'::regclass order by 1`,
  );
  const old = rows.filter(({ name }) => {
    const [year = 0, month = 0] = name.replace("ledger_", "").split("_").map(Number);
    return Date.UTC(year, month) <= before.getTime();
  });
  const dropped: string[] = [];
  for (const { name } of old) {
    const [year = 0, month = 0] = name.replace("ledger_", "").split("_").map(Number);
    const { from, to } = monthOf(new Date(Date.UTC(year, month - 1)));
    const open = await db.pool.query(
      "select 1 from imports where id >= $1 and id < $2 and closed is null limit 1",
      [from, to],
    );
    if (open.rowCount !== 0) continue;
    dropped.push(name);
    await db.pool.query(`alter table ledger detach partition ${name}`);
    await db.pool.query(`drop table ${name}`);
  }
  return dropped;
};
