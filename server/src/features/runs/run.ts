import type { RunCause, RunKind, Side } from "../imports/index.ts";

export type { RunCause, RunKind, Side };
export type RunState = "running" | "waiting" | "done" | "failed" | "stopped";
export type Wanted = "run" | "pause" | "stop";
export type Task =
  | "prepare"
  | "choose"
  | "silence"
  | "copy"
  | "sweep"
  | "link"
  | "verify"
  | "remove"
  | "remove_fields";

/** Writes of a stream that the destination refused in a row, for the same reason. */
export interface Refusals {
  readonly stream: string;
  readonly code: string;
  readonly count: number;
}

/** The right to work on one partition: a holder of an outdated generation ends at once. */
export interface ChunkRef {
  readonly runId: string;
  readonly partition: number;
  readonly generation: number;
}

export interface ChunkToSend extends ChunkRef {
  readonly delayMs: number;
  /** Of the first chunk of a partition that has just started. */
  readonly begins?: { readonly task: Task; readonly stream: string };
}

/** Counts and what to send next: all that an engine may keep of a chunk. Never holds customer data. */
export interface ChunkEnd {
  readonly send: readonly ChunkToSend[];
  readonly read: number;
  readonly written: number;
}

/** A partition as planned. */
export interface NewPartition {
  readonly step: number;
  readonly task: Task;
  readonly stream: string;
  readonly slice: unknown;
  readonly expected: number | null;
}
