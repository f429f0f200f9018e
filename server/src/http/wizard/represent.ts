import type { ComparedField, Facts } from "../../features/mapping/index.ts";
import { type FamilyStream, findStream } from "../../features/tools/index.ts";
import type { Family } from "@portage/contract";

/** What people are called on either side. */
export const peopleNames = (facts: Facts | undefined) => {
  const here = new Map(facts?.people.source.map(({ person }) => [person.id, person.name]));
  const there = new Map(facts?.people.destination.map(({ id, name }) => [id, name]));
  return {
    nameOf: (id: string) => here.get(id) ?? null,
    destinationNameOf: (id: string) => there.get(id) ?? null,
  };
};

/** More than anybody compares by eye. */
const longestShown = 50_000;

const isLong = (value: ComparedField["before"]) => typeof value === "string" && value.length > longestShown;

/** Never in the middle of a character. */
const cut = (value: ComparedField["before"]) =>
  typeof value === "string" ? value.slice(0, longestShown).toWellFormed() : value;

/** Fields as they are shown: texts may be of any length, and an answer must not be. */
export const shownFields = (fields: readonly ComparedField[]) => ({
  fields: fields.map((field) => ({ ...field, before: cut(field.before), after: cut(field.after) })),
  shortened: fields.filter(({ before, after }) => isLong(before) || isLong(after)).map(({ field }) => field),
});

/** What people call a stream: "Tickets". */
export const streamLabel = (family: Family, name: string): string => {
  const stream: FamilyStream | undefined = findStream(family, name);
  return stream?.label ?? name;
};

/** A body of the contract before it is written as JSON: a date is still one. */
export type Unsent<T> = T extends string
  ? string extends T
    ? string | Date
    : T
  : T extends object
    ? { readonly [K in keyof T]: Unsent<T[K]> }
    : T;

/** What a tool calls an address becomes a link only where it is one. */
export const webAddress = (address: string | null | undefined): string | null =>
  address && /^https?:\/\//i.test(address) ? address : null;
