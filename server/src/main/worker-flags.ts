/**
 * What node is started with where connectors read and write (docs/adr/0009-worker-heap.md). V8's own settings let garbage
 * grow to a multiple of what is in use, which a machine with many workers can't afford. The old space has room for the
 * largest answer that the kit takes; its limit is there because V8 paces its growth by it.
 */
export const workerFlags: readonly string[] = ["--max-semi-space-size=4", "--max-old-space-size=512"];
