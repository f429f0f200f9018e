import type { RunKind } from "../imports/index.ts";

export type { RunKind };
export type RunState = "running" | "waiting" | "done" | "failed" | "stopped";
export type Wanted = "run" | "pause" | "stop";
export type Task = "prepare" | "choose" | "copy" | "sweep" | "link" | "verify" | "remove";
export type Side = "source" | "destination";

/** The right to work on one partition: whoever holds a generation that is no longer current ends at once. */
export interface ChunkRef {
  readonly runId: string;
  readonly partition: number;
  readonly generation: number;
}

export interface ChunkToSend extends ChunkRef {
  readonly delayMs: number;
}

/** Counts and what to send next: all that an engine may keep of a chunk. No customer data is ever in it. */
export interface ChunkEnd {
  readonly send: readonly ChunkToSend[];
  readonly read: number;
  readonly written: number;
}

/** A partition as the plan makes it. */
export interface NewPartition {
  readonly step: number;
  readonly task: Task;
  readonly stream: string;
  readonly slice: unknown;
  readonly expected: number | null;
}
