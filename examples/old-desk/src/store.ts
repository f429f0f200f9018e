import { type TableName, type Tables, tableNames } from "./tables.ts";

type Rows = { readonly [T in TableName]: Map<number, Tables[T]> };

export interface Store {
  add<T extends TableName>(
    table: T,
    row: Omit<Tables[T], "id" | "changed"> & { changed?: string },
  ): Tables[T];
  get<T extends TableName>(table: T, id: number): Tables[T] | undefined;
  all<T extends TableName>(table: T): readonly Tables[T][];
  change<T extends TableName>(table: T, id: number, fields: Partial<Tables[T]>): void;
  remove(table: TableName, id: number): void;
  keepContent(fileId: number, content: Buffer): void;
  contentOf(fileId: number): Buffer | undefined;
}

/** Everything in memory: the demo starts afresh each time. */
export const createStore = (): Store => {
  const rows = Object.fromEntries(tableNames.map((name) => [name, new Map()])) as unknown as Rows;
  const lastIds = new Map<TableName, number>();
  const contents = new Map<number, Buffer>();
  const tableOf = <T extends TableName>(name: T) => rows[name] as Map<number, Tables[T]>;
  return {
    add(table, fields) {
      // Ids are never used again, also not those of removed rows.
      const id = (lastIds.get(table) ?? 0) + 1;
      lastIds.set(table, id);
      const row = {
        ...fields,
        changed: fields.changed ?? fields.made,
        id,
      } as unknown as Tables[typeof table];
      tableOf(table).set(id, row);
      return row;
    },
    get: (table, id) => tableOf(table).get(id),
    all: (table) => [...tableOf(table).values()],
    change(table, id, fields) {
      const before = tableOf(table).get(id);
      if (before) tableOf(table).set(id, { ...before, changed: new Date().toISOString(), ...fields });
    },
    remove: (table, id) => void tableOf(table).delete(id),
    keepContent: (fileId, content) => void contents.set(fileId, content),
    contentOf: (fileId) => contents.get(fileId),
  };
};
