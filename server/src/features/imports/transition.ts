import type { StatusCode } from "@portage/contract";
import type { Effect, ImportEvent, ImportEventType, ImportState, RunCause, RunKind } from "./state.ts";

/** The event of one type, also if the union lists several types in one member. */
export type EventOf<T extends ImportEventType> = ImportEvent extends infer E
  ? E extends { type: infer U }
    ? T extends U
      ? E
      : never
    : never
  : never;

/** One row of the table: from a status, on an event, if the guard holds, to a status. The first match wins. */
export interface Transition<T extends ImportEventType = ImportEventType> {
  readonly from: readonly StatusCode[] | "any";
  readonly on: T;
  /** The guard in words, for the diagram and the documentation. */
  readonly guard?: string;
  // Methods, not properties: a row for one event must fit in a list of rows for any.
  when?(state: ImportState, event: EventOf<T>): boolean;
  /** "same": saved, but no move. */
  readonly to: StatusCode | "same";
  set?(state: ImportState, event: EventOf<T>): Partial<ImportState>;
  effects?(state: ImportState, event: EventOf<T>): readonly Effect[];
}

export const row = <T extends ImportEventType>(transition: Transition<T>): Transition => transition;

export const recordRunStart = (run: RunKind, causes?: readonly RunCause[]): readonly Effect[] => [
  { kind: "start_run", run, ...(causes && { causes }) },
];
export const runEnded = { liveRun: null, stopping: null } as const;
