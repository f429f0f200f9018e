import type { Step } from "./check-model.ts";
import type { Call, LinkingEnvironment, LinkingState, Worker } from "./linking-state.ts";

const people = (state: LinkingState, step: Step<LinkingState>): void => {
  for (const name of ["A", "B"] as const) {
    const copy = state.copies[name];
    // No tool protects the window between the check and the effect: this limitation is accepted.
    const beingWritten =
      state.batch?.name === name &&
      state.batch.kind !== "create" &&
      (state.calls.length > 0 || state.worker?.doing === "send");
    if (state.edits && copy !== "none" && !beingWritten)
      step(`a person edits the copy of ${name}`, {
        ...state,
        edits: false,
        copies: { ...state.copies, [name]: "person's" },
      });
    if (state.unlinks && state.points[name] && state.phase !== "end")
      step(`source: ${name} does not point to the other any more`, {
        ...state,
        unlinks: false,
        points: { ...state.points, [name]: false },
      });
  }
};

const taken = (state: LinkingState, { name, becomes, create }: Call): LinkingState => {
  const copy = state.copies[name];
  let wrong = state.wrong;
  if (create && copy !== "none") wrong = "a record is duplicated";
  else if (!create && copy === "person's") wrong = "a person's edit is overwritten";
  return { ...state, copies: { ...state.copies, [name]: becomes }, wrong };
};

const answered = (state: LinkingState, answer: Worker["answer"]): LinkingState => ({
  ...state,
  worker: { doing: "record", answer },
});

const destination = (
  state: LinkingState,
  { rejects }: LinkingEnvironment,
  step: Step<LinkingState>,
): void => {
  for (const [at, call] of state.calls.entries()) {
    const gone: LinkingState = { ...state, calls: state.calls.toSpliced(at, 1) };
    if (!call.answered) {
      step("destination: takes it after all", taken(gone, call));
      step("destination: never takes it", gone);
      continue;
    }
    step("destination: takes it and says so", answered(taken(gone, call), "done"));
    step("destination: takes it, no answer", answered(taken(gone, call), "unknown"));
    step("destination: does not take it, no answer", answered(gone, "unknown"));
    step("destination: no answer yet, given up", {
      ...answered(state, "unknown"),
      calls: state.calls.with(at, { ...call, answered: false }),
    });
    if (rejects && call.create) step("destination: rejects it", answered(gone, "rejected"));
  }
};

export const linkingWorld = (
  state: LinkingState,
  environment: LinkingEnvironment,
  step: Step<LinkingState>,
): void => {
  people(state, step);
  destination(state, environment, step);
  const { batch } = state;
  if (batch?.late === 0) step("the deadline passes", { ...state, batch: { ...batch, late: 1 } });
  if (batch?.late === 1 && state.calls.length === 0)
    step("the grace is over", { ...state, batch: { ...batch, late: 2 } });
};
