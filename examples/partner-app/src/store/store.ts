import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { schema } from "./store-schema.ts";
import {
  columnOf,
  columnTypes,
  fromColumn,
  type SqlValue,
  type StreamName,
  streamNames,
  tables,
  toColumn,
} from "./store-tables.ts";

export type Values = Readonly<Record<string, unknown>>;

/** A row as the application sees it: its fields and its origin. */
export interface Row {
  readonly id: string;
  readonly key: string | null;
  readonly sourceId: string | null;
  readonly importedAt: string | null;
  readonly values: Values;
}

export interface Provenance {
  readonly key: string;
  readonly sourceId: string;
  readonly importedAt: string;
}

/** The rows of all streams. All calls are synchronous; `together` runs several changes in one transaction. */
export interface Store {
  readonly database: DatabaseSync;
  readonly folder: string;
  get(stream: StreamName, id: string): Row | null;
  byKey(stream: StreamName, key: string): Row | null;
  exists(stream: StreamName, id: string): boolean;
  insert(stream: StreamName, values: Values, from: Provenance | null): string;
  update(stream: StreamName, id: string, values: Values): void;
  remove(stream: StreamName, id: string): void;
  /** True: other rows reference this one. */
  isHeld(stream: StreamName, id: string): boolean;
  together<T>(work: () => T): T;
  close(): void;
}

const rowOf = (stream: StreamName, found: Readonly<Record<string, unknown>> | undefined): Row | null => {
  if (!found) return null;
  const values = Object.fromEntries(
    Object.entries(tables[stream].fields).map(([field, kind]) => [
      field,
      fromColumn(kind, found[columnOf(field)] as SqlValue),
    ]),
  );
  return {
    id: String(found.id),
    key: found.external_key as string | null,
    sourceId: found.source_id as string | null,
    importedAt: found.imported_at as string | null,
    values,
  };
};

/** Whether a text is an id of ours: "7e0" and " 7" are numbers, but not ids that we issued. */
const isId = (id: string) => /^[1-9]\d{0,14}$/.test(id);

/** A desk from before a field was added gets its column. */
const addMissingColumns = (database: DatabaseSync): void => {
  for (const stream of streamNames) {
    const there = new Set(
      database
        .prepare(`pragma table_info (${stream})`)
        .all()
        .map(({ name }) => String(name)),
    );
    for (const [field, kind] of Object.entries(tables[stream].fields))
      if (!there.has(columnOf(field)))
        database.exec(`alter table ${stream} add column ${columnOf(field)} ${columnTypes[kind]}`);
  }
};

const openDatabase = (folder: string): DatabaseSync => {
  mkdirSync(join(folder, "files"), { recursive: true });
  const database = new DatabaseSync(join(folder, "desk.sqlite"), { timeout: 5_000 });
  // An acknowledged write must survive a power cut: the caller won't send it again.
  database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on");
  database.exec(schema);
  addMissingColumns(database);
  return database;
};

export const openStore = (folder: string): Store => {
  const database = openDatabase(folder);
  const columnsOf = (stream: StreamName, values: Values): [readonly string[], readonly SqlValue[]] => {
    const given = Object.entries(tables[stream].fields).filter(([field]) => field in values);
    return [
      given.map(([field]) => columnOf(field)),
      given.map(([field, kind]) => toColumn(kind, values[field])),
    ];
  };
  const store: Store = {
    database,
    folder,
    get: (stream, id) =>
      isId(id) ? rowOf(stream, database.prepare(`select * from ${stream} where id = ?`).get(id)) : null,
    byKey: (stream, key) =>
      rowOf(stream, database.prepare(`select * from ${stream} where external_key = ?`).get(key)),
    exists: (stream, id) =>
      isId(id) && database.prepare(`select 1 from ${stream} where id = ?`).get(id) !== undefined,
    insert(stream, values, from) {
      const [columns, data] = columnsOf(stream, values);
      const names = [...columns, "external_key", "source_id", "imported_at"];
      const { lastInsertRowid } = database
        .prepare(`insert into ${stream} (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`)
        .run(...data, from?.key ?? null, from?.sourceId ?? null, from?.importedAt ?? null);
      return String(lastInsertRowid);
    },
    update(stream, id, values) {
      const [columns, data] = columnsOf(stream, values);
      database
        .prepare(`update ${stream} set ${columns.map((name) => `${name} = ?`).join(", ")} where id = ?`)
        .run(...data, id);
    },
    remove: (stream, id) => void database.prepare(`delete from ${stream} where id = ?`).run(id),
    isHeld: (stream, id) =>
      tables[stream].heldBy.some(
        ([table, column]) =>
          database.prepare(`select 1 from ${table} where ${column} = ? limit 1`).get(id) !== undefined,
      ) ||
      (stream !== "attachments" &&
        database
          .prepare("select 1 from attachments where parent_stream = ? and parent_id = ? limit 1")
          .get(stream, id) !== undefined),
    together(work) {
      // Takes the write lock at once, so that two processes can't both find no row and create it.
      database.exec("begin immediate");
      try {
        const result = work();
        database.exec("commit");
        return result;
      } catch (error) {
        database.exec("rollback");
        throw error;
      }
    },
    close: () => database.close(),
  };
  return store;
};
