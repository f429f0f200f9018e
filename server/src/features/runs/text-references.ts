import type { FamilyRecord, Resolve, RichText } from "@portage/connector-kit";

const isRichText = (value: unknown): value is RichText =>
  typeof value === "object" &&
  value !== null &&
  "format" in value &&
  "text" in value &&
  "references" in value;

/**
 * The record with the references of its texts leading to copies: what a tool writes in its own way (a number after a
 * mark, a file's name) is for its connector to put in place. Those without a copy lead nowhere.
 */
export const resolveTextReferences = <T extends FamilyRecord>(record: T, resolve: Resolve): T => {
  const changed = Object.entries(record).flatMap(([field, value]) => {
    if (!isRichText(value) || value.references.length === 0) return [];
    const references = value.references.map((reference) => {
      const id = reference.to ? resolve(reference.to) : null;
      return { ...reference, to: reference.to && id !== null ? { stream: reference.to.stream, id } : null };
    });
    return [[field, { ...value, references }] as const];
  });
  return changed.length === 0 ? record : { ...record, ...Object.fromEntries(changed) };
};
