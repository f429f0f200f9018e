import type { ComparedField } from "../../features/mapping/index.ts";

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
