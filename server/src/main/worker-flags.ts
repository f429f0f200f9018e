/**
 * Node flags of processes that run connectors (docs/adr/0011-worker-heap.md). With V8's defaults, garbage grows to a
 * multiple of the live heap.
 */
export const workerFlags: readonly string[] = [
  "--max-semi-space-size=16",
  "--max-old-space-size=1024",
  "--expose-gc",
];
