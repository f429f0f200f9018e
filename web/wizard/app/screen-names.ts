/** Every screen of the wizard, in the order of a usual move. */
export const screenNames = [
  ...(["start", "connect", "destination", "choose", "people", "fields", "preview"] as const),
  ...(["sample", "review", "full", "move", "done", "undo"] as const),
] as const;

export type ScreenName = (typeof screenNames)[number];

export const isScreenName = (name: string): name is ScreenName =>
  (screenNames as readonly string[]).includes(name);

export const stepNames = ["connect", "match", "sample", "move"] as const;

export type StepName = (typeof stepNames)[number];

/** The header step of each screen. */
export const stepOf: Readonly<Record<ScreenName, StepName | null>> = {
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
