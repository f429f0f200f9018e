import type { Database } from "../../server/src/platform/db.ts";

const tables = {
  partners: "id",
  api_tokens: "id",
  imports: "id",
  money_postings: "id",
  money_entries: "id",
  import_warnings: "import_id || code || stream",
  audit: "import_id || seq",
  outbox: "id",
  events: "id",
  idempotency_keys: "partner_id || key",
} as const;

/** Every row as text, with the transaction that wrote it: this shows even an update without a change. */
export const snapshotRows = async (db: Database): Promise<ReadonlyMap<string, string>> => {
  const rows = new Map<string, string>();
  for (const [table, key] of Object.entries(tables)) {
    const found = await db.pool.query<{ key: string; row: string }>(
      `select (${key})::text as key, md5(xmin::text || t::text) as row from ${table} t`,
    );
    for (const { key: id, row } of found.rows) rows.set(`${table} ${id}`, row);
  }
  return rows;
};

/** All rows of some imports, in every table that has rows of imports. */
export const snapshotImports = async (
  db: Database,
  importIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const { rows: columns } = await db.pool.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attname = 'import_id'`,
  );
  const rows = new Map<string, string>();
  const tablesOfImports = [["imports", "id"], ...columns.map(({ name }) => [name, "import_id"])];
  for (const [table, column] of tablesOfImports) {
    const found = await db.pool.query<{ at: string; row: string }>(
      `select t.tableoid || ' ' || t.ctid as at, md5(t.xmin::text || t::text) as row from ${table} t
       where t.${column} = any($1)`,
      [importIds],
    );
    for (const { at, row } of found.rows) rows.set(`${table} ${at}`, row);
  }
  return rows;
};
