import { assert, array, integer, property, record, uniqueArray } from "fast-check";
import { expect, test } from "vitest";
import { cover } from "./cover.ts";

const instances = record({
  sets: array(uniqueArray(integer({ min: 0, max: 9 }), { maxLength: 4 }), { minLength: 1, maxLength: 9 }),
  limit: integer({ min: 1, max: 4 }),
});

const all = (sets: readonly (readonly number[])[]) => new Set(sets.flat());
const weights = Array.from({ length: 10 }, () => 1);

/** Whether any choice of this size covers everything, by trying them all. */
const possible = (
  sets: readonly (readonly number[])[],
  limit: number,
  from = 0,
  taken: number[] = [],
): boolean => {
  if (new Set(taken.flatMap((index) => sets[index] ?? [])).size === all(sets).size) return true;
  if (taken.length === limit) return false;
  for (let index = from; index < sets.length; index += 1)
    if (possible(sets, limit, index + 1, [...taken, index])) return true;
  return false;
};

const covered = (sets: readonly (readonly number[])[], taken: readonly number[]) =>
  new Set(taken.flatMap((index) => sets[index] ?? []));

test("covers everything whenever that many sets can, and never takes more than that many", () => {
  let tight = 0;
  assert(
    property(instances, ({ sets, limit }) => {
      const taken = cover(
        sets.map((set) => new Set(set)),
        weights,
        limit,
      );
      expect(new Set(taken).size).toBe(taken.length);
      expect(taken.length).toBeLessThanOrEqual(limit);
      const whole = covered(sets, taken).size === all(sets).size;
      if (possible(sets, limit)) {
        tight += 1;
        expect(whole).toBe(true);
      } else expect(taken.length).toBe(limit);
    }),
    { numRuns: 2_000 },
  );
  expect(tight).toBeGreaterThan(100);
});

test("finds a solution where the greedy way fails", () => {
  // Greedy takes the set of four first, and needs three.
  const sets = [new Set([0, 1, 2, 3]), new Set([0, 1, 4]), new Set([2, 3, 5])];
  expect(new Set(cover(sets, weights, 2))).toEqual(new Set([1, 2]));
});

test("takes no set that adds nothing, and keeps the given ones", () => {
  assert(
    property(instances, ({ sets }) => {
      const taken = cover(
        sets.map((set) => new Set(set)),
        weights,
        20,
        [0],
      );
      expect(taken[0]).toBe(0);
      for (const index of taken.slice(1)) {
        const others = covered(
          sets,
          taken.filter((each) => each !== index),
        );
        expect(sets[index]?.some((thing) => !others.has(thing))).toBe(true);
      }
      expect(covered(sets, taken)).toEqual(all(sets));
    }),
  );
});

test("heavier items come first if not all can be covered", () => {
  expect(cover([new Set([0, 1]), new Set([2])], [1, 1, 5], 1)).toEqual([1]);
});

test("many sets that can't all be covered cost no more than a step each", () => {
  const sets = Array.from(
    { length: 500 },
    (_, index) => new Set([index, (index * 7) % 500, (index * 13) % 500]),
  );
  expect(
    cover(
      sets,
      Array.from({ length: 500 }, () => 1),
      20,
    ),
  ).toHaveLength(20);
});
