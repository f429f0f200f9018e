import type { Store } from "../store/store.ts";
import type { StreamName } from "../store/store-tables.ts";
import { toRecord } from "./records.ts";

export const findRecords = (store: Store, stream: StreamName, keys: readonly string[]) => ({
  found: keys.flatMap((key) => {
    const row = store.byKey(stream, key);
    return row ? [{ key, ids: [row.id] }] : [];
  }),
});

export const readRecords = (store: Store, stream: StreamName, ids: readonly string[]) => ({
  records: ids.map((id) => {
    const row = store.get(stream, id);
    return row && toRecord(stream, row);
  }),
});

const kept = (id: string, code: string, message: string) => ({ id, kind: "kept" as const, code, message });

/** Removes records that have the key; keeps a record that others belong to. */
export const removeRecords = (
  store: Store,
  stream: StreamName,
  items: readonly { readonly id: string; readonly key: string }[],
) => {
  const unneeded: string[] = [];
  const results = store.together(() =>
    items.map(({ id, key }) => {
      const row = store.get(stream, id);
      if (!row) return { id, kind: "removed" as const };
      if (row.key !== key) return kept(id, "other_key", "This record has another key.");
      if (store.isHeld(stream, id)) return kept(id, "in_use", "Other records belong to this one.");
      store.remove(stream, id);
      if (stream === "attachments" && row.values.path !== "") unneeded.push(String(row.values.path));
      return { id, kind: "removed" as const };
    }),
  );
  return { results, unneeded };
};
