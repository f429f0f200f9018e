import type { Model, Step } from "./check-model.ts";
import {
  type Copied,
  type Row,
  type UndoEnvironment,
  type UndoGuards,
  type UndoState,
  undoStart,
  type Worker,
} from "./undo-state.ts";
import { undoWorld } from "./undo-world.ts";

interface Turn {
  readonly state: UndoState;
  readonly worker: Worker;
  readonly guards: UndoGuards;
  readonly environment: UndoEnvironment;
  readonly step: Step<UndoState>;
}

const idle: Worker = { doing: "check", seen: "ours", answer: "none", id: 0 };
const at = (state: UndoState, doing: Worker["doing"], more: Partial<Worker> = {}): UndoState => ({
  ...state,
  worker: { ...idle, doing, ...more },
});
const settled = (state: UndoState, row: Partial<Row> = {}): UndoState =>
  at(
    {
      ...state,
      doubt: "none",
      age: 0,
      row: { ...state.row, ...row },
      mark: state.mark === "removing" ? "none" : state.mark,
    },
    "check",
  );
const keyInUse = (state: UndoState, { keyGeneration }: UndoGuards): number =>
  keyGeneration ? state.round + (state.phase === "again" ? 1 : 0) : 1;

/** Looks a record in doubt up by its key, once nothing can change it any more. */
const settle = ({ state, guards, step }: Turn): void => {
  if (state.age < 2 && (state.doubt === "create" || guards.lateRemoveAwaited)) return;
  if (state.doubt === "remove") {
    const left = state.copies.some((copy) => !copy.bin && copy.key === state.row.key);
    step(`settle: ${left ? "still there" : "gone"}`, settled(state, left ? {} : { state: "undone" }));
    return;
  }
  const key = keyInUse(state, guards);
  const found = state.copies.find((copy) => copy.key === key); // a search by key also finds copies in the bin
  const fields = guards.editInDoubtSeen ? "ours" : (found?.fields ?? "ours");
  step(
    `settle: ${found ? "found" : "not there"}`,
    settled(state, found ? { state: "written", id: found.id, key, fields } : {}),
  );
};

const keptRow = ({ keptIsKnown }: UndoGuards, id: number): Partial<Row> => ({
  state: "kept",
  ...(keptIsKnown ? { id } : {}),
});

const undoIsOver = (state: UndoState, environment: UndoEnvironment): UndoState =>
  environment.startsOver
    ? at({ ...state, phase: "again" }, "check")
    : { ...state, phase: "end", worker: null };

/** Checks the next row of the ledger, and its copy. */
const checkCopy = ({ state, guards, environment, step }: Turn): void => {
  const { row } = state;
  if (state.closing) {
    step("sees that it is cancelled", { ...state, phase: "closed", worker: null });
    return;
  }
  const isOurs =
    row.state === "written" ||
    (row.state === "failed" && guards.failedLookedUp) ||
    (row.state === "matched" && guards.matchIsOurs);
  if (!isOurs) {
    // Nothing is there because of us.
    const over: UndoState = row.state === "matched" ? { ...state, row: { ...row, state: "undone" } } : state;
    step("nothing left to remove", undoIsOver(over, environment));
    return;
  }
  const copy = state.copies.find(
    (one) => !one.bin && (guards.foundByKey ? one.key === row.key : one.id === row.id),
  );
  const kept = keptRow(guards, copy?.id ?? 0);
  if (!copy) step("check: gone", settled(state, { state: "undone" }));
  else if (state.mark === "matched") step("check: matched by another import, kept", settled(state, kept));
  else if (guards.editedKept && copy.fields !== row.fields) step("check: edited, kept", settled(state, kept));
  else step("check: as we left it", at(state, "claim", { seen: copy.fields, id: copy.id }));
};

const copyIsOver = (state: UndoState, environment: UndoEnvironment): UndoState =>
  environment.undoneAgain && state.round === 1
    ? at({ ...state, phase: "undo", round: 2 }, "check")
    : { ...state, phase: "end", worker: null };

/** The next copy: how does it treat the row? */
const checkRow = ({ state, guards, environment, step }: Turn): void => {
  const { row } = state;
  if (row.state === "written" || (row.state === "matched" && guards.matchStays)) {
    step("nothing left to copy", copyIsOver(state, environment));
    return;
  }
  if (row.state === "undone" && !guards.undoneIsCopied) {
    step("the ledger has it, dropped", { ...state, phase: "end", worker: null });
    return;
  }
  const kept = state.copies.some((copy) => !copy.bin && copy.key === row.key);
  if (row.state === "kept" && guards.keptIsMatched && kept)
    step("it was kept, and is there: matched", settled(state, { state: "matched" }));
  else step("to be copied", at(state, "claim"));
};

