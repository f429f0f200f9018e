import type { ChunkRef, ChunkToSend } from "../features/runs/run.ts";

export const chunkService = "Chunk";
export const chunkHandler = "work";

/** Restate answers a repeated key with the old result, so whoever starts a partition again raises its generation. */
export const chunkKey = ({ runId, partition, generation }: ChunkRef): string =>
  `${runId}:${partition}:${generation}`;

/** What is sent, and no more: it is kept in Restate. */
export const chunkRef = ({ runId, partition, generation }: ChunkRef): ChunkRef => ({
  runId,
  partition,
  generation,
});

/**
 * How long Restate remembers a key. A repeated one that it has forgotten does no harm, as its generation is no longer
 * current; it only costs a question to PostgreSQL.
 */
export const keyKeptMs = 60 * 60 * 1_000;

/** A chunk that starts before its time looks, and is put off again. */
export const chunkDelayMs = ({ delayMs }: ChunkToSend): number =>
  Math.min(Math.max(0, Math.ceil(delayMs)), keyKeptMs);
