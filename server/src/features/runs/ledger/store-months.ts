import { sql } from "kysely";
import type { Database } from "../../../platform/db.ts";
import { timeOfId } from "../../../platform/ids.ts";

const leaves = 8;

const monthOf = (at: Date) => {
  const [year, month] = [at.getUTCFullYear(), String(at.getUTCMonth() + 1).padStart(2, "0")];
  return { name: `ledger_${year}_${month}`, firstDay: `${year}-${month}-01` };
};

/** Creates the ledger's tables of one month, if missing. Safe to call from several processes at once. */
export const ensureLedgerMonth = async (db: Database, at: Date): Promise<void> => {
  const { name, firstDay } = monthOf(at);
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass(${name}) is not null as there`.execute(db.sql);
  // The owner of the tables does it: this process may not be allowed to change the schema.
  if (!rows[0]?.there) await sql`select create_ledger_month(${firstDay}::date)`.execute(db.sql);
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
  const dropped: string[] = [];
  for (const { name } of rows) {
    const [year = 0, month = 0] = name.replace("ledger_", "").split("_").map(Number);
    if (Date.UTC(year, month) > before.getTime()) continue;
    const { firstDay } = monthOf(new Date(Date.UTC(year, month - 1)));
    const answer = await sql<{ done: boolean }>`select drop_ledger_month(${firstDay}::date) as done`.execute(
      db.sql,
    );
    if (answer.rows[0]?.done) dropped.push(name);
  }
  return dropped;
};
