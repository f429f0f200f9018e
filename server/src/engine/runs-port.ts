import type { ChunkEnd, ChunkRef, ChunkToSend, RunKind, Side } from "../features/runs/run.ts";

/**
 * What the engine asks of runs. All that is true is in PostgreSQL: each of these may be called again, late, or by two
 * workers at once. What it answers is to be sent; what is not sent becomes overdue and is found.
 */
export interface RunsPort {
  /** Works until the chunk's end; once the signal is aborted, it hands over at the next page. */
  workChunk(ref: ChunkRef, needs: { readonly signal: AbortSignal }): Promise<ChunkEnd>;
  /** One run per outbox row, however often it is called. */
  startRun(of: {
    readonly importId: string;
    readonly kind: RunKind;
    readonly outboxId: number;
  }): Promise<readonly ChunkToSend[]>;
  stopRun(of: { readonly importId: string }): Promise<readonly ChunkToSend[]>;
  startAfterPreflight(of: { readonly importId: string }): Promise<readonly ChunkToSend[]>;
  pauseRun(of: { readonly importId: string }): Promise<readonly ChunkToSend[]>;
  unpauseRun(of: { readonly importId: string }): Promise<readonly ChunkToSend[]>;
  /** After a person has signed in again on this side. */
  resumeWaiting(of: { readonly importId: string; readonly side: Side }): Promise<readonly ChunkToSend[]>;
  /** Raises the generation of partitions that have not moved in time. */
  findOverdue(limit: number): Promise<readonly ChunkToSend[]>;
  /** Ends runs that waited for a person for too long. */
  endOverlongWaits(): Promise<readonly ChunkToSend[]>;
}
