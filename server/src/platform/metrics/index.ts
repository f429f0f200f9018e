/**
 * Metrics for Prometheus (docs/adr/0048-observability.md). `catalogue` lists every metric; `createMetrics` holds the
 * values of one process, and `noMetrics` is for a process without them. Only this folder knows the library.
 */
export { catalogue, type GaugeName, type MetricDefinition } from "./catalogue.ts";
export { createMetrics, type Metrics, noMetrics } from "./metrics.ts";
