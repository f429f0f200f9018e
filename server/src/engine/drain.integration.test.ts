import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createEngineFixture, type EngineFixture, until } from "../../../test/support/engine-fixture.ts";
import { newId } from "../platform/ids.ts";
import { createIngress, type Ingress } from "./ingress.ts";
import type { RunsPort } from "./runs-port.ts";

let fixture: EngineFixture;
let ingress: Ingress;
beforeAll(async () => {
  fixture = await createEngineFixture();
  ingress = createIngress(fixture.restate.ingressUrl);
});
afterAll(async () => {
  await ingress.close();
  await fixture.remove();
});

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve());
  });

/** Waits until every first chunk has succeeded and Restate has its successor. */
const expectHandedOver = async (runId: string, partitions: number) => {
  const known = (generation: number) =>
    fixture.restate.query<{ key: string; status: string; failure?: string }>(
      `select idempotency_key as key, status, completion_failure as failure from sys_invocation
       where idempotency_key like '${runId}:_:${generation}' order by idempotency_key`,
    );
  await expect
    .poll(() => known(1), { timeout: 600_000 })
    .toEqual(
      Array.from({ length: partitions }, (_, index) => ({
        key: `${runId}:${index + 1}:1`,
        status: "completed",
      })),
    );
  await until("the successors are there", async () => (await known(2)).length === partitions, 3_000);
};

const idle = {
  startRun: async () => [],
  stopRun: async () => [],
  startAfterPreflight: async () => [],
  findOverdue: async () => [],
  endOverlongWaits: async () => [],
  resumeWaiting: async () => [],
  pauseRun: async () => [],
  unpauseRun: async () => [],
};

test("a worker respects its concurrency; draining, waiting chunks hand over at once and it takes no more", async () => {
  const runId = newId("run");
  const chunk = (partition: number) => ({ runId, partition, generation: 1, delayMs: 0 });
  const seen: { partition: number; generation: number; late: boolean }[] = [];
  let endedWhenLastSeen = 0;
  let ended = 0;
  let atWork = 0;
  let most = 0;
  const runs: RunsPort = {
    ...idle,
    workChunk: async ({ partition, generation }, { signal }) => {
      seen.push({ partition, generation, late: signal.aborted });
      most = Math.max(most, ++atWork);
      endedWhenLastSeen = ended;
      if (!signal.aborted) {
        await aborted(signal);
        await sleep(300); // to the next page
        ended++;
      }
      atWork--;
      return {
        send: [{ runId, partition, generation: generation + 1, delayMs: 0 }],
        read: 0,
        written: 0,
      };
    },
  };
  const worker = await fixture.startWorker(runs, { concurrency: 2 });
  await ingress.send([1, 2, 3, 4, 5].map(chunk));
  await until(
    "all five are with the worker",
    async () => worker.lines.filter((line) => line.includes("Starting invocation")).length === 5,
  );
  expect(seen.map(({ late }) => late)).toEqual([false, false]);
  expect(most).toBe(2);

  await worker.drain();
  const begun = seen.filter(({ generation }) => generation === 1).map(({ partition }) => partition);
  expect(begun).toHaveLength(5);
  expect(new Set(begun)).toEqual(new Set([1, 2, 3, 4, 5]));
  // The waiting chunks did not wait for the running ones.
  expect({ ended, endedWhenLastSeen }).toEqual({ ended: 2, endedWhenLastSeen: 0 });
  // No successor came back to the worker that handed over.
  expect(seen.filter(({ generation }) => generation > 1)).toEqual([]);
  await expectHandedOver(runId, 5);
});

test("calls that are refused during a drain do not disturb the running ones", async () => {
  const runId = newId("run");
  const chunk = (partition: number) => ({ runId, partition, generation: 1, delayMs: 0 });
  const begun: number[] = [];
  const worker = await fixture.startWorker({
    ...idle,
    workChunk: async (ref, { signal }) => {
      if (ref.runId !== runId) return { send: [], read: 0, written: 0 };
      begun.push(ref.partition);
      await aborted(signal);
      await sleep(1_000);
      return { send: [{ ...ref, generation: 2, delayMs: 60_000 }], read: 1, written: 1 };
    },
  });
  await ingress.send([1, 2, 3, 4].map(chunk));
  await until("all four are at work", async () => begun.length === 4);
  const drained = worker.drain();
  await ingress.send(Array.from({ length: 20 }, (_, index) => chunk(10 + index)));
  await drained;
  await expectHandedOver(runId, 4);
  expect(begun).toHaveLength(4);
});
