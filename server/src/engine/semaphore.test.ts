import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createSemaphore } from "./semaphore.ts";

/** Each task holds its permit for a moment; returns the highest concurrency. */
const crowd = async (places: ReturnType<typeof createSemaphore>, people: number) => {
  let inside = 0;
  let most = 0;
  const visit = async () => {
    const leave = await places.take();
    most = Math.max(most, ++inside);
    await sleep(2);
    inside--;
    leave();
    leave(); // a second release has no effect
  };
  await Promise.all(Array.from({ length: people }, visit));
  return most;
};

test("never exceeds its limit, and every task gets a permit", async () => {
  const places = createSemaphore(3);
  expect(await crowd(places, 20)).toBe(3);
  expect(await crowd(places, 20)).toBe(3);
});

test("grants permits in order of request", async () => {
  const places = createSemaphore(1);
  const first = await places.take();
  const order: number[] = [];
  const rest = [1, 2, 3].map((n) =>
    places.take().then((leave) => {
      order.push(n);
      leave();
    }),
  );
  first();
  await Promise.all(rest);
  expect(order).toEqual([1, 2, 3]);
});

test("no task waits once it is open", async () => {
  const places = createSemaphore(1);
  await places.take();
  const waiting = places.take();
  places.open();
  await waiting;
  await places.take();
  expect(await crowd(places, 5)).toBe(5);
});
