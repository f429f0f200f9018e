import type { ChunkRef, ChunkToSend } from "../features/runs/index.ts";

export const chunkService = "Chunk";
export const chunkHandler = "work";
/** In the description of the service that Restate asks each worker for: the `PUBLIC_URL` of its installation. */
export const publicUrlKey = "portage.public_url";
/** Carries the W3C trace context of the request that caused the run. Restate has a context of its own in `traceparent`. */
export const traceHeader = "x-portage-trace";

/** Restate answers a repeated idempotency key with the old result, so restarting a partition raises its generation. */
export const chunkKey = ({ runId, partition, generation }: ChunkRef): string =>
  `${runId}:${partition}:${generation}`;

/** Only these fields are sent, because Restate stores them. */
export const chunkRef = ({ runId, partition, generation }: ChunkRef): ChunkRef => ({
  runId,
  partition,
  generation,
});

/**
 * How long Restate keeps an idempotency key. A repeated one that it has dropped does no harm, as its generation is no
 * longer current; it only costs a query to PostgreSQL.
 */
export const keyKeptMs = 60 * 60 * 1_000;

/** Capped: a chunk that starts too early finds that it is not due and is delayed again. */
export const chunkDelayMs = ({ delayMs }: ChunkToSend): number =>
  Math.min(Math.max(0, Math.ceil(delayMs)), keyKeptMs);
