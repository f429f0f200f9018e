import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../support/engine-fixture.ts";
import { patienceMs } from "../support/patience.ts";
import { untilCompleted } from "../support/run-fixture.ts";
import { createObservedMove, type ObservedMove } from "./observed-move.ts";
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from "./otlp-receiver.ts";

let move: ObservedMove;
let collector: OtlpReceiver;
beforeAll(async () => {
  collector = await startOtlpReceiver();
  move = await createObservedMove("traces", { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
});
afterAll(async () => {
  await move.remove();
  collector.close();
});

/** From the span up to the first one of its trace. */
const chainOf = (span: ReceivedSpan): readonly string[] => {
  const parent = collector.spans().find(({ spanId }) => spanId === span.parentSpanId);
  return parent ? [...chainOf(parent), span.name] : [span.name];
};

test("one request leads to one trace, through the outbox, Restate, chunk and page to each call of a tool", async () => {
  const made = await move.newImport();
  await made.start();
  await untilCompleted(made, patienceMs);
  const callsOfPages = () =>
    collector.spans().filter((span) => span.name === "tool request" && chainOf(span).includes("page"));
  // A span arrives when it has ended, so a parent comes after its children.
  await until("the spans have arrived with all their parents", async () => {
    const chains = callsOfPages().map(chainOf);
    return chains.length > 0 && chains.every(([first]) => first?.includes("/imports/"));
  });
  const spans = collector.spans();
  const calls = callsOfPages();
  for (const call of calls) {
    const [request, ...rest] = chainOf(call);
    expect(request).toMatch(/^(PUT|POST) \/wizard\/api\/imports\/:/);
    // The check before the start is an effect of its own, which leads to the next one.
    expect(rest).toEqual([
      "effect start_after_preflight",
      "effect start_run",
      "chunk",
      "page",
      "tool request",
    ]);
  }
  // All of one trace, which the API began and the worker continued.
  expect(new Set(calls.map(({ traceId }) => traceId)).size).toBe(1);
  const [{ traceId } = { traceId: "" }] = calls;
  const services = new Set(spans.filter((span) => span.traceId === traceId).map(({ service }) => service));
  expect([...services].toSorted()).toEqual(["portage api", "portage worker"]);

  const line = readFileSync(join(move.fixture.logs, "api.log"), "utf8")
    .split("\n")
    .find((each) => each.includes(traceId));
  expect(JSON.parse(line ?? "{}")).toMatchObject({
    trace_id: traceId,
    import_id: made.id,
    service: "portage api",
  });
});
