/**
 * Reads from the database what queues hold and how far they are behind, for metrics. Entry points: `measureQueues`, cheap
 * enough for every few seconds, and `measureStorage`, for every few minutes. Both only read. One elected process calls them
 * (background/queue-metrics-loop.ts). test/plans.integration.test.ts checks the plans of the statements.
 */
export { measureQueues, measureStorage, queueMetricNames, storageMetricNames } from "./measure-queues.ts";
