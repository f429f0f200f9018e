import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createPlaces } from "./places.ts";

/** Whoever has a place stays a moment; answers how many there were at most. */
const crowd = async (places: ReturnType<typeof createPlaces>, people: number) => {
  let inside = 0;
  let most = 0;
  const visit = async () => {
    const leave = await places.take();
    most = Math.max(most, ++inside);
    await sleep(2);
    inside--;
    leave();
    leave(); // twice is once
  };
  await Promise.all(Array.from({ length: people }, visit));
  return most;
};

test("no more have a place than there are, and everybody gets one", async () => {
  const places = createPlaces(3);
  expect(await crowd(places, 20)).toBe(3);
  expect(await crowd(places, 20)).toBe(3);
});

test("places are given in the order of asking", async () => {
  const places = createPlaces(1);
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

test("once open, nobody waits", async () => {
  const places = createPlaces(1);
  await places.take();
  const waiting = places.take();
  places.open();
  await waiting;
  await places.take();
  expect(await crowd(places, 5)).toBe(5);
});
