import { expect, test } from "vitest";
import type { Io } from "./io.ts";
import { once } from "./once.ts";

const step = () => ({ scope: {} }) as Io;

test("loads once per step and key, also where the step's io is wrapped", async () => {
  const asked: number[] = [];
  const nameOf = once(async (_io: Io, id: number) => {
    asked.push(id);
    return `user ${id}`;
  });
  const io = step();
  expect(await Promise.all([nameOf(io, 1), nameOf({ ...io }, 1), nameOf(io, 2)])).toEqual([
    "user 1",
    "user 1",
    "user 2",
  ]);
  expect(asked).toEqual([1, 2]);
  await nameOf(step(), 1);
  expect(asked).toEqual([1, 2, 1]);
});

test("loads again after a failure, and after a change", async () => {
  let calls = 0;
  const load = once(async (_io: Io) => {
    calls += 1;
    if (calls === 1) throw new Error("down");
    return calls;
  });
  const io = step();
  await expect(load(io)).rejects.toThrow("down");
  expect(await load(io)).toBe(2);
  expect(await load(io)).toBe(2);
  load.forget(io);
  expect(await load(io)).toBe(3);
});
