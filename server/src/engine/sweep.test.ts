import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { ChunkToSend } from "../features/runs/index.ts";
import { createLog } from "../platform/log.ts";
import { startSweep } from "./sweep.ts";

const log = createLog("silent");
const chunks = (generation: number, count: number): readonly ChunkToSend[] =>
  Array.from({ length: count }, (_, partition) => ({ runId: "run_x", partition, generation, delayMs: 0 }));

/** Runs the sweep for a while, with the given overdue chunks per iteration. */
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

test("sends overdue chunks, and continues at once while a batch is full", async () => {
  let asked = 0;
  const { sent, looks } = await sweep([1_000, 1_000, 1_000, 7, 0, 2], async () => {
    asked++;
    return chunks(9, 1);
  });
  expect(sent).toEqual([100, 1, 100, 100, 7, 2]);
  expect(looks).toBeGreaterThan(6);
  // Overlong waits are checked at the start and then periodically.
  expect(asked).toBe(1);
});

test("a failure to end overlong waits does not delay overdue chunks", async () => {
  const { sent } = await sweep([3, 4], async () => {
    throw new Error("not today");
  });
  expect(sent).toEqual([3, 4]);
});
