import type { writeCall } from "@portage/contract/destination-protocol";
import type { z } from "zod";
import { personByEmail } from "../store/store-calls.ts";
import { findUpload, forgetUpload } from "../store/store-files.ts";
import type { Row, Store, Values } from "../store/store.ts";
import type { StreamName } from "../store/store-tables.ts";
import { type Change, toRecord, toValues } from "./records.ts";

type Item = z.output<typeof writeCall>["items"][number];

const rejected = (key: string, code: string, message: string, field?: string) => ({
  key,
  kind: "rejected" as const,
  code,
  message,
  ...(field && { field }),
});

type Bytes =
  | {
      readonly kind: "known";
      readonly values: Values;
      readonly unneeded: string | null;
      readonly changes: Change[];
    }
  | { readonly kind: "missing" };

/** The bytes of a file: those of the upload with its key, or its current ones, whichever match the signed call. */
const bytesOf = (store: Store, { key, file }: Item, existing: Row | null, declared: unknown): Bytes => {
  const held = existing?.values as { sha256: string; size: number; path: string } | undefined;
  const upload = findUpload(store.database, key);
  const fits = (each: { sha256: string; size: number } | null | undefined) =>
    each && (!file || (each.sha256 === file.sha256 && each.size === file.size));
  const chosen = file && fits(upload) ? upload : fits(held) ? held : null;
  if (!chosen) return { kind: "missing" };
  const { size, sha256, path } = chosen;
  const changes: Change[] =
    declared === size
      ? []
      : [{ field: "size", change: "converted", why: "This is the length of the received bytes." }];
  return {
    kind: "known",
    values: { size, sha256, path },
    unneeded: held && held.path !== path ? held.path : null,
    changes,
  };
};

/** A link has an address in place of bytes. */
const linkInstead = (existing: Row | null, declared: unknown): Bytes => ({
  kind: "known",
  values: { size: 0, sha256: "", path: "" },
  unneeded: existing ? String(existing.values.path) || null : null,
  changes:
    declared === 0 ? [] : [{ field: "size", change: "converted", why: "A link has no bytes of its own." }],
});

const writeOne = (store: Store, stream: StreamName, item: Item, importedAt: string, unneeded: string[]) => {
  const { key, id } = item;
  const checked = toValues(store, stream, item.record);
  if (checked.kind === "refused") return rejected(key, checked.code, checked.message, checked.field);
  const existing = store.byKey(stream, key);
  if (id !== null && existing?.id !== id)
    return rejected(key, "other_record", "The record with this id is gone, or has another key.");
  const { values, sourceId } = checked;
  const changes = [...checked.changes];
  if (stream === "users" && !existing && typeof values.email === "string") {
    const known = personByEmail(store.database, values.email, key);
    if (known !== null) return { key, kind: "matched" as const, id: known };
  }
  let bytes: Values = {};
  if (stream === "attachments") {
    const found =
      typeof values.url === "string"
        ? linkInstead(existing, values.size)
        : bytesOf(store, item, existing, values.size);
    if (found.kind === "missing")
      return rejected(key, "file_missing", "There is no upload with this key and these bytes.");
    bytes = found.values;
    changes.push(...found.changes);
    if (found.unneeded) unneeded.push(found.unneeded);
    forgetUpload(store, key);
  }
  const all = { ...values, ...bytes };
  const written = existing?.id ?? store.insert(stream, all, { key, sourceId, importedAt });
  if (existing) store.update(stream, written, all);
  const row = store.get(stream, written) as Row;
  return { key, kind: "written" as const, id: written, record: toRecord(stream, row), changes };
};

/**
 * Creates or changes a batch in one transaction: a caller that sends it again finds all of it or nothing. It only
 * writes rows, so it sends no mail.
 */
export const writeRecords = (store: Store, stream: StreamName, items: readonly Item[], now: number) => {
  const unneeded: string[] = [];
  const importedAt = new Date(now).toISOString();
  const outcomes = store.together(() =>
    items.map((item) => writeOne(store, stream, item, importedAt, unneeded)),
  );
  return { outcomes, unneeded };
};
