import { expect, test } from "vitest";
import { recordsAddress, recordsOf } from "./address.ts";

test("a filter survives the address", () => {
  const filter = { state: "failed", stream: "tickets", code: "a&b=c", before: "dGlja2V0cw" };
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
