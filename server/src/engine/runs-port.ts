import type { ChunkEnd, ChunkRef, ChunkToSend, RunCause, RunKind, Side } from "../features/runs/index.ts";

/**
 * The engine's port to runs. The truth is in PostgreSQL: each method may be called again, late, or by two workers at
 * the same time. The caller sends the returned chunks; one that is not sent becomes overdue, and the sweep finds it.
 */
export interface RunsPort {
  /**
   * Works to the chunk's end, and on with what it starts, while that is little; once the signal aborts, it hands over at the next
   * page. `send`: for chunks that should not wait until it returns.
   */
  workChunk(
    ref: ChunkRef,
    needs: {
      readonly signal: AbortSignal;
      readonly send?: (chunks: readonly ChunkToSend[]) => Promise<void>;
    },
  ): Promise<ChunkEnd>;
  /** Idempotent: creates one run per outbox row. */
  startRun(of: {
    readonly importId: string;
    readonly kind: RunKind;
    /** Of a retry: only what these kept out; null: everything. */
    readonly causes: readonly RunCause[] | null;
    readonly outboxId: number;
  }): Promise<readonly ChunkToSend[]>;
  stopRun(of: { readonly importId: string }): Promise<readonly ChunkToSend[]>;
  startAfterPreflight(of: {
    readonly importId: string;
    readonly planned: boolean;
  }): Promise<readonly ChunkToSend[]>;
  pauseRun(of: { readonly importId: string }): Promise<readonly ChunkToSend[]>;
  unpauseRun(of: { readonly importId: string }): Promise<readonly ChunkToSend[]>;
  /** After the customer has signed in again on this side. */
  resumeWaiting(of: { readonly importId: string; readonly side: Side }): Promise<readonly ChunkToSend[]>;
  /** Raises the generation of partitions that made no progress in time. */
  findOverdue(limit: number): Promise<readonly ChunkToSend[]>;
  /** Ends runs that waited too long for the customer. */
  endOverlongWaits(): Promise<readonly ChunkToSend[]>;
}
