import type { Model, Step } from "./check-model.ts";

/** The rules for a part that is written in the same call as its record; each can be disabled. */
export const togetherGuards = {
  /** A part without a row is looked up before it is written by itself. */
  partLookedUp: true,
  /** The part's key has the generation of its record's key, and is looked up under that one too. */
  generationOfRecord: true,
  /** The look-up waits until the destination's search shows what the step before wrote. */
  lagAwaited: true,
  /** A found part that differs from the source is brought up to date. */
  foundCompared: true,
  /** A record in doubt is looked up before it is sent again. */
  recordLookedUp: true,
};
export type TogetherGuards = { readonly [Guard in keyof typeof togetherGuards]: boolean };

export interface TogetherEnvironment {
  /** How often the part may change in the source. */
  readonly changes: number;
  /** A search may miss what was written a moment ago. */
  readonly lags: boolean;
  /** The first run may be stopped between the two streams: a second one goes on. */
  readonly stops: boolean;
}

interface Copy {
  readonly generation: number;
  readonly version: number;
}

interface TogetherState {
  /** The part's version in the source. */
  readonly part: number;
  readonly left: number;
  readonly run: 1 | 2;
  readonly at: "record" | "in doubt" | "part" | "end";
  /** The version that the write of the record carries. */
  readonly carried: number;
  /** In the destination. */
  readonly records: number;
  readonly parts: readonly Copy[];
  /** A search shows them. */
  readonly shown: boolean;
  /** In the ledger: the generation of the record's key, and the part's version. */
  readonly recordRow: number | null;
  readonly partRow: number | null;
}

const arrived = (state: TogetherState): TogetherState => ({
  ...state,
  records: state.records + 1,
  parts: [...state.parts, { generation: state.run, version: state.carried }],
  shown: false,
});

const writeRecord = (
  state: TogetherState,
  { lags }: TogetherEnvironment,
  step: Step<TogetherState>,
): void => {
  const sent = { ...state, carried: state.part };
  const there = { ...arrived(sent), shown: !lags };
  step("the record and its part are written", { ...there, recordRow: state.run, at: "part" });
  step("both are written, and the answer is lost", { ...there, at: "in doubt" });
  step("nothing is written, and no answer comes", { ...sent, at: "in doubt" });
};

const settleDoubt = (state: TogetherState, { recordLookedUp }: TogetherGuards, step: Step<TogetherState>) => {
  // After the grace a search shows everything.
  const shown = { ...state, shown: true };
  if (state.records > 0 && recordLookedUp)
    step("the record is found", { ...shown, recordRow: state.run, at: "part" });
  else step("the record is sent again", { ...shown, at: "record" });
};

const writePart = (state: TogetherState, guards: TogetherGuards, step: Step<TogetherState>): void => {
  const { part, parts, run, recordRow, shown } = state;
  if (!shown && guards.lagAwaited) return step("wait for the search", { ...state, shown: true });
  const generations = new Set([run, ...(guards.generationOfRecord ? [recordRow] : [])]);
  const [found] =
    guards.partLookedUp && shown ? parts.filter(({ generation }) => generations.has(generation)) : [];
  if (!found)
    return step("the part is written by itself", {
      ...state,
      parts: [...parts, { generation: run, version: part }],
      partRow: part,
      at: "end",
    });
  const upToDate = parts.map((each) => (each === found ? { ...each, version: part } : each));
  step("the part is found", {
    ...state,
    parts: guards.foundCompared ? upToDate : parts,
    partRow: part,
    at: "end",
  });
};

/** A record and its part, written in one call, then the part's own stream; over one run or two. */
export const togetherModel = (
  guards: TogetherGuards,
  environment: TogetherEnvironment,
): Model<TogetherState> => ({
  start: {
    part: 1,
    left: environment.changes,
    run: 1,
    at: "record",
    carried: 0,
    records: 0,
    parts: [],
    shown: true,
    recordRow: null,
    partRow: null,
  },
  next: (state, step) => {
    if (state.left > 0 && state.at !== "end")
      step("source: the part changes", { ...state, part: state.part + 1, left: state.left - 1 });
    if (!state.shown) step("the search catches up", { ...state, shown: true });
    if (state.at === "record") writeRecord(state, environment, step);
    if (state.at === "in doubt") settleDoubt(state, guards, step);
    if (state.at === "part") {
      if (environment.stops && state.run === 1)
        step("the run is stopped, and a second one goes on", { ...state, run: 2 });
      writePart(state, guards, step);
    }
  },
  wrong: ({ at, records, parts, part, partRow }) => {
    if (records > 1) return "the record is there twice";
    if (parts.length > 1) return "the part is there twice";
    if (at !== "end") return null;
    if (parts.length === 0) return "the part is lost";
    return parts[0]?.version === partRow && partRow === part ? null : "the part is out of date";
  },
  goal: ({ at }) => at === "end",
});
