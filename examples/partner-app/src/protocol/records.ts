import { helpdesk } from "@portage/connector-kit";
import type { Row, Store, Values } from "../store/store.ts";
import { type StreamName, tables } from "../store/store-tables.ts";

export interface Change {
  readonly field: string;
  readonly change: "cleared" | "truncated" | "converted";
  readonly why: string;
}

export type Checked =
  | { readonly kind: "fits"; readonly values: Values; readonly sourceId: string; readonly changes: Change[] }
  | { readonly kind: "refused"; readonly code: string; readonly message: string; readonly field?: string };

const parentStreams = ["tickets", "comments", "articles"] as const;

const orphan = (field: string): Checked => ({
  kind: "refused",
  code: "parent_missing",
  message: "The parent record does not exist.",
  field,
});

/** From the family's record to our columns. Clears and reports references without a target; refuses required ones. */
export const toValues = (store: Store, stream: StreamName, record: unknown): Checked => {
  const checked = helpdesk[stream].schema.safeParse(record);
  if (!checked.success) {
    const field = checked.error.issues[0]?.path.join(".") ?? "";
    return {
      kind: "refused",
      code: "invalid_record",
      message: "A field is invalid.",
      field: field.slice(0, 200),
    };
  }
  const { id: sourceId, ...fields } = checked.data;
  const values: Record<string, unknown> = { ...fields };
  const changes: Change[] = [];
  for (const [field, { to, required }] of Object.entries(tables[stream].points)) {
    const id = values[field];
    if (typeof id !== "string" || store.exists(to, id)) continue;
    if (required) return orphan(field);
    values[field] = null;
    changes.push({ field, change: "cleared", why: `There is no such entry in ${to}.` });
  }
  // SQLite's texts are UTF-8, which can't encode half of a surrogate pair.
  for (const [field, kind] of Object.entries(tables[stream].fields)) {
    const text = values[field];
    if (kind !== "text" || typeof text !== "string" || text.isWellFormed()) continue;
    values[field] = text.toWellFormed();
    changes.push({ field, change: "converted", why: "A broken character was replaced." });
  }
  if (stream === "attachments") {
    const parent = values.parent as { stream: string; id: string };
    const known = parentStreams.find((name) => name === parent.stream);
    if (!known || !store.exists(known, parent.id)) return orphan("parent");
    values.parentStream = parent.stream;
    values.parentId = parent.id;
  }
  return { kind: "fits", values, sourceId, changes };
};

/** From our columns to the family's record. */
export const toRecord = (stream: StreamName, { id, values }: Row): Record<string, unknown> => {
  if (stream !== "attachments") return { id, ...values };
  const { parentStream, parentId, sha256: _, path: __, ...fields } = values;
  return { id, ...fields, parent: { stream: parentStream, id: parentId } };
};
