import fc from "fast-check";
import { expect, test } from "vitest";
import { writeChains } from "./write-page.ts";

interface Part {
  readonly id: number;
  readonly parent: string;
}

const parentOf = ({ parent }: Part) => parent;
const pages = fc
  .array(fc.constantFrom("", "a", "b", "c"), { maxLength: 60 })
  .map((parents) => parents.map((parent, id): Part => ({ id, parent })));

test("everything is written once, in batches that the tool accepts", () => {
  fc.assert(
    fc.property(pages, fc.integer({ min: 1, max: 9 }), (page, size) => {
      const batches = writeChains(page, size, parentOf).flat();
      expect(batches.every((batch) => batch.length > 0 && batch.length <= size)).toBe(true);
      expect(batches.flat().toSorted((a, b) => a.id - b.id)).toEqual(page);
    }),
  );
});

test("records of one parent are in one chain, in their order", () => {
  fc.assert(
    fc.property(pages, fc.integer({ min: 1, max: 9 }), (page, size) => {
      const chains = writeChains(page, size, parentOf).map((chain) => chain.flat());
      for (const parent of ["a", "b", "c"]) {
        const holding = chains.filter((chain) => chain.some((each) => each.parent === parent));
        expect(holding.length).toBeLessThanOrEqual(1);
        const ids = (holding[0] ?? []).filter((each) => each.parent === parent).map(({ id }) => id);
        expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      }
    }),
  );
});

test("records without a parent fill whole batches, so that these can be written in parallel", () => {
  const page = Array.from({ length: 25 }, (_, id): Part => ({ id, parent: "" }));
  expect(writeChains(page, 10, parentOf).map((chain) => chain.map((batch) => batch.length))).toEqual([
    [10],
    [10],
    [5],
  ]);
});
