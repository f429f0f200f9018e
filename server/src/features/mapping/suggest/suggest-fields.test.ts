import fc from "fast-check";
import { expect, test } from "vitest";
import { folded } from "../model/fold.ts";
import { acceptedFrom, suggestFields } from "./suggest-fields.ts";
import { anyFields } from "../testing/arbitraries.ts";
import { field, options } from "../testing/facts-for.ts";

const only = (source: ReturnType<typeof field>, ...destination: ReturnType<typeof field>[]) =>
  suggestFields([source], destination)[0];

test("the same name and kind is certain", () => {
  expect(only(field("1", "Order number", "text"), field("a", "order_number", "text"))).toMatchObject({
    to: "a",
    confidence: 1,
    why: { kind: "alike", name: "same", from: "text", to: "text", values: null },
  });
});

test("a similar name of the same kind is likely", () => {
  expect(only(field("1", "Warranty until", "date"), field("a", "Warranty end", "date"))).toMatchObject({
    to: "a",
    confidence: 0.9,
    why: { kind: "alike", name: "nearly", from: "date", to: "date", values: null },
  });
});

test("lists are recognised by their values", () => {
  const models = Array.from({ length: 14 }, (_, index) => `City ${index}`);
  const products = [...models.slice(1), "Cargo"];
  const found = only(
    field("1", "Bike model", "choice", options(...models)),
    field("a", "Product", "choice", options(...products)),
  );
  expect(found).toMatchObject({ to: "a", why: { name: null, values: { same: 13, total: 14 } } });
  expect(found?.confidence).toBeGreaterThan(acceptedFrom);
});

test("a list with other values is not the same, whatever its name", () => {
  const found = only(
    field("1", "Store", "choice", options("Harbor", "Hill", "Park")),
    field("a", "Store", "choice", options("Web", "Phone", "Shop")),
  );
  expect(found).toMatchObject({ to: null, candidates: [{ key: "a" }] });
});

test("a lossy match is not suggested, nor is a field that the tool fills itself", () => {
  expect(only(field("1", "Due", "date"), field("a", "Due", "number"))).toMatchObject({
    to: null,
    confidence: 0,
    candidates: [],
  });
  expect(only(field("1", "Due", "date"), field("a", "Due", "date", { writable: false }))).toMatchObject({
    to: null,
  });
});

test("of two that could fit, the customer chooses", () => {
  const found = only(field("1", "Store", "text"), field("a", "Store", "text"), field("b", "store", "text"));
  expect(found).toMatchObject({ to: null, why: { kind: "two", labels: ["Store", "store"] } });
  expect(found?.confidence).toBeLessThan(acceptedFrom);
});

test("two with the same target both stay open; one that fits better gets it", () => {
  const tied = suggestFields(
    [field("1", "Store", "text"), field("2", "Store", "text")],
    [field("a", "Store", "text")],
  );
  expect(tied.map(({ to }) => to)).toEqual([null, null]);
  const clear = suggestFields(
    [field("1", "Store", "text"), field("2", "Store name", "text")],
    [field("a", "Store", "text"), field("b", "Name of store", "text")],
  );
  expect(clear.map(({ to }) => to)).toEqual(["a", "b"]);
});

test("in whichever order fields come, no target is given twice, and each gets the same suggestion", () => {
  fc.assert(
    fc.property(anyFields, anyFields, (source, destination) => {
      const found = suggestFields(source, destination);
      const again = suggestFields(source.toReversed(), destination.toReversed());
      expect(again.toReversed()).toEqual(found);
      const places = found.flatMap(({ to }) => (to === null ? [] : [to]));
      expect(new Set(places).size).toBe(places.length);
      for (const { to, confidence, why } of found) {
        expect(confidence).toBeGreaterThanOrEqual(to === null ? 0 : acceptedFrom);
        expect(confidence).toBeLessThanOrEqual(1);
        if (to !== null) expect(why.kind).toBe("alike");
        if (why.kind === "alike") expect(why.name ?? why.values).not.toBeNull();
      }
    }),
    { numRuns: 2_000 },
  );
});

test("a tool is matched with itself, field by field", () => {
  fc.assert(
    fc.property(anyFields, (fields) => {
      const labels = fields.map(({ label }) => folded(label));
      fc.pre(new Set(labels).size === labels.length && !labels.includes(""));
      const distinct = fields.map((each) => ({ ...each, writable: true, type: "number" as const }));
      for (const { key, to, confidence } of suggestFields(distinct, distinct))
        expect([to, confidence]).toEqual([key, 1]);
    }),
    { numRuns: 1_000 },
  );
});
