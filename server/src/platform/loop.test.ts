import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { createLog } from "./log.ts";
import { startLoop } from "./loop.ts";

const lines: string[] = [];
const log = createLog("warn", { write: (line) => void lines.push(line) });

test("logs a failing iteration and runs the next one after a pause", async () => {
  const at: number[] = [];
  const loop = startLoop({
    name: "test",
    log,
    iterate: async () => {
      at.push(performance.now());
      if (at.length <= 2) throw new Error("not now");
      return 10;
    },
  });
  await vi.waitUntil(() => at.length > 6, { timeout: 600_000 });
  await loop.stop();
  const gaps = at.slice(1).map((time, index) => time - (at[index] ?? 0));
  expect(gaps[0]).toBeGreaterThanOrEqual(490);
  expect(gaps[1]).toBeGreaterThanOrEqual(990);
  expect(lines).toHaveLength(2);
});

test("stop waits for the running iteration, not for the next", async () => {
  let ended = 0;
  const loop = startLoop({
    name: "test",
    log,
    iterate: async () => {
      await sleep(50);
      ended++;
      return 60_000;
    },
  });
  await sleep(10);
  await loop.stop();
  expect(ended).toBe(1);
});

test("runs no iteration while it is not ready", async () => {
  let ready = false;
  let turns = 0;
  const loop = startLoop({
    name: "test",
    log,
    isReady: () => ready,
    iterate: async () => {
      turns++;
      return 10;
    },
  });
  await sleep(250);
  expect(turns).toBe(0);
  ready = true;
  await vi.waitUntil(() => turns > 2, { timeout: 600_000 });
  await loop.stop();
});
