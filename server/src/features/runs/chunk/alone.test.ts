import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createAlone } from "./alone.ts";

const never = new AbortController().signal;

const setUp = () => {
  const alone = createAlone();
  const inside = new Set<string>();
  const enter = async (name: string, isAlone: boolean, signal = never) => {
    const leave = await alone.enter(isAlone, signal);
    inside.add(name);
    return () => {
      inside.delete(name);
      leave();
    };
  };
  return { inside, enter };
};

test("ordinary chunks run beside each other", async () => {
  const { inside, enter } = setUp();
  await Promise.all([enter("a", false), enter("b", false)]);
  expect(inside).toEqual(new Set(["a", "b"]));
});

test("a suspect chunk waits for those at work, and those after it wait for it", async () => {
  const { inside, enter } = setUp();
  const endA = await enter("a", false);
  const suspect = enter("suspect", true);
  const b = enter("b", false);
  await turn();
  expect(inside).toEqual(new Set(["a"]));
  endA();
  const endSuspect = await suspect;
  await turn();
  expect(inside).toEqual(new Set(["suspect"]));
  endSuspect();
  await b;
  expect(inside).toEqual(new Set(["b"]));
});

test("a chunk that lost its lease does not hold up the others, even if it never ends", async () => {
  const { inside, enter } = setUp();
  const lost = new AbortController();
  await enter("hangs", true, lost.signal);
  const b = enter("b", false);
  await turn();
  expect(inside).toEqual(new Set(["hangs"]));
  lost.abort();
  await b;
  expect(inside).toContain("b");
});

test("leaving twice counts once", async () => {
  const { inside, enter } = setUp();
  const end = await enter("a", true);
  end();
  end();
  await enter("b", true);
  const c = enter("c", false);
  await turn();
  expect(inside).toEqual(new Set(["b"]));
  void c;
});
