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
