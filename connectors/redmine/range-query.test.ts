import { expect, test } from "vitest";
import { rangeQuery } from "./range-query.ts";

const open = { createdFrom: null, createdBefore: null, changedFrom: null };

test.each([
  [open, {}],
  [{ ...open, createdFrom: "2025-01-02T03:04:05.000Z" }, { created_on: ">=2025-01-02T03:04:05Z" }],
  // Redmine's end is inclusive, ours is exclusive.
  [{ ...open, createdBefore: "2025-01-02T03:04:05.000Z" }, { created_on: "<=2025-01-02T03:04:04Z" }],
  [{ ...open, createdBefore: "2025-01-02T03:04:05.500Z" }, { created_on: "<=2025-01-02T03:04:05Z" }],
  [
    { ...open, createdFrom: "2025-01-01T00:00:00.001Z", createdBefore: "2025-02-01T00:00:00Z" },
    { created_on: "><2025-01-01T00:00:01Z|2025-01-31T23:59:59Z" },
  ],
  [{ ...open, changedFrom: "2025-01-01T00:00:00Z" }, { updated_on: ">=2025-01-01T00:00:00Z" }],
])("%j becomes the query %j", (range, query) => {
  expect(rangeQuery(range)).toEqual(query);
});
