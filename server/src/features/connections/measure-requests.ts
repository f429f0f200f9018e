import type { Limiter, Transport } from "@portage/connector-kit/http";
import type { Metrics } from "../../platform/metrics/index.ts";
import { inSpan, spanKind, statusAttribute } from "../../platform/tracing.ts";
import type { Side } from "./connection.ts";

interface Measured {
  readonly metrics: Metrics;
  readonly tool: string;
  readonly side: Side;
}

const secondsSince = (startedAt: number) => (performance.now() - startedAt) / 1_000;

const outcomeOf = (status: number) => {
  if (status === 429) return "rate_limited";
  if (status >= 500) return "failed";
  return status >= 400 ? "refused" : "ok";
};

/** Counts the requests that really leave for a tool, and measures the time until each answer begins. */
export const measureTransport = (transport: Transport, { metrics, tool, side }: Measured): Transport => ({
  send: async (request) => {
    const startedAt = performance.now();
    let outcome = "unreachable";
    try {
      const attributes = {
        "portage.tool": tool,
        "portage.side": side,
        "http.request.method": request.method,
      };
      const response = await inSpan(
        "tool request",
        attributes,
        async (span) => {
          const answered = await transport.send(request);
          span.note(statusAttribute(answered.status));
          if (answered.status >= 400) span.fail(outcomeOf(answered.status));
          return answered;
        },
        spanKind.CLIENT,
      );
      outcome = outcomeOf(response.status);
      return response;
    } finally {
      metrics.count("portage_tool_requests_total", { tool, side, outcome });
      metrics.observe("portage_tool_request_duration_seconds", { tool, side }, secondsSince(startedAt));
    }
  },
});

/** Measures how long requests wait for the account's quota. */
export const measureLimiter = (limiter: Limiter, { metrics, tool, side }: Measured): Limiter => ({
  ...limiter,
  take: async (call, signal) => {
    const startedAt = performance.now();
    try {
      return await limiter.take(call, signal);
    } finally {
      metrics.count("portage_tool_throttled_seconds_total", { tool, side }, secondsSince(startedAt));
    }
  },
});
