import type { FieldErrors } from "../../client/problem.ts";

/** An item of a list has its place behind the name: `embed_origins.0`. */
const isOf = (key: string, name: string) => key === name || key.startsWith(`${name}.`);

/** What is wrong with a field, or with items of it; undefined: nothing. */
export const errorAt = (errors: FieldErrors, name: string): string | undefined => {
  const messages = Object.entries(errors).flatMap(([key, found]) => (isOf(key, name) ? found : []));
  return messages.length === 0 ? undefined : [...new Set(messages)].join("; ");
};

/** What is wrong elsewhere than in these fields, in one sentence; empty: nothing. */
export const errorsBeside = (errors: FieldErrors, names: readonly string[]): string =>
  Object.entries(errors)
    .filter(([key]) => !names.some((name) => isOf(key, name)))
    .map(([key, messages]) => (key === "base" ? "" : `${key} `) + messages.join(", "))
    .join("; ");
