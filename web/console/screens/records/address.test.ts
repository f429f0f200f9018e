import { expect, test } from "vitest";
import { findingAddress, recordsAddress, recordsOf } from "./address.ts";

test("a filter survives the address", () => {
  const filter = { state: "failed", finding: "kept", stream: "tickets", code: "a&b=c", before: "dGlja2V0cw" };
  const address = recordsAddress("imp_01", filter);
  expect(recordsOf(new URL(address, "http://console.invalid").searchParams)).toEqual(filter);
});

test("without a filter there is no query, and an empty cause is not left out", () => {
  expect(recordsAddress("imp_01", {})).toBe("/imports/imp_01/records");
  expect(recordsAddress("imp_01", { code: "" }, { limit: "5" })).toBe(
    "/imports/imp_01/records?limit=5&code=",
  );
  expect(recordsOf(new URLSearchParams("code=&x=1"))).toEqual({ code: "" });
});

test("a finding leads to the records that it counts, whatever their state; a count of fields to none", () => {
  expect(findingAddress("imp_01", { stream: "tickets", kind: "kept", code: "edited_since" })).toBe(
    "/imports/imp_01/records?finding=kept&stream=tickets&code=edited_since",
  );
  expect(findingAddress("imp_01", { stream: "tickets", kind: "failed", code: "update_failed" })).toBe(
    "/imports/imp_01/records?finding=failed&stream=tickets&code=update_failed",
  );
  for (const kind of ["changed", "checked"])
    expect(findingAddress("imp_01", { stream: "tickets", kind, code: "x" })).toBeNull();
});
