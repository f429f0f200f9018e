import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createQuotaOf } from "./quota.ts";

test("answers at once from the cache, refreshes in the background, and not more often than needed", async () => {
  // Not 0: the cache would take it for an entry without a TTL.
  let now = 1_000;
  let asked = 0;
  let perMinute: number | null = 60;
  const quotaOf = createQuotaOf(
    {
      destinationOf: async (id) =>
        id === "gone" ? null : { accountId: "acme", recordsPerRequest: () => 20 },
      requestsPerMinute: async () => {
        asked += 1;
        if (perMinute === 0) throw new Error("no database");
        return perMinute;
      },
    },
    () => now,
  );
  expect(quotaOf("one")).toBeNull();
  await turn();
  expect(quotaOf("one")?.requestsPerMinute).toBe(60);
  expect(quotaOf("one")?.recordsPerRequest("tickets")).toBe(20);
  expect(asked).toBe(1);
  perMinute = 0;
  now += 31_000;
  expect(quotaOf("one")?.requestsPerMinute).toBe(60);
  await turn();
  // A failed refresh keeps the cached value.
  expect(quotaOf("one")?.requestsPerMinute).toBe(60);
  expect(asked).toBe(2);
  perMinute = null;
  now += 31_000;
  quotaOf("one");
  await turn();
  expect(quotaOf("one")).toBeNull();
  quotaOf("gone");
  await turn();
  expect(quotaOf("gone")).toBeNull();
});
