/**
 * Reads from the database what queues hold and how far they are behind, for metrics. Entry points: `measureQueues`, cheap
 * enough for every few seconds, and `measureStorage`, for every few minutes; one elected process calls them
 * (background/queue-metrics-loop.ts).
 * Invariants: both only read. A label that is known and has nothing is reported as 0, so that a graph sees a queue end
 * (`withZeros`). Each statement reads an index, whatever the tables hold (test/plans.integration.test.ts).
 */
export { measureQueues, measureStorage, queueMetricNames, storageMetricNames } from "./measure-queues.ts";
