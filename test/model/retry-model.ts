import type { Model, Step } from "./check-model.ts";
import { both, common, has, type Letters, without } from "./letters.ts";
import {
  type RetryEnvironment,
  type RetryGuards,
  type RetryState,
  retryStart,
  type Worker,
  workerAt,
} from "./retry-state.ts";

interface Turn {
  readonly state: RetryState;
  readonly worker: Worker;
  readonly guards: RetryGuards;
  readonly environment: RetryEnvironment;
  readonly step: Step<RetryState>;
}

const written = (state: RetryState, ids: Letters): RetryState => ({
  ...state,
  written: both(state.written, ids),
  failed: without(state.failed, ids),
  skipped: without(state.skipped, ids),
  tried: both(state.tried, ids),
});

/** Children whose parent exists by now. */
const ready = (state: RetryState, { parentOf }: RetryEnvironment): Letters =>
  [...state.skipped].filter((id) => has(state.written, parentOf[id] ?? "")).join("");

const settle = ({ state, guards, step }: Turn): void => {
  if (guards.lateWriteAwaited && state.age < 2) return;
  const found = common(state.batch, state.there);
  step(`settle ${state.batch}, found "${found}"`, {
    ...written(state, found),
    batch: "",
    earlier: false,
    age: 0,
    worker: workerAt("page"),
  });
};

/** The next ledger rows to retry. */
const page = ({ state, guards, environment, step }: Turn): void => {
  const failed = state.walk === 1 ? state.failed : "";
  const rows = both(failed, guards.childrenIncluded ? state.skipped : "");
  const left = guards.keysetPaged
    ? [...rows].filter((id) => id > state.cursor).join("")
    : rows.slice(state.offset);
  const next = left.slice(0, environment.pageSize);
  if (next !== "")
    step(`page ${next}`, { ...state, worker: { ...workerAt("read"), page: next, last: next.slice(-1) } });
  else if (guards.walkedAgain && guards.childrenIncluded && ready(state, environment) !== "")
    step("walk again", { ...state, walk: 2, cursor: "", offset: 0, worker: workerAt("page") });
  else step("the end", { ...state, done: true, worker: null });
};

/** Reads the records by id. Records missing in the answer are gone. */
const read = ({ state, worker, guards, step }: Turn): void => {
  const found = common(worker.page, state.source);
  step(`read: "${found}"`, { ...state, worker: { ...worker, doing: "claim", found } });
  if (guards.errorIsNotGone) step("read: an error, later again", { ...state, worker: null });
  else step("read: an error, taken for gone", { ...state, worker: { ...worker, doing: "claim", found: "" } });
};

const claim = ({ state, worker, guards, environment, step }: Turn): void => {
  const { parentOf } = environment;
  const orphan = (id: string) => parentOf[id] !== undefined && !has(state.written, parentOf[id]);
  const claimed = [...worker.found].filter((id) => !guards.parentAwaited || !orphan(id)).join("");
  const already = guards.failedLookedUp ? common(claimed, common(state.failed, state.there)) : "";
  const todo = without(claimed, already);
  const now: Worker = { ...worker, todo, already, ok: already, doing: todo === "" ? "record" : "send" };
  step(claimed === "" ? "nothing to claim" : `claim ${claimed}, "${already}" is there already`, {
    ...state,
    batch: claimed === "" ? state.batch : claimed,
    age: 0,
    worker: now,
  });
};

const send = ({ state, worker, step }: Turn): void => {
  if (state.age > 0) step("too late to write", { ...state, worker: workerAt("settle") });
  else if (state.calls.length < 3)
    step(`write ${worker.todo}`, {
      ...state,
      calls: [...state.calls, { ids: worker.todo, answered: true }],
      worker: { ...worker, doing: "wait" },
    });
};

const record = ({ state, worker, guards, step }: Turn): void => {
  const unknown = guards.timeoutIsUnknown ? worker.unknown : "";
  const moves = unknown === "" || !guards.unknownHoldsCursor;
  const gone = without(worker.page, worker.found);
  const after = written(state, worker.ok);
  const skips = guards.goneIsSkipped ? gone : "";
  const failedAgain = both(worker.bad, guards.timeoutIsUnknown ? "" : worker.unknown);
  step(`settle "${worker.ok}", failed "${failedAgain}", gone "${gone}", unknown "${unknown}"`, {
    ...after,
    failed: both(without(after.failed, skips), failedAgain),
    skipped: without(without(after.skipped, skips), failedAgain),
    gone: both(after.gone, skips),
    tried: both(after.tried, both(failedAgain, gone)),
    cursor: moves ? worker.last : state.cursor,
    offset: moves ? state.offset + worker.page.length : state.offset,
    batch: unknown,
    age: unknown === "" ? 0 : state.age,
    worker: workerAt(unknown === "" ? "page" : "settle"),
  });
};

