import { expect, test } from "vitest";
import type { Io } from "./io.ts";
import { loadTogether } from "./load-together.ts";

test("what is asked for at one moment is loaded in one call, each id once per step", async () => {
  const calls: (readonly number[])[] = [];
  const nameOf = loadTogether(async (_io: Io, ids: readonly number[]) => {
    calls.push(ids);
    return new Map(ids.filter((id) => id < 10).map((id) => [id, `user ${id}`]));
  });
  const step = () => ({ scope: {} }) as Io;
  const io = step();
  expect(await Promise.all([1, 2, 1, 11].map((id) => nameOf(io, id)))).toEqual([
    "user 1",
    "user 2",
    "user 1",
    null,
  ]);
  expect(await nameOf(io, 2)).toBe("user 2");
  expect(await nameOf(io, 3)).toBe("user 3");
  await nameOf(step(), 1);
  expect(calls).toEqual([[1, 2, 11], [3], [1]]);
});

test("what may be old is asked for once per side, as long as that lasts, also what is not there", async () => {
  const calls: (readonly number[])[] = [];
  const nameOf = loadTogether(
    async (_io: Io, ids: readonly number[]) => {
      calls.push(ids);
      return new Map(ids.filter((id) => id < 10).map((id) => [id, `user ${id}`]));
    },
    { mayBeOld: true },
  );
  const side = {};
  const step = (shared?: object) => ({ scope: {}, ...(shared ? { shared } : {}) }) as Io;
  for (let each = 0; each < 2; each += 1)
    expect(await Promise.all([1, 11].map((id) => nameOf(step(side), id)))).toEqual(["user 1", null]);
  expect(calls).toEqual([[1], [11]]);
  // Another account's, and a step that shares nothing.
  await nameOf(step({}), 1);
  await nameOf(step(), 1);
  await nameOf(step(), 1);
  expect(calls).toEqual([[1], [11], [1], [1], [1]]);
});

test("what a list has told is not asked for again", async () => {
  const calls: (readonly number[])[] = [];
  const nameOf = loadTogether(
    async (_io: Io, ids: readonly number[]) => {
      calls.push(ids);
      return new Map(ids.map((id) => [id, `user ${id}`]));
    },
    { mayBeOld: true },
  );
  const side = {};
  const step = (shared?: object) => ({ scope: {}, ...(shared ? { shared } : {}) }) as Io;
  nameOf.note(step(side), 1, "from the list");
  nameOf.note(step(side), 2, null);
  expect(await Promise.all([1, 2, 3].map((id) => nameOf(step(side), id)))).toEqual([
    "from the list",
    null,
    "user 3",
  ]);
  // A step that shares nothing keeps nothing.
  nameOf.note(step(), 1, "lost");
  expect(await nameOf(step(), 1)).toBe("user 1");
  expect(calls).toEqual([[3], [1]]);
});

test("it keeps a bounded number", async () => {
  let loaded = 0;
  const doubleOf = loadTogether(
    async (_io: Io, ids: readonly number[]) => {
      loaded += ids.length;
      return new Map(ids.map((id) => [id, 2 * id]));
    },
    { mayBeOld: true },
  );
  const side = {};
  const step = () => ({ scope: {}, shared: side }) as Io;
  const many = Array.from({ length: 10_001 }, (_, id) => id);
  const io = step();
  await Promise.all(many.map((id) => doubleOf(io, id)));
  expect(await doubleOf(step(), 0)).toBe(0);
  expect(loaded).toBe(many.length + 1);
});
