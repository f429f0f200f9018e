import type { Step } from "./check-model.ts";
import type { DeltaEnvironment, DeltaState, Worker } from "./delta-state.ts";

const people = (state: DeltaState, environment: DeltaEnvironment, step: Step<DeltaState>): void => {
  const over = state.run === 2 && state.task === "ended";
  if (!over && state.source > 0) {
    if (state.source < environment.versions)
      step("source: changed", { ...state, source: state.source + 1, changed: true, fresh: true });
    if (environment.reverts && state.source > 1)
      step("source: as it was at first", { ...state, source: 1, fresh: true });
    if (!state.fresh) step("source: touched, and the same as before", { ...state, fresh: true });
    if (environment.deletes) step("source: deleted", { ...state, source: 0, fresh: true });
  }
  // No tool protects the window between the check and the effect: this limitation is accepted.
  const beingWritten = state.batch !== null && (state.calls.length > 0 || state.worker?.doing === "send");
  if (environment.edits && !state.edited && !beingWritten)
    for (const copy of ["person's", "gone"])
      step(`a person ${copy === "gone" ? "deletes" : "edits"} the copy`, { ...state, copy, edited: true });
};

/** A version as the destination stores it. */
export const inForm = (version: number, { converts }: DeltaEnvironment): string =>
  `${version}${converts ? "~" : ""}`;

const taken = (state: DeltaState, copy: string): DeltaState => {
  if (state.copy === "gone") return state;
  let wrong = state.wrong;
  if (state.row.state === "matched") wrong = "a matched record is changed";
  else if (state.copy === "person's") wrong = "a person's edit is overwritten";
  return { ...state, copy, wrong };
};

const answered = (state: DeltaState, answer: Worker["answer"]): DeltaState =>
  state.worker ? { ...state, worker: { ...state.worker, doing: "record", answer } } : state;

const destination = (state: DeltaState, environment: DeltaEnvironment, step: Step<DeltaState>): void => {
  for (const [at, call] of state.calls.entries()) {
    const gone: DeltaState = { ...state, calls: state.calls.toSpliced(at, 1) };
    const done = taken(gone, inForm(call.version, environment));
    if (!call.answered) {
      step(`destination: takes ${call.version} after all`, done);
      step(`destination: never takes ${call.version}`, gone);
      continue;
    }
    step(`destination: takes ${call.version} and says so`, answered(done, "done"));
    step(`destination: takes ${call.version}, no answer`, answered(done, "unknown"));
    step(`destination: does not take ${call.version}, no answer`, answered(gone, "unknown"));
    step(`destination: no answer for ${call.version} yet, given up`, {
      ...answered(state, "unknown"),
      calls: state.calls.with(at, { ...call, answered: false }),
    });
    if (!environment.rejects) continue;
    step(`destination: rejects ${call.version}`, answered(gone, "rejected"));
    step(
      `destination: takes a part of ${call.version} and rejects it`,
      answered(taken(gone, `half of ${call.version}`), "rejected"),
    );
  }
};

export const deltaWorld = (
  state: DeltaState,
  environment: DeltaEnvironment,
  step: Step<DeltaState>,
): void => {
  people(state, environment, step);
  destination(state, environment, step);
  const { batch } = state;
  if (batch?.age === 0) step("the deadline passes", { ...state, batch: { ...batch, age: 1 } });
  if (batch?.age === 1 && state.calls.length === 0)
    step("the grace is over", { ...state, batch: { ...batch, age: 2 } });
};
