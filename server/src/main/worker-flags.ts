/**
 * What node is started with where connectors read and write; docs/adr/0011-worker-heap.md says why. With V8's own
 * settings garbage grows to a multiple of what is in use.
 */
export const workerFlags: readonly string[] = ["--max-semi-space-size=2", "--max-old-space-size=1024"];
