import type { Query } from "./query.ts";

const usualLimit = 50;
const maxLimit = 200;

export const limitRule = `must be a number from 1 to ${maxLimit}`;

/** Parses the page size; null: invalid. */
export const readLimit = (query: Query): number | null => {
  const text = query.get("limit")?.text ?? String(usualLimit);
  const limit = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : maxLimit + 1;
  return limit <= maxLimit ? limit : null;
};
