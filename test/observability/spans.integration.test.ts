import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { Problem } from "../../server/src/http/answer.ts";
import { createHttpServer } from "../../server/src/http/server.ts";
import { startTracing } from "../../server/src/main/start-tracing.ts";
import { createLog } from "../../server/src/platform/log.ts";
import { inSpan, withTrace } from "../../server/src/platform/tracing.ts";
import { toSample, useWebhookFixture } from "../support/webhook-fixture.ts";
import { startOtlpReceiver } from "./otlp-receiver.ts";

const fixture = useWebhookFixture();

const all = { OTEL_TRACES_SAMPLER: "parentbased_always_on", OTEL_TRACES_SAMPLER_ARG: 1 } as const;

/** The spans of the work, as a collector gets them. */
const spansOf = async (
  work: () => Promise<unknown>,
  sampling: Omit<Parameters<typeof startTracing>[0], "OTEL_EXPORTER_OTLP_ENDPOINT"> = all,
) => {
  const collector = await startOtlpReceiver();
  onTestFinished(() => collector.close());
  const tracing = await startTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...sampling }, "test");
  try {
    await work();
  } finally {
    await tracing.stop();
  }
  return collector.spans();
};

const span = () => inSpan("work", {}, async () => {});
const sampled = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
const unsampled = sampled.replace(/01$/, "00");

test.each([
  // sampler, its share; which of: without a caller's trace, with one that is sampled, with one that is not
  ["always_on", 0, [1, 1, 1]],
  ["always_off", 1, [0, 0, 0]],
  ["traceidratio", 1, [1, 1, 1]],
  ["traceidratio", 0, [0, 0, 0]],
  ["parentbased_always_on", 0, [1, 1, 0]],
  ["parentbased_always_off", 1, [0, 1, 0]],
  ["parentbased_traceidratio", 1, [1, 1, 0]],
  ["parentbased_traceidratio", 0, [0, 1, 0]],
] as const)("the sampler %s, %d", async (name, share, expected) => {
  const sampling = { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: share };
  const counts: number[] = [];
  for (const parent of [null, sampled, unsampled])
    counts.push((await spansOf(() => withTrace(parent, span), sampling)).length);
  expect(counts).toEqual(expected);
});

test("each webhook attempt is a span with its event and what came back, and without the address or the secret", async () => {
  const acme = await fixture.partner();
  const { id, token } = await fixture.newImport(acme);
  await fixture.move(id, ...toSample.slice(0, 2));
  fixture.receiver.answer(() => ({ status: 503 }));
  const spans = await spansOf(async () => {
    await fixture.drive();
    fixture.receiver.answer(() => ({ status: 200 }));
    await fixture.hurry(acme.partner.id);
    await fixture.drive();
  });
  const [delivery] = await fixture.deliveries(acme.partner.id);
  const shown = spans.map(({ name, kind, status, attributes, parentSpanId }) => ({
    name,
    kind,
    status,
    attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, value])),
    isRoot: !parentSpanId,
  }));
  const about = {
    "portage.event_id": { stringValue: delivery?.eventId },
    "portage.import_id": { stringValue: id },
    "portage.partner_id": { stringValue: acme.partner.id },
  };
  const client = 3;
  expect(shown).toMatchObject([
    {
      name: "webhook attempt",
      kind: client,
      isRoot: true,
      status: { code: 2, message: "bad_status" },
      attributes: {
        ...about,
        "portage.attempt": { intValue: 1 },
        "http.response.status_code": { intValue: 503 },
      },
    },
    {
      name: "webhook attempt",
      isRoot: true,
      status: { code: 0 },
      attributes: {
        ...about,
        "portage.attempt": { intValue: 2 },
        "http.response.status_code": { intValue: 200 },
      },
    },
  ]);
  const text = JSON.stringify(spans);
  for (const secret of [token, acme.secret, acme.path, fixture.receiver.host])
    expect(text).not.toContain(secret);
});

test("a request that is the caller's mistake is no failed span, one of ours is", async () => {
  const { app } = createHttpServer(
    [
      { method: "GET", path: "/missing", answer: () => Promise.reject(new Problem("not_found", "None.")) },
      { method: "GET", path: "/broken", answer: () => Promise.reject(new Error("private text")) },
      { method: "GET", path: "/fine", answer: async () => ({ status: 200 }) },
    ],
    { log: createLog("silent"), trustedProxies: [], requestTimeoutMs: 30_000 },
  );
  onTestFinished(() => app.close());
  const spans = await spansOf(async () => {
    for (const url of ["/missing", "/broken", "/fine"]) await app.inject({ url });
  });
  expect(spans.map(({ name, status }) => [name, status.code, status.message])).toEqual([
    ["GET /missing", 0, undefined],
    ["GET /broken", 2, "Error"],
    ["GET /fine", 0, undefined],
  ]);
  expect(JSON.stringify(spans)).not.toContain("private text");
});

test("the end of a process does not wait until the exporter gives up on a mute collector", async () => {
  let gaveUp = 0;
  const mute = createServer((request, response) => {
    if (request.url === "/ping") response.end();
    else response.on("close", () => (gaveUp += 1));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => mute.close().closeAllConnections());
  await once(mute, "listening");
  const { port } = mute.address() as AddressInfo;
  const tracing = await startTracing(
    { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, ...all },
    "test",
  );
  const asked = once(mute, "request");
  await span();
  const stopped = tracing.stop();
  await asked;
  await stopped;
  // By its answer, the server has also noticed a connection that ended before.
  await fetch(`http://127.0.0.1:${port}/ping`);
  expect(gaveUp).toBe(0);
});
