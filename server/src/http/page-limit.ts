import type { Query } from "./query.ts";

const usualLimit = 50;
const mostAtOnce = 200;

export const limitRule = `must be a number from 1 to ${mostAtOnce}`;

/** Parses the page size; null: invalid. */
export const readLimit = (query: Query): number | null => {
  const text = query.get("limit")?.text ?? String(usualLimit);
  const limit = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : mostAtOnce + 1;
  return limit <= mostAtOnce ? limit : null;
};
