import type { Store } from "./store.ts";
import type { StreamName } from "./store-tables.ts";

/** A custom field that an import added to this desk. */
export interface CreatedField {
  readonly key: string;
  readonly label: string;
  readonly type: string;
  readonly options?: readonly { readonly value: string; readonly label: string }[];
}

export interface AskedField extends Omit<CreatedField, "key"> {
  readonly mark: string;
}

const fieldOf = (row: Record<string, unknown>): CreatedField => {
  const options = JSON.parse(String(row.options)) as NonNullable<CreatedField["options"]>;
  return {
    key: `added-${String(row.id)}`,
    label: String(row.label),
    type: String(row.type),
    ...(options.length > 0 && { options }),
  };
};

export const createdFields = ({ database }: Store, stream: StreamName): readonly CreatedField[] =>
  database.prepare("select * from created_fields where stream = ? order by id").all(stream).map(fieldOf);

/** Adds the field, unless it was added before: the mark is unique. */
export const addField = (
  { database }: Store,
  stream: StreamName,
  { mark, label, type, options = [] }: AskedField,
): CreatedField => {
  database
    .prepare(
      "insert or ignore into created_fields (stream, mark, label, type, options) values (?, ?, ?, ?, ?)",
    )
    .run(stream, mark, label, type, JSON.stringify(options));
  const row = database
    .prepare("select * from created_fields where stream = ? and mark = ?")
    .get(stream, mark);
  if (!row) throw new Error("The field is gone.");
  return fieldOf(row);
};

/** False: a record holds a value in it, so that it stays. */
export const removeField = (store: Store, stream: StreamName, mark: string): boolean => {
  const { database } = store;
  return store.together(() => {
    const row = database
      .prepare("select * from created_fields where stream = ? and mark = ?")
      .get(stream, mark);
    if (!row) return true;
    const used = database
      .prepare(
        `select 1 from ${stream} where exists (select 1 from json_each(custom_fields) f
         where f.key = ? and f.type <> 'null') limit 1`,
      )
      .get(fieldOf(row).key);
    if (used) return false;
    database.prepare("delete from created_fields where id = ?").run(Number(row.id));
    return true;
  });
};
