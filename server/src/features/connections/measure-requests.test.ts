import { expect, test } from "vitest";
import { createMetrics } from "../../platform/metrics/index.ts";
import { measureLimiter, measureTransport } from "./measure-requests.ts";

const linesOf = async (metrics: ReturnType<typeof createMetrics>, name: string) =>
  (await metrics.text()).body.split("\n").filter((line) => line.startsWith(name));

test("every request counts once, by what became of it", async () => {
  const metrics = createMetrics();
  const of = { metrics, tool: "redmine", side: "source" } as const;
  const answers = [200, 429, 404, 503, null];
  const transport = measureTransport(
    {
      send: async (request) => {
        const status = answers.shift();
        if (!status) throw new Error("no answer");
        return { status, headers: {}, url: request.url, body: (async function* () {})() };
      },
    },
    of,
  );
  const send = () => transport.send({ url: "https://a.example/secret", method: "GET", headers: {} });
  for (let n = 0; n < 4; n += 1) await send();
  await expect(send()).rejects.toThrow("no answer");
  const counted = ["ok", "rate_limited", "refused", "failed", "unreachable"];
  expect(await linesOf(metrics, "portage_tool_requests_total")).toEqual(
    counted.map(
      (outcome) => `portage_tool_requests_total{tool="redmine",side="source",outcome="${outcome}"} 1`,
    ),
  );
  expect(await linesOf(metrics, "portage_tool_request_duration_seconds_count")).toEqual([
    'portage_tool_request_duration_seconds_count{tool="redmine",side="source"} 5',
  ]);
});

test("the time that a request waits for its quota adds up, also if it gives up", async () => {
  const metrics = createMetrics();
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const limiter = measureLimiter(
    {
      take: async (_, signal) => {
        await wait(30);
        signal.throwIfAborted();
        return { release: () => {} };
      },
      learn: () => {},
    },
    { metrics, tool: "redmine", side: "destination" },
  );
  const call = { method: "GET", path: "/" } as unknown as Parameters<typeof limiter.take>[0];
  await limiter.take(call, new AbortController().signal);
  await expect(limiter.take(call, AbortSignal.abort())).rejects.toThrow();
  const [line] = await linesOf(metrics, "portage_tool_throttled_seconds_total{");
  expect(Number(line?.split(" ").at(-1))).toBeGreaterThan(0.05);
});
