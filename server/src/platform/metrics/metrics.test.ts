import { expect, test } from "vitest";
import { catalogue, type MetricDefinition } from "./catalogue.ts";
import { createMetrics, noMetrics } from "./metrics.ts";

const linesOf = async (metrics: ReturnType<typeof createMetrics>, name: string) =>
  (await metrics.text()).body.split("\n").filter((line) => line.startsWith(name));

test("counters add up, histograms sort into buckets, gauges are read when they are asked for", async () => {
  const metrics = createMetrics();
  metrics.count("portage_records_total", { tool: "redmine", outcome: "created" }, 3);
  metrics.count("portage_records_total", { tool: "redmine", outcome: "created" });
  metrics.observe("portage_chunk_duration_seconds", { task: "copy" }, 0.7);
  let used = 2;
  metrics.read("portage_worker_slots_in_use", () => used);
  used = 5;
  expect(await linesOf(metrics, "portage_records_total")).toEqual([
    'portage_records_total{tool="redmine",outcome="created"} 4',
  ]);
  expect(await linesOf(metrics, 'portage_chunk_duration_seconds_bucket{le="0.5"')).toEqual([
    'portage_chunk_duration_seconds_bucket{le="0.5",task="copy"} 0',
  ]);
  expect(await linesOf(metrics, 'portage_chunk_duration_seconds_bucket{le="1"')).toEqual([
    'portage_chunk_duration_seconds_bucket{le="1",task="copy"} 1',
  ]);
  expect(await linesOf(metrics, "portage_worker_slots_in_use")).toEqual(["portage_worker_slots_in_use 5"]);
});

test("a gauge that nothing sets has no value, and setting one forgets what is not set again", async () => {
  const metrics = createMetrics();
  expect(await linesOf(metrics, "portage_outbox_waiting")).toEqual([]);
  metrics.set("portage_runs_active", [
    { labels: { kind: "full" }, value: 2 },
    { labels: { kind: "undo" }, value: 1 },
  ]);
  metrics.set("portage_runs_active", [{ labels: { kind: "full" }, value: 3 }]);
  expect(await linesOf(metrics, "portage_runs_active")).toEqual(['portage_runs_active{kind="full"} 3']);
  metrics.set("portage_outbox_waiting", [{ labels: {}, value: 7 }]);
  expect(await linesOf(metrics, "portage_outbox_waiting")).toEqual(["portage_outbox_waiting 7"]);
  metrics.set("portage_outbox_waiting", []);
  expect(await linesOf(metrics, "portage_outbox_waiting")).toEqual([]);
});

test("a label never has more than a hundred values and one for all others", async () => {
  const metrics = createMetrics();
  for (let n = 0; n < 300; n += 1)
    metrics.count("portage_runs_failed_total", { kind: "full", code: `code_${n}` });
  const lines = await linesOf(metrics, "portage_runs_failed_total");
  expect(lines).toHaveLength(101);
  expect(lines).toContain('portage_runs_failed_total{kind="full",code="other"} 200');
  const sizes = Array.from({ length: 300 }, (_, n) => ({ labels: { table: `table_${n}` }, value: 2 }));
  metrics.set("portage_db_size_bytes", sizes);
  expect(await linesOf(metrics, "portage_db_size_bytes")).toContain(
    'portage_db_size_bytes{table="other"} 400',
  );
});

test("no metric is labelled by something that grows", () => {
  const few = new Set(
    "method route status task kind code tool provider side outcome group because state what table key service version".split(
      " ",
    ),
  );
  for (const { labels } of Object.values<MetricDefinition>(catalogue))
    for (const label of labels) expect(few).toContain(label);
});

test("a process without metrics says nothing", async () => {
  noMetrics.count("portage_rate_limited_total", { route: "/x" });
  expect((await noMetrics.text()).body).toBe("");
});
