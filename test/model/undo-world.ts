import type { Step } from "./check-model.ts";
import type { Call, Copied, UndoEnvironment, UndoGuards, UndoState } from "./undo-state.ts";

const isOurs = ({ key, bin }: Copied): boolean => key > 0 && !bin;

const people = (state: UndoState, environment: UndoEnvironment, step: Step<UndoState>): void => {
  const at = state.copies.findIndex(isOurs);
  const ours = state.copies[at];
  if (ours && environment.edits && !state.edited)
    step("a person edits the copy", {
      ...state,
      edited: true,
      copies: state.copies.with(at, { ...ours, fields: "person's" }),
    });
  if (ours && environment.deletes && !state.deleted)
    step("a person deletes the copy", {
      ...state,
      deleted: true,
      copies: environment.bins
        ? state.copies.with(at, { ...ours, bin: true })
        : state.copies.toSpliced(at, 1),
    });
  if (
    environment.reusesIds &&
    !state.reused &&
    state.row.id === 1 &&
    !state.copies.some(({ id }) => id === 1)
  )
    step("a person makes a record, which gets the free id", {
      ...state,
      reused: true,
      copies: [...state.copies, { id: 1, key: 0, fields: "person's", bin: false }],
    });
};

/** Another import writes a record that the tool matches with the copy. */
const otherImport = (
  state: UndoState,
  guards: UndoGuards,
  environment: UndoEnvironment,
  step: Step<UndoState>,
): void => {
  const there = state.copies.find(isOurs);
  if (there && environment.matches && state.other === "none" && state.phase === "undo")
    step("another import's write is answered with the copy", { ...state, other: "answered" });
  if (state.other === "answered" && state.mark === "removing")
    step("another import may not match what is being removed", { ...state, other: "refused" });
  else if (state.other === "answered")
    step("another import registers the match", { ...state, mark: "matched", other: "registered" });
  if (state.other !== "registered") return;
  if (there || !guards.matchReadAgain)
    step("another import is matched with the copy", {
      ...state,
      other: "matched",
      wrong: there ? state.wrong : "another import is matched with what is gone",
    });
  else step("another import finds that it is gone", { ...state, other: "refused" });
};

const created = (state: UndoState, { key }: Call): UndoState => {
  let id = 1;
  while (state.copies.some((copy) => copy.id === id)) id++;
  return { ...state, copies: [...state.copies, { id, key, fields: "ours", bin: false }] };
};

const removed = (
  state: UndoState,
  { id, key, seen }: Call,
  guards: UndoGuards,
  { bins }: UndoEnvironment,
): UndoState => {
  const at = state.copies.findIndex((copy) => copy.id === id && !copy.bin);
  const copy = state.copies[at];
  if (!copy || (guards.removeChecksKey && copy.key !== key)) return state;
  let wrong = state.wrong;
  if (copy.key === 0) wrong = "a person's own record is removed";
  // An edit after the check is lost in tools that can't compare: this limitation is accepted.
  else if (copy.fields === "person's" && seen === "person's") wrong = "a person's edit is removed";
  else if (state.mark === "matched") wrong = "another import's match is removed";
  const copies = bins ? state.copies.with(at, { ...copy, bin: true }) : state.copies.toSpliced(at, 1);
  return { ...state, copies, wrong };
};

const answered = (state: UndoState, by: Call["by"], answer: "done" | "unknown"): UndoState => {
  if (by === "earlier")
    return {
      ...state,
      earlier: state.earlier === "wait" ? (answer === "done" ? "record" : "off") : state.earlier,
    };
  const { worker } = state;
  if (by === "none" || !worker) return state;
  const id = Math.max(0, ...state.copies.filter(({ key }) => key > 0).map((copy) => copy.id));
  return { ...state, worker: { ...worker, doing: "record", answer, id } };
};

const destination = (
  state: UndoState,
  guards: UndoGuards,
  environment: UndoEnvironment,
  step: Step<UndoState>,
): void => {
  for (const [at, call] of state.calls.entries()) {
    const gone: UndoState = { ...state, calls: state.calls.toSpliced(at, 1) };
    const taken = call.kind === "create" ? created(gone, call) : removed(gone, call, guards, environment);
    if (call.by === "none") {
      step(`${call.kind} takes effect after all`, taken);
      step(`${call.kind} never takes effect`, gone);
      continue;
    }
    step(`${call.by}: ${call.kind}, answered`, answered(taken, call.by, "done"));
    step(`${call.by}: ${call.kind} done, no answer`, answered(taken, call.by, "unknown"));
    step(`${call.by}: ${call.kind} not done, no answer`, answered(gone, call.by, "unknown"));
    step(`${call.by}: no answer to ${call.kind} yet, given up`, {
      ...answered(state, call.by, "unknown"),
      calls: state.calls.with(at, { ...call, by: "none" }),
    });
  }
};

/** The attempt of the previous run, which does not know that the run is over. */
const earlier = (state: UndoState, step: Step<UndoState>): void => {
  if (state.earlier === "off") return;
  if (state.earlier === "send" && (state.age > 0 || state.doubt !== "create" || state.phase !== "undo"))
    step("earlier: too late to send", { ...state, earlier: "off" });
  else if (state.earlier === "send")
    step("earlier: send", {
      ...state,
      earlier: "wait",
      calls: [...state.calls, { kind: "create", id: 0, key: 1, seen: "ours", by: "earlier" }],
    });
  else if (state.earlier === "record") {
    const id = state.copies.find(isOurs)?.id ?? 1;
    step(state.earlierHolds ? "earlier: settle" : "earlier: settle is fenced", {
      ...state,
      earlier: "off",
      ...(state.earlierHolds
        ? { row: { state: "written", id, key: 1, fields: "ours" }, doubt: "none", age: 0 }
        : {}),
    });
  }
  step("earlier: crash", {
    ...state,
    earlier: "off",
    calls: state.calls.map((call) => (call.by === "earlier" ? { ...call, by: "none" } : call)),
  });
};

export const undoWorld = (
  state: UndoState,
  guards: UndoGuards,
  environment: UndoEnvironment,
  step: Step<UndoState>,
): void => {
  people(state, environment, step);
  otherImport(state, guards, environment, step);
  destination(state, guards, environment, step);
  earlier(state, step);
  if (state.doubt !== "none" && state.age === 0) step("the deadline passes", { ...state, age: 1 });
  if (state.doubt !== "none" && state.age === 1 && state.calls.length === 0)
    step("the grace is over", { ...state, age: 2 });
  if (environment.cancels && !state.closing && state.phase === "undo")
    step("cancel", { ...state, closing: true });
};
