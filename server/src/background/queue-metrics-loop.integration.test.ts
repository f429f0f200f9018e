import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { patienceMs } from "../../../test/support/patience.ts";
import { createLog } from "../platform/log.ts";
import { createMetrics } from "../platform/metrics/index.ts";
import { startQueueMetricsLoop } from "./queue-metrics-loop.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const patient = { timeout: patienceMs };

const start = (
  isElected: () => Promise<boolean>,
  sealedValues: () => Promise<ReadonlyMap<string, number>> = async () => new Map(),
) => {
  const metrics = createMetrics();
  const loop = startQueueMetricsLoop({
    db,
    log: createLog("silent"),
    metrics,
    election: { isElected, resign: () => {} },
    everyMs: 5,
    leaseMs: 60_000,
    sealedValues,
  });
  const valueOf = async (key: string): Promise<number | undefined> => {
    const line = (await metrics.text()).body.split("\n").find((each) => each.startsWith(`${key} `));
    return line === undefined ? undefined : Number(line.slice(key.length));
  };
  return { loop, valueOf };
};

const readAt = (group: string) => `portage_queue_metrics_timestamp_seconds{group="${group}"}`;

test("a process that can't ask whether it is elected shows nothing of queues and storage any more", async () => {
  let isCutOff = false;
  const { loop, valueOf } = start(async () => {
    if (isCutOff) throw new Error("cut off");
    return true;
  });
  await expect.poll(() => valueOf(readAt("storage")), patient).toBeDefined();
  expect(await valueOf("portage_outbox_waiting")).toBe(0);
  isCutOff = true;
  await expect.poll(() => valueOf("portage_outbox_waiting"), patient).toBeUndefined();
  expect(await valueOf(readAt("queues"))).toBeUndefined();
  expect(await valueOf('portage_db_size_bytes{table="imports"}')).toBeUndefined();
  await loop.stop();
});

test("queues are read on while storage takes long or fails", async () => {
  let fail: (error: Error) => void = () => {};
  let attempts = 0;
  let isOver = false;
  const { loop, valueOf } = start(
    async () => true,
    () => {
      attempts += 1;
      if (isOver) return Promise.reject(new Error("over"));
      return new Promise((_, reject) => {
        fail = reject;
      });
    },
  );
  const isReadAgain = async () => {
    const before = (await valueOf(readAt("queues"))) ?? Number.NaN;
    await expect.poll(() => valueOf(readAt("queues")), patient).toBeGreaterThan(before);
  };
  await expect.poll(() => attempts, patient).toBe(1);
  await expect.poll(() => valueOf(readAt("queues")), patient).toBeDefined();
  await isReadAgain();
  fail(new Error("too slow"));
  await isReadAgain();
  expect(await valueOf(readAt("storage"))).toBeUndefined();
  isOver = true;
  const stopped = loop.stop();
  fail(new Error("over"));
  await stopped;
});
