import { isDeepStrictEqual } from "node:util";
import { isRichText, isWho, type RichText } from "@portage/connector-kit";
import { convertRichText, findReferences } from "@portage/connector-kit/rich-text";

/** A value as a person can read it; times stay ISO 8601, for the reader's own zone. */
export type ShownValue = string | number | boolean | null | readonly string[];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isEmptyValue = (value: unknown): boolean => {
  if (value === null || value === undefined || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  if (isWho(value)) return value.id === null && value.name === null && value.email === null;
  return isRichText(value) && value.text === "";
};

/** People don't read HTML; other markup is made to be read. */
const readable = (value: RichText): string =>
  value.format === "html" ? convertRichText(value, "plain").text : value.text;

const textOf = (value: unknown): string => {
  const shown = shownValue(value);
  return Array.isArray(shown) ? shown.join(", ") : String(shown ?? "");
};

export const shownValue = (value: unknown): ShownValue => {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map(textOf);
  if (isWho(value)) return value.name ?? value.email ?? value.id;
  if (isRichText(value)) return readable(value);
  if (isObject(value) && typeof value.id === "string") return value.id;
  return isObject(value) ? Object.values(value).map(textOf).filter(Boolean).join(", ") : null;
};

const moment = /^\d{4}-\d{2}-\d{2}T/;

const wholeSecond = (text: string) => Math.floor(Date.parse(text) / 1000);

/** Copies have other addresses, but as many images and links. */
const referenceCount = (value: RichText) => findReferences(value).length;

const oneSpace = (text: string) => text.replace(/\s+/g, " ").trim();

/** Whether both values read the same: tools keep whole seconds, and their own line breaks. */
export const sameValue = (a: unknown, b: unknown): boolean => {
  if (isEmptyValue(a) && isEmptyValue(b)) return true;
  if (typeof a === "string" && typeof b === "string")
    return moment.test(a) && moment.test(b) ? wholeSecond(a) === wholeSecond(b) : a === b;
  // A matched person has another id there; a person without a match has lost it.
  if (isWho(a) && isWho(b)) return shownValue(a) === shownValue(b) && (a.id === null) === (b.id === null);
  if (isRichText(a) && isRichText(b))
    return (
      oneSpace(a.text) === oneSpace(b.text) ||
      (a.format === "html" &&
        b.format === "html" &&
        oneSpace(readable(a)) === oneSpace(readable(b)) &&
        referenceCount(a) === referenceCount(b))
    );
  if (Array.isArray(a) && Array.isArray(b))
    return isDeepStrictEqual(a.map(textOf).toSorted(), b.map(textOf).toSorted());
  return isDeepStrictEqual(a, b);
};
