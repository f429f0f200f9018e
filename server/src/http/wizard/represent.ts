import type { ComparedField, Facts, PreviewNames } from "../../features/mapping/index.ts";
import { type FamilyStream, findStream } from "../../features/tools/index.ts";
import type { Family } from "@portage/contract";

/** The names of people in both tools, by id, and the labels of the new tool's words. */
export const previewNames = (
  facts: (Pick<Facts, "streams"> & Partial<Pick<Facts, "people">>) | undefined,
): PreviewNames => {
  const here = new Map(facts?.people?.source.map(({ person }) => [person.id, person.name]));
  const there = new Map(facts?.people?.destination.map(({ id, name }) => [id, name]));
  const wordsOf = new Map(facts?.streams.map(({ name, destinationWords }) => [name, destinationWords]));
  return {
    nameOf: (id) => here.get(id) ?? null,
    destinationNameOf: (id) => there.get(id) ?? null,
    destinationWordOf: (stream, field, word) => {
      const words = wordsOf.get(stream);
      const known = words && Object.hasOwn(words, field) ? words[field] : [];
      return known?.find(({ value }) => value === word)?.label || word;
    },
  };
};

/** Longer texts are of no use in a comparison by eye. */
const longestShown = 50_000;

const isLong = (value: ComparedField["before"]) => typeof value === "string" && value.length > longestShown;

/** Truncates without splitting a surrogate pair. */
const cut = (value: ComparedField["before"]) =>
  typeof value === "string" ? value.slice(0, longestShown).toWellFormed() : value;

/** Truncates long texts, which bounds the size of the response. */
export const shownFields = (fields: readonly ComparedField[]) => ({
  fields: fields.map((field) => ({ ...field, before: cut(field.before), after: cut(field.after) })),
  shortened: fields.filter(({ before, after }) => isLong(before) || isLong(after)).map(({ field }) => field),
});

/** The display name of a stream, such as "Tickets". */
export const streamLabel = (family: Family, name: string): string => {
  const stream: FamilyStream | undefined = findStream(family, name);
  return stream?.label ?? name;
};

/** A contract body before JSON serialization: dates are still Date objects. */
export type Unsent<T> = T extends string
  ? string extends T
    ? string | Date
    : T
  : T extends object
    ? { readonly [K in keyof T]: Unsent<T[K]> }
    : T;

/** A tool's address, only if it is http or https: the page shows it as a link. */
export const webAddress = (address: string | null | undefined): string | null =>
  address && /^https?:\/\//i.test(address) ? address : null;
