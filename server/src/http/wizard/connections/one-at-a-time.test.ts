import { expect, test } from "vitest";
import { createOneAtATime } from "./one-at-a-time.ts";

test("work of one key runs one after another, that of another key meanwhile, and a failure stops nothing", async () => {
  const run = createOneAtATime(5);
  const log: string[] = [];
  const first = Promise.withResolvers<void>();
  const one = run("a", async () => {
    log.push("a1");
    await first.promise;
    throw new Error("broken");
  });
  const two = run("a", async () => void log.push("a2"));
  await run("b", async () => void log.push("b"));
  expect(log).toEqual(["a1", "b"]);
  first.resolve();
  await expect(one).rejects.toThrow("broken");
  await two;
  expect(log).toEqual(["a1", "b", "a2"]);
});

test("what finds too many waiting is turned away, until they are done", async () => {
  const run = createOneAtATime(1);
  const gate = Promise.withResolvers<void>();
  const held = [run("a", () => gate.promise), run("a", async () => {})];
  expect(run("a", async () => {})).toBeUndefined();
  expect(await run("b", async () => "other")).toBe("other");
  gate.resolve();
  await Promise.all(held.map(async (each) => each));
  await expect.poll(() => run("a", async () => "free")).toBe("free");
});
