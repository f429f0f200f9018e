import type { Model, Step } from "./check-model.ts";

/** What keeps partitions of one stream from copying the same record; each rule can be disabled. */
export const slicesGuards = {
  /** A stream is sliced only by an immutable key: a record stays in one slice. */
  slicedByFixedKey: true,
  /** The sweep of ids starts after all slices are done. */
  sweptAfterwards: true,
};
export type SlicesGuards = { readonly [Guard in keyof typeof slicesGuards]: boolean };

type Doing = "waiting" | "read" | "claim" | "write" | "settle" | "done";

interface Partition {
  readonly doing: Doing;
  /** Whether the attempt read the record, and has it in its batch. */
  readonly has: boolean;
}

interface SlicesState {
  /** Which of the two slices the record is in. */
  readonly slice: 0 | 1;
  readonly moved: boolean;
  readonly written: boolean;
  readonly copies: number;
  /** Two slices and the sweep, each with its own row, batch and attempt: no epoch fences them from each other. */
  readonly partitions: readonly [Partition, Partition, Partition];
}

type No = 0 | 1 | 2;

const nothing: Partition = { doing: "read", has: false };

const put = (state: SlicesState, no: No, doing: Doing, has: boolean): SlicesState => {
  const partitions: [Partition, Partition, Partition] = [...state.partitions];
  partitions[no] = { doing, has };
  return { ...state, partitions };
};

const work = (state: SlicesState, no: No, guards: SlicesGuards, step: Step<SlicesState>): void => {
  const { doing, has } = state.partitions[no];
  const copied = state.partitions[0].doing === "done" && state.partitions[1].doing === "done";
  const meets = no === 2 || state.slice === no;
  if (doing === "waiting" && (copied || !guards.sweptAfterwards))
    step(`${no}: start`, put(state, no, "read", false));
  if (doing === "read") step(`${no}: read`, put(state, no, meets ? "claim" : "done", meets));
  if (doing === "claim") {
    const dropped = state.written;
    step(
      `${no}: ${dropped ? "known, dropped" : "claim"}`,
      put(state, no, dropped ? "done" : "write", !dropped),
    );
  }
  if (doing === "write") step(`${no}: write`, { ...put(state, no, "settle", has), copies: state.copies + 1 });
  if (doing === "settle") step(`${no}: settle`, { ...put(state, no, "done", false), written: true });
};

/** A record that two partitions of a stream could both consider theirs. */
export const slicesModel = (guards: SlicesGuards): Model<SlicesState> => ({
  start: {
    slice: 0,
    moved: false,
    written: false,
    copies: 0,
    partitions: [nothing, nothing, { doing: "waiting", has: false }],
  },
  next: (state, step) => {
    if (!guards.slicedByFixedKey && !state.moved)
      step("source: the record moves to the other slice", { ...state, slice: 1, moved: true });
    for (const no of [0, 1, 2] as const) work(state, no, guards, step);
  },
  wrong: ({ copies }) => (copies > 1 ? "a record is duplicated" : null),
  goal: ({ partitions, written }) => written && partitions.every(({ doing }) => doing === "done"),
});
