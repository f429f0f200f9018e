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
