import { expect, test } from "vitest";
import { auditAddress, auditFiltersIn, auditPath, withFilters } from "./filters.ts";

const filters = { staff: "stf_1", action: "eraseImport", since: "2026-11-01", until: "2026-11-15" };

test("filters survive the address, and the API gets them by its names, with the whole last day", () => {
  expect(auditFiltersIn(new URL(auditAddress(filters), "https://x.example").searchParams)).toEqual(filters);
  const asked = new URL(auditPath(filters), "https://x.example").searchParams;
  expect(Object.fromEntries(asked)).toEqual({
    limit: "50",
    staff: "stf_1",
    action: "eraseImport",
    changes: "true",
    since: new Date(2026, 10, 1).toISOString(),
    until: new Date(2026, 10, 16).toISOString(),
  });
});

test("reads are left out unless they are asked for", () => {
  expect(auditPath({})).toBe("/audit?limit=50&changes=true");
  expect(auditPath({ all: "true" })).toBe("/audit?limit=50");
});

test("another filter begins with the first page", () => {
  expect(withFilters({ staff: "stf_1", before: "7" }, { action: "" })).toEqual({
    staff: "stf_1",
    action: "",
  });
  expect(auditAddress({ staff: "stf_1", action: "" })).toBe("/audit?staff=stf_1");
});
