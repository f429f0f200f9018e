import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { context, trace } from "@opentelemetry/api";
import type * as Sdk from "@opentelemetry/sdk-trace";
import type { Config } from "./config.ts";

type Settings = Pick<
  Config,
  "OTEL_EXPORTER_OTLP_ENDPOINT" | "OTEL_TRACES_SAMPLER" | "OTEL_TRACES_SAMPLER_ARG"
>;

/** As OpenTelemetry's specification names them; this SDK does not read the variables itself. */
const samplerOf = (
  sdk: typeof Sdk,
  { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: share }: Settings,
) => {
  const of = {
    always_on: () => new sdk.AlwaysOnSampler(),
    always_off: () => new sdk.AlwaysOffSampler(),
    traceidratio: () => new sdk.TraceIdRatioBasedSampler(share),
  };
  const root = of[name.replace("parentbased_", "") as keyof typeof of]();
  return name.startsWith("parentbased_") ? new sdk.ParentBasedSampler({ root }) : root;
};

/** How long the end of a process waits for the collector to take the last spans. */
const longestFlushMs = 3_000;

/**
 * Sends spans to the collector at OTEL_EXPORTER_OTLP_ENDPOINT; without it, there are none, and the libraries are not loaded.
 * Of a collector that is away, the processor keeps its 2048 oldest spans and drops the others.
 */
export const startTracing = async (
  settings: Settings,
  service: string,
): Promise<{ stop(): Promise<void> }> => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = settings;
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
    sampler: samplerOf(sdk, settings),
    resource: resourceFromAttributes({
      "service.name": service,
      "service.instance.id": `${hostname()}:${process.pid}`,
    }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, scheduledDelayMillis: 1_000 })],
  });
  trace.setGlobalTracerProvider(provider);
  return {
    stop: async () => {
      // A collector that is away must neither delay the end nor fail it; the exporter would try again for long.
      await Promise.race([
        provider.shutdown().catch(() => {}),
        sleep(longestFlushMs, undefined, { ref: false }),
      ]);
      trace.disable();
      context.disable();
    },
  };
};
