import pg from "pg";
import type { Dump, DumpedRow } from "./dump.ts";

export interface TableRules {
  /** Tables to leave out. */
  readonly tables: readonly string[];
  /** `table.column`, or `*.column`. */
  readonly columns: readonly string[];
  /** Which rows of a table to include, in SQL; `t` is the row. */
  readonly rows: Readonly<Record<string, string>>;
}

type At = pg.ClientConfig;

export const query = async <R extends DumpedRow>(
  at: At,
  sql: string,
  values: readonly string[] = [],
): Promise<readonly R[]> => {
  const client = new pg.Client(at);
  await client.connect();
  try {
    return (await client.query<R>(sql, [...values])).rows;
  } finally {
    await client.end();
  }
};

/** Every table of a PostgreSQL database except for those that the rules leave out. */
export const dumpTables = async (at: At, { tables, columns, rows }: TableRules): Promise<Dump> => {
  const client = new pg.Client(at);
  await client.connect();
  try {
    const all = await client.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1",
    );
    const dump: Record<string, DumpedRow[]> = {};
    for (const { name } of all.rows.filter((table) => !tables.includes(table.name))) {
      const left = columns
        .filter((each) => each.startsWith(`${name}.`) || each.startsWith("*."))
        .map((each) => each.slice(each.indexOf(".") + 1));
      const found = await client.query<{ row: DumpedRow }>(
        `select to_jsonb(t) - $1::text[] as row from "${name}" t where ${rows[name] ?? "true"}`,
        [left],
      );
      dump[name] = found.rows.map(({ row }) => row);
    }
    return dump;
  } finally {
    await client.end();
  }
};
