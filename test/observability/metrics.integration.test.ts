import { afterAll, beforeAll, expect, test } from "vitest";
import { catalogue, type MetricDefinition } from "../../server/src/platform/metrics/index.ts";
import type { ApiProcess } from "../support/api-process.ts";
import { until } from "../support/engine-fixture.ts";
import { patienceMs } from "../support/patience.ts";
import { untilCompleted } from "../support/run-fixture.ts";
import { createObservedMove, type ObservedMove } from "./observed-move.ts";
import { readMetrics } from "./read-metrics.ts";

let move: ObservedMove;
beforeAll(async () => {
  move = await createObservedMove("metrics");
});
afterAll(() => move.remove());

const isFresh = (metrics: ReadonlyMap<string, number>) =>
  metrics.has('portage_queue_metrics_timestamp_seconds{group="queues"}');
const elected = async () => {
  const both = await Promise.all([move.apiMetrics, move.workerMetrics].map(readMetrics));
  return both.map(isFresh);
};

test("a move shows in the metrics of the API, of the worker and of the elected process", async () => {
  const made = await move.newImport();
  await made.start();
  await untilCompleted(made, patienceMs);
  const api = await readMetrics(move.apiMetrics);
  const worker = await readMetrics(move.workerMetrics);
  const value = (of: ReadonlyMap<string, number>, start: string) =>
    [...of].reduce((sum, [key, each]) => (key.startsWith(start) ? sum + each : sum), 0);

  const created =
    'portage_http_request_duration_seconds_count{method="POST",route="/api/v2.1/imports",status="201"}';
  expect(api.get(created)).toBe(1);
  // Nothing but route templates: no address with an import's id.
  expect([...api.keys()].filter((key) => key.includes(made.id))).toEqual([]);
  expect([...worker.keys()].filter((key) => key.includes(made.id))).toEqual([]);
  const written = (await move.tool.control.stats()).written;
  expect(written).toBeGreaterThan(0);
  expect(worker.get('portage_records_total{tool="stand-in",outcome="created"}')).toBe(written);
  expect(
    value(worker, 'portage_tool_requests_total{tool="stand-in",side="source",outcome="ok"}'),
  ).toBeGreaterThan(0);
  expect(
    value(worker, 'portage_tool_requests_total{tool="stand-in",side="destination",outcome="ok"}'),
  ).toBeGreaterThan(0);
  expect(worker.get('portage_chunk_duration_seconds_count{task="copy"}')).toBeGreaterThan(0);
  expect(worker.get("portage_worker_registered")).toBe(1);
  expect(worker.get("portage_worker_slots")).toBe(64);
  expect(value(worker, "portage_verification_differences_total")).toBe(0);
  expect(value(api, 'portage_build_info{service="api"')).toBe(1);
  expect(api.get("portage_db_pool_size")).toBe(10);

  await until("the elected process has read it", async () => {
    const [ofApi, ofWorker] = await Promise.all([move.apiMetrics, move.workerMetrics].map(readMetrics));
    return [ofApi, ofWorker].some((of) => of?.get('portage_imports{status="migration_completed"}') === 1);
  });
});

test("every name is in the catalogue", async () => {
  const known = new Set(Object.keys(catalogue));
  for (const url of [move.apiMetrics, move.workerMetrics])
    for (const key of (await readMetrics(url)).keys()) {
      const name = (key.split("{")[0] ?? "").replace(/_(bucket|sum|count)$/, "");
      if (name.startsWith("portage_")) expect(known).toContain(name);
      else expect(name).toMatch(/^(nodejs|process)_/);
    }
  expect(Object.values<MetricDefinition>(catalogue).every(({ help }) => help.length > 10)).toBe(true);
});

test("one process shows the queues; when it ends, another one does", async () => {
  expect((await elected()).filter(Boolean)).toHaveLength(1);
  const [isApi] = await elected();
  const other = isApi ? move.workerMetrics : move.apiMetrics;
  const one: Pick<ApiProcess, "kill"> = isApi ? move.api : move.worker;
  one.kill("SIGKILL");
  await until("the other one shows them", async () => isFresh(await readMetrics(other)));
});
