import { expect, test } from "vitest";
import { changed, filtersIn, inView, listAddress, listPath, viewOf } from "./filters.ts";

test("filters survive the address", () => {
  const filters = { text: "ws 1&2", stuck: "true", before: "imp_1" };
  const address = listAddress(filters);
  expect(filtersIn(new URL(address, "https://x.example").searchParams)).toEqual(filters);
  expect(filtersIn(new URLSearchParams("limit=9&status=&tool=%20"))).toEqual({});
  expect(listAddress({})).toBe("/imports");
});

test("the API gets the period in moments, with the whole last day, and the rest as it is", () => {
  const filters = { tool: "redmine", created_since: "2026-11-01", created_until: "2026-11-15" };
  expect(filtersIn(new URL(listAddress(filters), "https://x.example").searchParams)).toEqual(filters);
  expect(Object.fromEntries(new URL(listPath(filters), "https://x.example").searchParams)).toEqual({
    tool: "redmine",
    created_since: new Date(2026, 10, 1).toISOString(),
    created_until: new Date(2026, 10, 16).toISOString(),
    limit: "50",
  });
  expect(listPath({})).toBe("/imports?limit=50");
});

test("another filter begins with the first page", () => {
  expect(changed({ text: "a", before: "imp_1" }, { status: "in_preparation" })).toEqual({
    text: "a",
    status: "in_preparation",
  });
});

test("a view keeps what narrows it down", () => {
  const inStuck = inView({ partner: "prt_1", running: "true", before: "imp_1" }, "stuck");
  expect(inStuck).toEqual({ partner: "prt_1", stuck: "true" });
  expect(viewOf(inStuck)).toBe("stuck");
  expect(viewOf({ partner: "prt_1" })).toBe("all");
  expect(viewOf({ waits_for: "tool" })).toBeNull();
});
