import type { CustomValue, FamilyRecord, FamilyStream, FieldChange } from "@portage/connector-kit";
import { fieldLabel } from "./field-labels.ts";
import { ownValue } from "../model/own-value.ts";
import { isEmptyValue, sameValue, type ShownValue, shownValue } from "./shown-value.ts";
import { fieldNamesOf, holdsPeople, valueOf, wordFieldsOf } from "../model/word-fields.ts";

export interface ComparedField {
  /** The path in the record before: `status`, `customFields.cf_5`. */
  readonly field: string;
  readonly label: string;
  readonly before: ShownValue;
  readonly after: ShownValue;
  /** Absent: unchanged. `matched`: as the mapping defines it, and nothing is lost. */
  readonly change?: FieldChange["change"] | "matched";
  /** One sentence for the customer. */
  readonly why?: string;
  /** The id in the old tool of the one person it names, where people are matched. */
  readonly person?: string;
}

/** Where a custom field went, and its labels on both sides. */
export interface MovedField {
  readonly key: string;
  readonly label: string;
  readonly to: string | null;
  readonly toLabel: string;
  /** Why it went nowhere. */
  readonly why: string;
  /** The option's label. */
  readonly labelOf: (value: string) => string;
  readonly toLabelOf: (value: string) => string;
}

/** How values read in the new tool; without it custom fields keep their keys, and words stand for themselves. */
export interface ReadAs {
  readonly moved?: readonly MovedField[];
  /** The label of a word that the new tool has for a field of the family, such as its status. */
  readonly toWord?: (field: string, word: string) => string;
}

const byMatching = "As you matched it.";

/** Hidden fields: the record's id, and what is shown beside another field. */
const hiddenIn = (stream: FamilyStream): ReadonlySet<string> =>
  new Set(["id", "customFields", ...wordFieldsOf(stream).map(({ kindField }) => kindField ?? "")]);

const isId = (value: unknown): boolean =>
  typeof value === "string" ||
  (typeof value === "object" && value !== null && "id" in value && !("name" in value));

const isIdsOnly = (value: unknown): boolean => (Array.isArray(value) ? value.every(isId) : isId(value));

/** The id of a person who is matched by hand; customers are written as records. */
const personIn = (value: unknown): string | null => {
  if (typeof value !== "object" || value === null || !("stream" in value) || !("id" in value)) return null;
  const { stream, id } = value;
  return typeof stream === "string" && holdsPeople(stream) && typeof id === "string" ? id : null;
};

const isLoss = ({ change }: FieldChange) => change !== "converted";

/** A loss before a conversion; of two, the last: the tool reports after the mapping, and knows what it did. */
const worstOf = (changes: readonly FieldChange[]): FieldChange | undefined =>
  changes.findLast(isLoss) ?? changes.at(-1);

/** The change reported for a field, or for a part of it. */
const changeOf = (changes: readonly FieldChange[], field: string): FieldChange | undefined =>
  worstOf(changes.filter((change) => change.field === field)) ??
  worstOf(changes.filter((change) => change.field.startsWith(`${field}.`)));

const outcome = (
  isSame: boolean,
  isLost: boolean,
  declared: FieldChange | undefined,
): Pick<ComparedField, "change" | "why"> => {
  if (isSame) return {};
  // Whatever conversion was announced: a field that is now empty is a loss.
  if (declared)
    return { change: isLost && !isLoss(declared) ? "cleared" : declared.change, why: declared.why };
  return isLost
    ? { change: "cleared", why: "The new tool does not have it." }
    : { change: "matched", why: byMatching };
};

const compareField = (
  stream: FamilyStream,
  field: string,
  before: FamilyRecord,
  after: FamilyRecord,
  changes: readonly FieldChange[],
  toWord: NonNullable<ReadAs["toWord"]>,
): ComparedField | null => {
  const was = valueOf(before, field);
  const there = valueOf(after, field);
  const is = typeof there === "string" && there !== was ? toWord(field, there) : there;
  const isLost = !isEmptyValue(was) && isEmptyValue(is);
  if (isEmptyValue(was) && isEmptyValue(is)) return null;
  // An id has a meaning only in its own tool; it does not show whether it leads to the right copy.
  const isBareReference = Object.hasOwn(stream.relations, field) && isIdsOnly(was) && isIdsOnly(is);
  if (isBareReference && !isLost && !isEmptyValue(was)) return null;
  const person = personIn(was);
  return {
    field,
    label: fieldLabel(field),
    before: shownValue(was),
    after: shownValue(is),
    ...outcome(sameValue(was, is), isLost, changeOf(changes, field)),
    ...(person !== null && { person }),
  };
};

const withLabels = (value: CustomValue | undefined, labelOf: (word: string) => string): ShownValue => {
  if (typeof value === "string") return labelOf(value);
  return Array.isArray(value) ? value.map(labelOf) : (value ?? null);
};

const itself = (value: string) => value;

const unmoved = (key: string): MovedField => ({
  key,
  label: key,
  to: key,
  toLabel: key,
  why: "",
  labelOf: itself,
  toLabelOf: itself,
});

const compareCustom = (
  { key, label, to, toLabel, why, labelOf, toLabelOf }: MovedField,
  before: FamilyRecord,
  after: FamilyRecord,
  changes: readonly FieldChange[],
): ComparedField | null => {
  const was = ownValue(before.customFields, key);
  const is = to === null ? undefined : ownValue(after.customFields, to);
  if (isEmptyValue(was) && isEmptyValue(is)) return null;
  const shown = { before: withLabels(was, labelOf), after: withLabels(is, toLabelOf) };
  const common = { field: `customFields.${key}`, label, ...shown };
  if (to === null) return { ...common, change: "cleared", why };
  const isLost = !isEmptyValue(was) && isEmptyValue(is);
  const declared = changeOf(changes, `customFields.${to}`);
  if (!isLost && !declared && label !== toLabel)
    return { ...common, change: "matched", why: `Now in “${toLabel}”.` };
  return { ...common, ...outcome(sameValue(shown.before, shown.after), isLost, declared) };
};

/**
 * What became of each field of a record: before and after a mapping, or in the old tool and in the new one. Omits
 * fields that are empty on both sides.
 */
export const compareRecords = (
  stream: FamilyStream,
  before: FamilyRecord,
  after: FamilyRecord,
  changes: readonly FieldChange[],
  { moved = [], toWord = (_field, word) => word }: ReadAs = {},
): readonly ComparedField[] => {
  const hidden = hiddenIn(stream);
  const known = new Map(moved.map((field) => [field.key, field]));
  const own = fieldNamesOf(stream)
    .filter((field) => !hidden.has(field))
    .map((field) => compareField(stream, field, before, after, changes, toWord));
  const custom = Object.keys(before.customFields).map((key) =>
    compareCustom(known.get(key) ?? unmoved(key), before, after, changes),
  );
  return [...own, ...custom].filter((compared) => compared !== null);
};
