import type { FamilyRecord, FamilyStream, Relation } from "./stream.ts";

/** A reference from one record to another. */
export interface Reference {
  /** The relation's field, or the path of a rich text: `body`. */
  readonly field: string;
  readonly stream: string;
  readonly id: string;
}

/** Returns the current id of the referenced record; null: it has none. */
export type Resolve = (to: { readonly stream: string; readonly id: string }) => string | null;

interface Pointer {
  readonly stream: string | null;
  readonly id: string | null;
}

const isPointer = (value: unknown): value is Pointer =>
  typeof value === "object" && value !== null && "id" in value && "stream" in value;

const single = (relation: Relation) => relation.to[0];

const pointersIn = (relation: Relation, value: unknown): readonly { stream: string; id: string }[] => {
  if (Array.isArray(value)) return value.flatMap((each) => pointersIn(relation, each));
  if (typeof value === "string") return [{ stream: single(relation), id: value }];
  if (isPointer(value) && value.stream !== null && value.id !== null)
    return [{ stream: value.stream, id: value.id }];
  return [];
};

/** All records that a record's relations point to; `textReferencesOf` finds those in its texts. */
export const referencesOf = <T extends FamilyRecord>(
  stream: FamilyStream<T>,
  record: T,
): readonly Reference[] =>
  Object.entries(stream.relations).flatMap(([field, relation]) =>
    pointersIn(relation, (record as unknown as Record<string, unknown>)[field]).map((to) => ({
      field,
      ...to,
    })),
  );

/**
 * The relations to a record's owners, with which it is copied and removed: its parent, or both ends of a link, which
 * has no parent.
 */
export const ownerFieldsOf = ({ parent, relations }: FamilyStream): readonly string[] => {
  if (parent !== null) return [parent];
  const needed = Object.entries(relations).filter(([, { missing }]) => missing === "skip");
  return needed.length > 1 ? needed.map(([field]) => field) : [];
};

/** The owners of a record. */
export const ownersOf = <T extends FamilyRecord>(
  stream: FamilyStream<T>,
  record: T,
): readonly Reference[] => {
  const fields = ownerFieldsOf(stream);
  return referencesOf(stream, record).filter(({ field }) => fields.includes(field));
};

const resolved = (relation: Relation, value: unknown, resolve: Resolve): unknown => {
  if (Array.isArray(value))
    return value
      .map((each) => resolved(relation, each, resolve))
      .filter((each) => each !== null && !(isPointer(each) && each.id === null));
  if (typeof value === "string") return resolve({ stream: single(relation), id: value });
  if (isPointer(value) && value.stream !== null && value.id !== null)
    return { ...value, id: resolve({ stream: value.stream, id: value.id }) };
  return value;
};

export type Resolved<T> =
  | { readonly kind: "resolved"; readonly record: T; readonly cleared: readonly string[] }
  /** A relation that the record needs has no target. */
  | { readonly kind: "missing"; readonly field: string };

/** Replaces every id by the result of `resolve`; the relations define what happens to missing ones. */
export const resolveReferences = <T extends FamilyRecord>(
  stream: FamilyStream<T>,
  record: T,
  resolve: Resolve,
): Resolved<T> => {
  const changed = { ...record } as unknown as Record<string, unknown>;
  const cleared: string[] = [];
  for (const [field, relation] of Object.entries(stream.relations)) {
    // A field that the destination does not hold is not in the record.
    if (!Object.hasOwn(changed, field)) continue;
    const lost = pointersIn(relation, changed[field]).some((to) => resolve(to) === null);
    if (lost && relation.missing === "skip") return { kind: "missing", field };
    if (lost) cleared.push(field);
    changed[field] = resolved(relation, changed[field], resolve);
  }
  return { kind: "resolved", record: changed as unknown as T, cleared };
};
