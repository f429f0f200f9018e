import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { ChunkToSend } from "../features/runs/run.ts";
import { createLog } from "../platform/log.ts";
import { startSweep } from "./sweep.ts";

const log = createLog("silent");
const chunks = (generation: number, count: number): readonly ChunkToSend[] =>
  Array.from({ length: count }, (_, partition) => ({ runId: "run_x", partition, generation, delayMs: 0 }));

/** Sweeps for a while, over what is overdue at each look. */
const sweep = async (overdue: readonly number[], endOverlongWaits: () => Promise<readonly ChunkToSend[]>) => {
  const sent: number[] = [];
  let looks = 0;
  const loop = startSweep({
    log,
    isReady: () => true,
    everyMs: 100,
    runs: {
      findOverdue: async (limit) => chunks(1, Math.min(overdue[looks++] ?? 0, limit)),
      endOverlongWaits,
    },
    ingress: {
      send: async (given) => {
        if (given.length > 0) sent.push(given.length);
      },
    },
  });
  await sleep(1_000);
  await loop.stop();
  return { sent, looks };
};

test("what is overdue is sent, at once again while there is more than fits", async () => {
  let asked = 0;
  const { sent, looks } = await sweep([1_000, 1_000, 1_000, 7, 0, 2], async () => {
    asked++;
    return chunks(9, 1);
  });
  expect(sent).toEqual([100, 1, 100, 100, 7, 2]);
  expect(looks).toBeGreaterThan(6);
  // Waits of days are looked for now and then, from the start on.
  expect(asked).toBe(1);
});

test("waits that can't be ended hold up nothing that is overdue", async () => {
  const { sent } = await sweep([3, 4], async () => {
    throw new Error("not today");
  });
  expect(sent).toEqual([3, 4]);
});
