import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { givenEffect, givenImport } from "../../../test/support/counting-import.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { until } from "../../../test/support/engine-fixture.ts";
import { freePort } from "../../../test/support/free-port.ts";
import { createLog } from "../platform/log.ts";
import { startDispatcher } from "./dispatcher.ts";
import { createIngress } from "./ingress.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const waiting = async () => {
  const { rows } = await db.pool.query<{ id: number }>(
    "select id from outbox where dispatched_at is null order by id",
  );
  return rows.map(({ id }) => id);
};

test("while Restate is down, effects with chunks wait and effects without complete; later all are sent", async () => {
  const port = await freePort();
  const lines: string[] = [];
  const ingress = createIngress(`http://127.0.0.1:${port}`);
  const dispatcher = startDispatcher({
    db,
    ingress,
    isReady: () => true,
    log: createLog("warn", { write: (line) => void lines.push(line) }),
    runs: {
      startRun: async ({ outboxId }) => [{ runId: "run_x", partition: outboxId, generation: 1, delayMs: 0 }],
      stopRun: async () => [],
      resumeWaiting: async () => [],
      pauseRun: async () => [],
      unpauseRun: async () => [],
      startAfterPreflight: async () => [],
    },
  });
  onTestFinished(async () => {
    await dispatcher.stop();
    await ingress.close();
  });
  const starts: number[] = [];
  for (let i = 0; i < 10; i++)
    starts.push(await givenEffect(db, await givenImport(db), { kind: "start_run", run: "sample" }));
  await givenEffect(db, await givenImport(db), { kind: "stop_run" });
  await vi.waitUntil(() => lines.length > 0, { timeout: 600_000 });
  await sleep(2_000);
  expect(await waiting()).toEqual(starts);
  expect(lines.length).toBeLessThan(5);
  expect(lines.every((line) => line.includes("ECONNREFUSED"))).toBe(true);

  const taken: { url: string | undefined; key: unknown }[] = [];
  const server = createServer((request, response) => {
    taken.push({ url: request.url, key: request.headers["idempotency-key"] });
    response.writeHead(202).end("{}");
  }).listen(port, "127.0.0.1");
  onTestFinished(() => void server.close());
  await until("all are dispatched", async () => (await waiting()).length === 0);
  expect(taken).toHaveLength(starts.length);
  expect(new Set(taken.map(({ key }) => key))).toEqual(new Set(starts.map((id) => `run_x:${id}:1`)));
  expect(new Set(taken.map(({ url }) => url))).toEqual(new Set(["/Chunk/work/send?delay=0ms"]));
});
