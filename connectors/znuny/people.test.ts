import { expect, test } from "vitest";
import { addressesIn, addressOf } from "./people.ts";

test.each([
  ["Ana Líma <ana@agents.test>", "Ana Líma", "ana@agents.test"],
  ['"Smith, \\"Joe\\"" <joe@customer.test>, x@y.test', 'Smith, "Joe"', "joe@customer.test"],
  ["joe@customer.test", null, "joe@customer.test"],
  ["<joe@customer.test>", null, "joe@customer.test"],
  ["Znuny System", "Znuny System", null],
  ["", null, null],
  [null, null, null],
])("%s", (header, name, email) => {
  expect(addressOf(header)).toEqual({ name, email });
});

test("finds all addresses of a header", () => {
  expect(addressesIn('"Smith, Joe" <joe@customer.test>, ana@agents.test; joe@customer.test')).toEqual([
    "joe@customer.test",
    "ana@agents.test",
  ]);
  expect(addressesIn("Support")).toEqual([]);
  expect(addressesIn(null)).toEqual([]);
});