const claim = ({ state, worker, guards, step }: Turn): void => {
  if (state.phase === "again") {
    step("claim", at({ ...state, doubt: "create", age: 0 }, "send"));
    return;
  }
  if (guards.matchExcluded && state.mark === "matched") {
    step("claim: matched by another import, kept", settled(state, keptRow(guards, worker.id)));
    return;
  }
  const mark = guards.matchExcluded ? "removing" : state.mark;
  step("claim the removal", at({ ...state, doubt: "remove", age: 0, mark }, "send", { seen: worker.seen }));
};

const send = ({ state, worker, guards, step }: Turn): void => {
  if (state.age > 0) {
    step("too late to send", at(state, "settle"));
    return;
  }
  if (state.calls.length > 2) return; // only disabled guards lead here: keeps their models finite
  const { key } = state.row;
  const id = state.row.id || (state.copies.find((copy) => !copy.bin && copy.key === key)?.id ?? 0);
  const call =
    state.phase === "again"
      ? ({ kind: "create", id: 0, key: keyInUse(state, guards), seen: "ours", by: "worker" } as const)
      : ({ kind: "remove", id, key, seen: worker.seen, by: "worker" } as const);
  step(state.phase === "again" ? "write" : "remove", at({ ...state, calls: [...state.calls, call] }, "wait"));
};

const record = ({ state, worker, guards, step }: Turn): void => {
  const known = worker.answer === "done" || (state.phase === "undo" && !guards.timeoutIsUnknown);
  if (!known) step("unknown, stays in doubt", at(state, "settle"));
  else if (state.phase === "undo") step("settle: undone", settled(state, { state: "undone" }));
  else
    step(
      "settle: written",
      settled(state, { state: "written", id: worker.id, key: keyInUse(state, guards), fields: "ours" }),
    );
};

const work = (turn: Turn): void => {
  switch (turn.worker.doing) {
    case "settle":
      settle(turn);
      return;
    case "check":
      if (turn.state.phase === "undo") checkCopy(turn);
      else checkRow(turn);
      return;
    case "claim":
      claim(turn);
      return;
    case "send":
      send(turn);
      return;
    case "record":
      record(turn);
      return;
    case "wait":
      return;
  }
};

/** Undo or the next copy starts, or continues after a crash. */
const start = (state: UndoState, guards: UndoGuards, step: Step<UndoState>): void => {
  if (state.phase === "end" || state.phase === "closed" || state.worker) return;
  const skips =
    (state.doubt === "create" && state.phase === "undo" && !guards.earlierSettled) ||
    (state.closing && !guards.settledBeforeClosed);
  step(
    "start",
    at(
      { ...state, earlierHolds: state.earlierHolds && !guards.earlierFenced },
      state.doubt === "none" || skips ? "check" : "settle",
    ),
  );
};

const wrongAtRest = (state: UndoState, environment: UndoEnvironment): string | null => {
  const { row, phase, copies } = state;
  const ours = copies.filter(({ key, bin }: Copied) => key > 0 && !bin);
  const there = ours.length > 0;
  if (ours.length > 1) return "a record is duplicated";
  if (row.state === "kept" && !there && !state.deleted) return "marked kept, but is gone";
  if (row.state === "kept" && !state.edited && state.mark !== "matched")
    return "kept, but only the import changed it";
  if (row.state === "undone" && there) return "marked undone, but exists";
  if (row.state === "matched" && row.id === 0) return "linked, but with no id";
  if (row.state === "written" && !there && !state.deleted) return "marked written, but does not exist";
  if (phase === "closed") return null;
  if (!environment.startsOver)
    return there && row.state !== "kept" ? "left behind, but marked cleaned" : null;
  return there || state.deleted ? null : "not copied when started over";
};

const atRest = ({ phase, worker, earlier, calls }: UndoState): boolean =>
  (phase === "end" || phase === "closed") && !worker && earlier === "off" && calls.length === 0;

/** Undo of one record, after a run that may have left it in doubt, and the next copy of it. */
export const undoModel = (guards: UndoGuards, environment: UndoEnvironment): Model<UndoState> => ({
  start: undoStart(guards, environment),
  next: (state, step) => {
    undoWorld(state, guards, environment, step);
    start(state, guards, step);
    const { worker } = state;
    if (!worker) return;
    step(`crash while it would ${worker.doing}`, {
      ...state,
      worker: null,
      calls: state.calls.map((call) => (call.by === "worker" ? { ...call, by: "none" } : call)),
    });
    work({ state, worker, guards, environment, step });
  },
  wrong: (state) => state.wrong ?? (atRest(state) ? wrongAtRest(state, environment) : null),
  goal: atRest,
});
