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

const listed = new WeakMap<FamilyStream["relations"], readonly (readonly [string, Relation])[]>();

/** Listed once: this is asked for every record. */
const relationsOf = ({ relations }: Pick<FamilyStream, "relations">) => {
  const known = listed.get(relations);
  if (known) return known;
  const list = Object.entries(relations);
  listed.set(relations, list);
  return list;
};

const single = (relation: Relation) => relation.to[0];

const addReferences = (found: Reference[], field: string, relation: Relation, value: unknown): void => {
  if (typeof value === "string") found.push({ field, stream: single(relation), id: value });
  else if (Array.isArray(value)) for (const each of value) addReferences(found, field, relation, each);
  else if (isPointer(value) && value.stream !== null && value.id !== null)
    found.push({ field, stream: value.stream, id: value.id });
};

/** All records that a record's relations point to; `textReferencesOf` finds those in its texts. */
export const referencesOf = <T extends FamilyRecord>(
  stream: FamilyStream<T>,
  record: T,
): readonly Reference[] => {
  const found: Reference[] = [];
  for (const [field, relation] of relationsOf(stream))
    addReferences(found, field, relation, (record as unknown as Record<string, unknown>)[field]);
  return found;
};

/**
 * The relations to a record's owners, with which it is copied and removed: its parent, or both ends of a link, which
 * has no parent.
 */
export const ownerFieldsOf = ({ parent, relations }: FamilyStream): readonly string[] => {
  if (parent !== null) return [parent];
  const needed = relationsOf({ relations }).filter(([, { missing }]) => missing === "skip");
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

/** The value with other ids; `lose` is called for each target that has none. */
const resolved = (relation: Relation, value: unknown, resolve: Resolve, lose: () => void): unknown => {
  const idOf = (stream: string, id: string) => {
    const found = resolve({ stream, id });
    if (found === null) lose();
    return found;
  };
  if (typeof value === "string") return idOf(single(relation), value);
  if (Array.isArray(value))
    return value
      .map((each) => resolved(relation, each, resolve, lose))
      .filter((each) => each !== null && !(isPointer(each) && each.id === null));
  if (isPointer(value) && value.stream !== null && value.id !== null) {
    const found = idOf(value.stream, value.id);
    // A person without a match keeps the name; nothing is left of any other pointer.
    return found === null && !("name" in value) ? null : { ...value, id: found };
  }
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
  for (const [field, relation] of relationsOf(stream)) {
    // A field that the destination does not hold is not in the record.
    if (!Object.hasOwn(changed, field)) continue;
    let isLost = false;
    changed[field] = resolved(relation, changed[field], resolve, () => {
      isLost = true;
    });
    if (isLost && relation.missing === "skip") return { kind: "missing", field };
    if (isLost) cleared.push(field);
  }
  return { kind: "resolved", record: changed as unknown as T, cleared };
};
