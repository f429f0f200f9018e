import { isDeepStrictEqual } from "node:util";
import { type FamilyRecord, type FieldChange, isRichText, type Who } from "@portage/connector-kit";

/** Why a field of a copy may differ. A difference in any other field is a fault and stays undeclared. */
export type Reasons = Readonly<Record<string, string>>;

const isWho = (value: unknown): value is Who =>
  typeof value === "object" && value !== null && "email" in value && "id" in value;

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (isWho(value) && value.id === null);

const same = (wanted: unknown, got: unknown): boolean => {
  // An account may have another name and address and still be the same person.
  if (isWho(wanted) && isWho(got) && wanted.id !== null) return wanted.id === got.id;
  if (isRichText(wanted) && isRichText(got)) return wanted.format === got.format && wanted.text === got.text;
  if (Array.isArray(wanted) && Array.isArray(got))
    return isDeepStrictEqual(
      new Set(wanted.map((one) => JSON.stringify(one))),
      new Set(got.map((one) => JSON.stringify(one))),
    );
  return isDeepStrictEqual(wanted, got);
};

const kindOf = (wanted: unknown, got: unknown): FieldChange["change"] => {
  if (isEmpty(got) || (isWho(wanted) && !isWho(got))) return "cleared";
  return typeof wanted === "string" && typeof got === "string" && wanted.startsWith(got)
    ? "truncated"
    : "converted";
};

/** Compares the record with the copy as Redmine returns it, and lists the changed fields. */
export const changesBetween = <T extends FamilyRecord>(
  wanted: T,
  got: T,
  reasons: Reasons,
): readonly FieldChange[] => {
  const a = wanted as unknown as Record<string, unknown>;
  const b = got as unknown as Record<string, unknown>;
  const changes = Object.entries(reasons).flatMap(([field, why]): FieldChange[] => {
    if (field === "customFields")
      return Object.entries(wanted.customFields)
        .filter(([key, value]) => !isDeepStrictEqual(value, got.customFields[key]))
        .map(([key, value]) => ({
          field: `customFields.${key}`,
          change: kindOf(value, got.customFields[key]),
          why,
        }));
    if (!(field in a) || same(a[field], b[field])) return [];
    return [{ field, change: kindOf(a[field], b[field]), why }];
  });
  const references = Object.keys(reasons).flatMap((field): FieldChange[] => {
    const before = a[field];
    const after = b[field];
    const moved =
      isRichText(before) &&
      isRichText(after) &&
      same(before, after) &&
      !isDeepStrictEqual(before.references, after.references);
    const why = "Redmine recognises the links of the copy itself.";
    return moved ? [{ field: `${field}.references`, change: "converted", why }] : [];
  });
  return [...changes, ...references];
};
