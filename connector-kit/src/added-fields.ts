import type { DestinationStream, FieldChange } from "./destination.ts";
import type { FamilyRecord, FamilyStream } from "./families/stream.ts";

type Holder = Pick<DestinationStream, "stream" | "addedFields">;

const isEmpty = (value: unknown) =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

const valueOf = (record: FamilyRecord, field: string): unknown =>
  (record as unknown as Readonly<Record<string, unknown>>)[field];

/** The family's added fields that a destination does not name: it may be older than they are, so it does not hold them. */
export const unheldFields = ({ stream, addedFields = [] }: Holder): readonly string[] =>
  stream.addedFields.filter((field) => !addedFields.includes(field));

/** Added fields without a value: a record with them equals one from before they were added. */
export const emptyAddedFields = (
  { addedFields }: Pick<FamilyStream, "addedFields">,
  record: FamilyRecord,
): readonly string[] => addedFields.filter((field) => isEmpty(valueOf(record, field)));

const why = "The new tool has no place for it.";

const unheldOf = new WeakMap<Holder, ReadonlySet<string>>();

/** Asked for every record, and the same for all of a stream. */
const knownUnheld = (to: Holder): ReadonlySet<string> => {
  const known = unheldOf.get(to) ?? new Set(unheldFields(to));
  unheldOf.set(to, known);
  return known;
};

const without = <T extends FamilyRecord>(record: T, fields: ReadonlySet<string>): T => {
  const held: Record<string, unknown> = {};
  for (const field of Object.keys(record)) if (!fields.has(field)) held[field] = valueOf(record, field);
  return held as unknown as T;
};

/**
 * The record as a destination gets it: fields that it does not hold are not in it, so that no tool meets a field that it does
 * not know, and no comparison counts one as kept. `changes` declares those that had a value.
 */
export const leaveOutUnheld = <T extends FamilyRecord>(
  to: Holder,
  record: T,
): { readonly record: T; readonly changes: readonly FieldChange[] } => {
  const unheld = knownUnheld(to);
  if (unheld.size === 0) return { record, changes: [] };
  return {
    record: without(record, unheld),
    changes: [...unheld]
      .filter((field) => !isEmpty(valueOf(record, field)))
      .map((field) => ({ field, change: "cleared", why })),
  };
};

/** What a destination declares to lose of all records: what it names, and the added fields that it does not hold. */
export const streamLosses = (to: Holder & Pick<DestinationStream, "drops">): readonly FieldChange[] => {
  const named = to.drops ?? [];
  const known = new Set(named.map(({ field }) => field));
  const unheld = unheldFields(to).filter((field) => !known.has(field));
  return [...named, ...unheld.map((field) => ({ field, change: "cleared" as const, why }))];
};