const doing = { settle, page, read, claim, send, record };

const taken = (state: RetryState, ids: Letters): RetryState => ({
  ...state,
  doubled: state.doubled || common(state.there, ids) !== "",
  there: both(state.there, ids),
});

const destination = (
  state: RetryState,
  { rejects, refusesTaken }: RetryEnvironment,
  step: Step<RetryState>,
): void => {
  for (const [at, { ids, answered }] of state.calls.entries()) {
    const gone: RetryState = { ...state, calls: state.calls.toSpliced(at, 1) };
    const first = ids.slice(0, 1);
    const rest = ids.slice(1);
    const answer = (after: RetryState, ok: Letters, bad: Letters, unknown: Letters): RetryState => ({
      ...after,
      worker: {
        ...(state.worker ?? workerAt("record")),
        doing: "record",
        ok: both(ok, state.worker?.already ?? ""),
        bad,
        unknown,
      },
    });
    if (!answered) {
      step(`destination: takes ${ids} after all`, taken(gone, ids));
      step(`destination: never takes ${ids}`, gone);
      continue;
    }
    step(`destination: takes ${ids} and says so`, answer(taken(gone, ids), ids, "", ""));
    step(`destination: takes ${first} of ${ids}, no answer`, answer(taken(gone, first), "", "", ids));
    step(`destination: does not take ${ids}, no answer`, answer(gone, "", "", ids));
    step(`destination: no answer for ${ids} yet, given up`, {
      ...answer(state, "", "", ids),
      calls: state.calls.with(at, { ids, answered: false }),
    });
    if (refusesTaken)
      step(`destination: takes ${ids}, but refuses ${first}`, answer(taken(gone, ids), rest, first, ""));
    if (rejects) step(`destination: rejects ${first}`, answer(taken(gone, rest), rest, first, ""));
  }
};

const wrongAtRest = (state: RetryState, environment: RetryEnvironment): string | null => {
  const { parentOf } = environment;
  for (const id of state.there) {
    // A row keeps the key that was ever sent, also when its record is gone, so that a retry or an undo finds the copy.
    const isFindable = environment.refusesTaken && has(both(state.failed, state.gone), id);
    if (!has(state.written, id) && !isFindable) return "a copy is missing in the ledger";
    const parent = parentOf[id];
    if (parent !== undefined && !has(state.there, parent)) return "a child without its parent";
  }
  if (without(state.written, state.there) !== "") return "marked written, but does not exist";
  if (common(state.gone, state.source) !== "") return "marked gone, but exists at the source";
  if (without(common(environment.gone, environment.failed), state.gone) !== "")
    return "retried forever, though gone";
  if (without(environment.failed, state.tried) !== "") return "a failed row is passed over";
  if (common(ready(state, environment), state.source) !== "")
    return "a child is left out, though its parent exists";
  return null;
};

const atRest = ({ done, worker, calls, batch }: RetryState): boolean =>
  done && !worker && calls.length === 0 && batch === "";

const start = (state: RetryState, guards: RetryGuards, step: Step<RetryState>): void => {
  if (state.done || state.worker) return;
  const settles = state.batch !== "" && (state.earlier ? guards.earlierSettled : guards.settledFirst);
  step("start", { ...state, worker: workerAt(settles ? "settle" : "page") });
};

/** A walk over the failed rows, and those that were skipped because of them. */
export const retryModel = (guards: RetryGuards, environment: RetryEnvironment): Model<RetryState> => {
  const everything = both(environment.failed, environment.skipped);
  return {
    start: retryStart(environment, everything),
    next: (state, step) => {
      destination(state, environment, step);
      if (state.batch !== "" && state.age === 0) step("the deadline passes", { ...state, age: 1 });
      if (state.batch !== "" && state.age === 1 && state.calls.length === 0)
        step("the grace is over", { ...state, age: 2 });
      if (environment.deletes && state.source.length === everything.length && !state.done)
        for (const id of state.source)
          step(`source: ${id} is deleted`, { ...state, source: without(state.source, id) });
      start(state, guards, step);
      const { worker } = state;
      if (!worker) return;
      step(`crash while it would ${worker.doing}`, {
        ...state,
        worker: null,
        calls: state.calls.map((call) => ({ ...call, answered: false })),
      });
      if (worker.doing !== "wait") doing[worker.doing]({ state, worker, guards, environment, step });
    },
    wrong: (state) => {
      if (state.doubled) return "a record is duplicated";
      return atRest(state) ? wrongAtRest(state, environment) : null;
    },
    goal: atRest,
  };
};
