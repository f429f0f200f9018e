import type { CustomValue } from "../families/custom-field.ts";
import type { Who } from "../families/record-parts.ts";
import { oneLine, truncate } from "./truncate.ts";

const short = (text: string, max: number): string => {
  const flat = oneLine(text);
  return flat.length > max ? `${truncate(flat, max)}…` : flat;
};

export const personLine = ({ name, email }: Who): string =>
  short([name, email ? `<${email}>` : null].filter((part) => part !== null).join(" ") || "unknown", 100);

export const momentLine = (moment: string): string => `${moment.slice(0, 16).replace("T", " ")} UTC`;

type Value = Who | CustomValue | readonly string[] | undefined;

const isMoment = (text: string) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text);

const shown = (value: Value): string | null => {
  if (value === null || value === undefined || value === "") return null;
  if (Array.isArray(value)) return value.length > 0 ? short(value.join(", "), 300) : null;
  if (typeof value === "object") return personLine(value as Who);
  const text = String(value);
  return isMoment(text) ? momentLine(text) : short(text, 200);
};

/** Values that a tool can't hold. */
export interface Origin {
  readonly author?: Who | null;
  readonly createdAt?: string | null;
  readonly updatedAt?: string | null;
  /** By label, in this order: people, moments, lists, texts. */
  readonly also?: Readonly<Record<string, Value>>;
  readonly tags?: readonly string[];
  readonly customFields?: Readonly<Record<string, CustomValue>>;
}

const labelled = (values: Readonly<Record<string, Value>>, atMost: number) =>
  Object.entries(values)
    .flatMap(([label, value]) => {
      const text = shown(value);
      return text === null ? [] : [`${label}: ${text}`];
    })
    .slice(0, atMost);

/** The values that a tool can't hold, in one line for its readers; empty if there are none. */
export const originLine = (origin: Origin): string => {
  const { author, createdAt = null, updatedAt = null, also = {}, tags = [], customFields = {} } = origin;
  const parts = [
    ...(author ? [`by ${personLine(author)}`] : []),
    ...(createdAt === null ? [] : [`on ${momentLine(createdAt)}`]),
    ...(updatedAt === null || updatedAt === createdAt ? [] : [`last changed on ${momentLine(updatedAt)}`]),
    ...labelled(also, 40),
    ...labelled({ Tags: tags }, 1),
    ...labelled(customFields, 20),
  ];
  return short(parts.join("; "), 2_000);
};

/** The custom fields that the tool does not have. */
export const strangeFields = (
  { customFields }: { readonly customFields: Readonly<Record<string, CustomValue>> },
  known: Iterable<string> = [],
): Readonly<Record<string, CustomValue>> => {
  const own = new Set(known);
  return Object.fromEntries(Object.entries(customFields).filter(([key]) => !own.has(key)));
};
