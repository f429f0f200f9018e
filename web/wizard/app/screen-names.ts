import type { StatusCode } from "@portage/contract";

/** Every screen of the wizard, in the order of a usual move. */
export const screenNames = [
  "start",
  "connect",
  "destination",
  "choose",
  "people",
  "fields",
  "preview",
  "sample",
  "review",
  "full",
  "move",
  "done",
  "undo",
] as const;

export type ScreenName = (typeof screenNames)[number];

export const isScreenName = (name: string): name is ScreenName =>
  (screenNames as readonly string[]).includes(name);

export const stepNames = ["connect", "match", "sample", "move"] as const;

export type StepName = (typeof stepNames)[number];

/** The header step of each screen; `stepAt` has the exceptions. */
const stepOf: Readonly<Record<ScreenName, StepName | null>> = {
  start: null,
  connect: "connect",
  destination: "connect",
  choose: "match",
  people: "match",
  fields: "match",
  preview: "match",
  sample: "sample",
  review: "sample",
  full: "move",
  move: "move",
  done: "move",
  // Undo is not one of the four steps.
  undo: null,
};

/** The first screen of each step: where its link leads once it is done. */
export const screenOfStep: Readonly<Record<StepName, ScreenName>> = {
  connect: "connect",
  match: "choose",
  sample: "review",
  move: "move",
};

/** A run that waits for a new sign-in is at its own step, not back at the first one. */
const stepOfRun: Partial<Readonly<Record<StatusCode, StepName | null>>> = {
  sample_in_progress: "sample",
  migration_in_progress: "move",
  migration_completed: "move",
  undo_in_progress: null,
  migration_cleaned: null,
};

/** The header step; null: the screen belongs to none. */
export const stepAt = (screen: ScreenName, status: StatusCode): StepName | null => {
  const own = stepOf[screen];
  if (own !== "connect") return own;
  const run = stepOfRun[status];
  return run === undefined ? own : run;
};
