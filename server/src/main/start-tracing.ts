import { hostname } from "node:os";
import { context, trace } from "@opentelemetry/api";
import type { Config } from "./config.ts";

/**
 * Sends spans to the collector at OTEL_EXPORTER_OTLP_ENDPOINT; without it, there are none, and the libraries are not loaded.
 */
export const startTracing = async (
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: Pick<Config, "OTEL_EXPORTER_OTLP_ENDPOINT">,
  service: string,
): Promise<{ stop(): Promise<void> }> => {
  if (endpoint === undefined) return { stop: async () => {} };
  const [{ AsyncLocalStorageContextManager }, { OTLPTraceExporter }, { resourceFromAttributes }, sdk] =
    await Promise.all([
      import("@opentelemetry/context-async-hooks"),
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("@opentelemetry/resources"),
      import("@opentelemetry/sdk-trace"),
    ]);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      "service.name": service,
      "service.instance.id": `${hostname()}:${process.pid}`,
    }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, scheduledDelayMillis: 1_000 })],
  });
  trace.setGlobalTracerProvider(provider);
  // A collector that is away must neither delay the end nor fail it.
  return { stop: () => provider.shutdown().catch(() => {}) };
};
