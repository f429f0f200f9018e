import { setImmediate as tick } from "node:timers/promises";
import { expect, test } from "vitest";
import { readParents } from "./read-source.ts";

const parents = Array.from({ length: 16 }, (_, index) => `${index}`);

const reading = (
  textOf: (parentId: string) => string,
  next: (parentId: string) => string | null = () => null,
) => {
  const started: string[] = [];
  let concurrent = 0;
  let most = 0;
  const fetch = async (parentId: string) => {
    started.push(parentId);
    concurrent += 1;
    most = Math.max(most, concurrent);
    await tick();
    concurrent -= 1;
    return { records: [textOf(parentId)], next: next(parentId) as never };
  };
  return { fetch, started, most: () => most };
};

test("all parents are read in order, no more at a time than the tool takes", async () => {
  const { fetch, most } = reading((parentId) => parentId);
  const pages = await readParents(parents, 4, fetch);
  expect(pages.flatMap(({ records }) => records)).toEqual(parents);
  expect(most()).toBe(4);
});

test("a page of giants ends early: memory holds those at work, not all sixteen", async () => {
  const { fetch, started } = reading(() => "x".repeat(9 * 1024 * 1024));
  const pages = await readParents(parents, 4, fetch);
  expect(started).toEqual(["0", "1", "2", "3"]);
  expect(pages).toHaveLength(4);
});

test("no further parent is read after one that has more pages: only this one continues", async () => {
  const { fetch, started } = reading(String, (parentId) => (parentId === "1" ? "more" : null));
  const pages = await readParents(parents, 2, fetch);
  expect(started.length).toBeLessThanOrEqual(3);
  expect(pages[1]?.next).toBe("more");
});
