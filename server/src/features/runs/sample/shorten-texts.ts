import { type FamilyRecord, isRichText } from "@portage/connector-kit";

/** More than a person compares by eye. */
export const longestKeptText = 50_000;

/** Never in the middle of a character. */
const cut = (text: string) => text.slice(0, longestKeptText).replace(/[\ud800-\udbff]$/, "");

const shortened = (value: unknown): unknown => {
  if (typeof value === "string") return value.length > longestKeptText ? cut(value) : value;
  if (isRichText(value) && value.text.length > longestKeptText) return { ...value, text: cut(value.text) };
  return value;
};

/** A record as a review keeps it: its texts may be of any length, and a review must not be. */
export const shortenTexts = (
  record: FamilyRecord,
): { readonly record: FamilyRecord; readonly fields: readonly string[] } => {
  const fields: string[] = [];
  const short = (path: string, value: unknown) => {
    const made = shortened(value);
    if (made !== value) fields.push(path);
    return made;
  };
  const entries = Object.entries(record).map(([name, value]) => [name, short(name, value)] as const);
  const custom = Object.entries(record.customFields).map(
    ([key, value]) => [key, short(`customFields.${key}`, value)] as const,
  );
  return {
    record: { ...Object.fromEntries(entries), customFields: Object.fromEntries(custom) } as FamilyRecord,
    fields,
  };
};
