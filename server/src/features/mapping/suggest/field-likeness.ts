import type { CustomField, CustomFieldType } from "@portage/connector-kit";
import { folded, wordsOf } from "../model/fold.ts";
import { typeFit } from "./type-fit.ts";

/** A field with its comparison keys, computed once. */
export interface ComparableField {
  readonly field: CustomField;
  readonly label: string;
  readonly words: ReadonlySet<string>;
  /** The folded labels of the options; null: there are none to compare. */
  readonly options: ReadonlySet<string> | null;
}

/** What two fields have in common: their names, their types, and values of lists. */
export interface LikenessWhy {
  readonly kind: "alike";
  /** Null: they are alike by their values alone. */
  readonly name: "same" | "nearly" | "similar" | null;
  readonly from: CustomFieldType;
  readonly to: CustomFieldType;
  /** Null: there are no lists to compare. */
  readonly values: { readonly same: number; readonly total: number } | null;
}

export interface Likeness {
  /** From 0 to 1. */
  readonly confidence: number;
  readonly why: LikenessWhy;
}

/** Words that do not distinguish fields. */
const idle = new Set(["the", "a", "of", "for", "in", "on", "field", "custom", "is"]);

const synonyms: Readonly<Record<string, string>> = {
  nr: "number",
  no: "number",
  num: "number",
  id: "number",
  end: "until",
  ends: "until",
  expires: "until",
  expiry: "until",
  expiration: "until",
  start: "from",
  begin: "from",
  begins: "from",
  telephone: "phone",
  tel: "phone",
  organisation: "company",
  organization: "company",
  account: "company",
  client: "customer",
  kind: "type",
  category: "type",
  cost: "price",
  costs: "price",
  site: "location",
  place: "location",
  dept: "department",
};

export const prepare = (field: CustomField): ComparableField => {
  const all = wordsOf(field.label);
  const telling = all.filter((word) => !idle.has(word));
  const { options } = field;
  return {
    field,
    label: folded(field.label),
    words: new Set((telling.length > 0 ? telling : all).map((word) => synonyms[word] ?? word)),
    options:
      options && options.length > 0 ? new Set(options.map(({ label }) => folded(label) || label)) : null,
  };
};

const shared = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  const [few, many] = a.size <= b.size ? [a, b] : [b, a];
  let count = 0;
  for (const each of few) if (many.has(each)) count += 1;
  return count;
};

const nameLikeness = (a: ComparableField, b: ComparableField): number => {
  if (a.label !== "" && a.label === b.label) return 1;
  const common = shared(a.words, b.words);
  if (common === 0) return 0;
  if (common === a.words.size && common === b.words.size) return 0.9;
  return (0.8 * 2 * common) / (a.words.size + b.words.size);
};

const rounded = (value: number) => Math.round(value * 100) / 100;

const nameReason = (likeness: number) => {
  if (likeness === 1) return "same";
  return likeness === 0.9 ? "nearly" : "similar";
};

/** How likely two fields mean the same, and why; null: they have nothing in common, or no value would survive. */
export const likenessOf = (a: ComparableField, b: ComparableField): Likeness | null => {
  const type = typeFit(a.field.type, b.field.type);
  if (type === 0) return null;
  const name = nameLikeness(a, b);
  const same = a.options && b.options ? shared(a.options, b.options) : null;
  const total = a.options?.size ?? 0;
  const share = same === null || total === 0 ? null : same / total;
  const byName = name * type * (share === null ? 1 : 0.6 + 0.4 * share);
  // By options alone, if there are enough that they can't be equal by chance.
  const byOptions = share !== null && total >= 3 && share >= 0.6 ? (0.5 + 0.4 * share) * type : 0;
  const common: Omit<LikenessWhy, "name"> = {
    kind: "alike",
    from: a.field.type,
    to: b.field.type,
    values: same === null || share === null ? null : { same, total },
  };
  if (byOptions > byName) return { confidence: rounded(byOptions), why: { ...common, name: null } };
  return byName < 0.3 ? null : { confidence: rounded(byName), why: { ...common, name: nameReason(name) } };
};
