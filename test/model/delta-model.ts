import type { Model, Step } from "./check-model.ts";
import {
  type DeltaEnvironment,
  type DeltaGuards,
  type DeltaState,
  deltaStart,
  type Row,
  type Worker,
} from "./delta-state.ts";
import { deltaWorld, inForm } from "./delta-world.ts";

interface Turn {
  readonly state: DeltaState;
  readonly worker: Worker;
  readonly guards: DeltaGuards;
  readonly environment: DeltaEnvironment;
  readonly step: Step<DeltaState>;
}

const at = (state: DeltaState, doing: Worker["doing"], version = 0): DeltaState => ({
  ...state,
  worker: { doing, version, answer: "none" },
});

/** The page is settled; the sweep of ids follows. */
const onward = (
  state: DeltaState,
  row: Partial<Row>,
  report: DeltaState["report"] = state.report,
): DeltaState => at({ ...state, row: { ...state.row, ...row }, batch: null, task: "sweep", report }, "sweep");

const listed = (
  state: DeltaState,
  guards: DeltaGuards,
  report: DeltaState["report"] = "edited",
): DeltaState => onward(state, { behind: guards.unmadeRemembered }, report);

/** A batch in doubt: the copy is unchanged, or the update or a person has changed it. */
const settle = ({ state, guards, step }: Turn): void => {
  const { batch, copy, row } = state;
  if (!batch || (guards.lateWriteAwaited && batch.age < 2)) return;
  const settled = { ...state, batch: null };
  if (copy === batch.before) step("settle: as it was", at(settled, "read"));
  else
    step(
      "settle: changed",
      at({ ...settled, row: { ...row, unclear: guards.doubtMarked }, doubted: batch.version }, "read"),
    );
};

const read = ({ state, step }: Turn): void => {
  const version = state.due || state.fresh || state.row.behind ? state.source : 0;
  if (version === 0) step("read: not listed", onward(state, {}));
  else step(`read ${version}`, at(state, "look", version));
};

/** Compares the last read version, the source and the destination. */
const look = ({ state, worker, guards, environment, step }: Turn): void => {
  const { row, copy } = state;
  const { version } = worker;
  const isUnclear = row.unclear && copy !== row.fields;
  const wanted = inForm(version, environment);
  const isBehind = guards.behindLookedAt && (row.behind || row.unclear);
  if (guards.unchangedDropped && version === row.version && !isBehind)
    step("unchanged, dropped", onward(state, { behind: false }));
  else if (guards.matchedLeftAlone && row.state === "matched") step("matched, left alone", onward(state, {}));
  else if (guards.ownWriteKnown && isUnclear && copy === wanted)
    step("as it was to become", onward(state, { version, fields: copy, behind: false, unclear: false }));
  else if (isUnclear && guards.doubtfulListed) step("unclear, listed", listed(state, guards, "maybe edited"));
  else if (guards.hashChecked && !isUnclear && copy !== row.fields)
    step("edited, listed", listed(state, guards));
  else step(`claim ${version}`, at({ ...state, batch: { version, before: copy, age: 0 } }, "send", version));
};

const send = ({ state, worker, step }: Turn): void => {
  if (state.batch === null || state.batch.age > 0) step("too late to write", at(state, "settle"));
  else if (state.calls.length < 2)
    step(
      `write ${worker.version}`,
      at(
        { ...state, calls: [...state.calls, { version: worker.version, answered: true }] },
        "wait",
        worker.version,
      ),
    );
};

const record = ({ state, worker, guards, environment, step }: Turn): void => {
  const { version, answer } = worker;
  if (answer === "rejected")
    step(
      "settle: rejected",
      onward(
        state,
        {
          behind: guards.unmadeRemembered,
          unclear: guards.rejectedMarked,
          ...(guards.rejectedStaysWritten ? {} : { state: "failed" }),
        },
        "rejected",
      ),
    );
  else if (answer === "unknown" && guards.timeoutIsUnknown)
    step("unknown, stays in doubt", at(state, "settle"));
  else {
    const fields = guards.hashAsReturned ? inForm(version, environment) : String(version);
    step("settle: written", onward(state, { version, fields, behind: false, unclear: false }));
  }
};

const ended = (state: DeltaState, { sinceStart }: DeltaGuards, report = state.report): DeltaState => ({
  ...state,
  task: "ended",
  worker: null,
  report,
  fresh: state.fresh && (sinceStart || state.run === 2),
});

const sweep = ({ state, guards, environment, step }: Turn): void => {
  if (!guards.idsSwept) step("end without a sweep", ended(state, guards));
  else if (state.source === 0) step("sweep: not there", at(state, "confirm"));
  else {
    step("sweep: there", ended(state, guards));
    if (environment.sweepMisses) step("sweep: passed over", at(state, "confirm"));
  }
};

const confirm = ({ state, guards, step }: Turn): void => {
  const isGone = state.source === 0 || !guards.deletionConfirmed;
  step(
    isGone ? "deleted at the source, reported" : "there after all",
    ended(state, guards, isGone ? "deleted" : state.report),
  );
};

const doing = { settle, read, look, send, record, sweep, confirm };

const start = (
  state: DeltaState,
  guards: DeltaGuards,
  environment: DeltaEnvironment,
  step: Step<DeltaState>,
): void => {
  if (state.worker) return;
  if (environment.stops && state.run === 1 && state.task !== "ended" && !state.batch)
    step("stop", { ...ended(state, guards), stopped: true });
  if (state.task !== "ended") {
    const first = state.task === "copy" ? "read" : "sweep";
    step("start", at(state, state.batch ? "settle" : first));
  } else if (state.run < 2)
    step("the next delta begins", {
      ...state,
      run: state.run === 0 ? 1 : 2,
      task: "copy",
      due: state.fresh || (state.stopped && guards.stoppedKeepsSince && state.due),
      fresh: false,
      stopped: false,
      report: "nothing",
    });
};

const wrongAtRest = (state: DeltaState): string | null => {
  const { source, row, copy, report, fresh, doubted } = state;
  const untouched = !state.edited && row.state !== "matched";
  const isListed = report === "edited" || report === "maybe edited";
  const isCurrent = Number.parseInt(copy, 10) === source;
  if (row.state === "failed") return "marked failed, but exists";
  if (report === "edited" && untouched) return "marked edited, but only the import changed it";
  if (fresh) return null; // it changed during the read: left to the next delta
  // Only if the source has changed once more meanwhile, or a part of the update is missing, nobody can tell.
  const isPart = copy.startsWith("half");
  if (report === "maybe edited" && untouched && (isCurrent || (doubted === source && !isPart)))
    return "marked as maybe edited, but it is as it should be";
  if (report === "deleted" && source > 0) return "marked deleted, but exists";
  if (source === 0) return report === "deleted" ? null : "a deletion is not reported";
  if (isListed && !state.changed) return "listed, though the source did not change";
  if (row.state === "matched" || report === "rejected") return null;
  if (untouched && !isListed && !isCurrent) return "a change at the source is lost";
  if (!untouched && !isCurrent && source !== row.version && !isListed)
    return "an unapplied change is not reported";
  if (!untouched && source === row.version && state.copy === "person's" && row.fields === "person's")
    return "a person's edit is taken for ours";
  return null;
};

const atRest = ({ run, task, worker, calls, batch }: DeltaState): boolean =>
  run === 2 && task === "ended" && !worker && calls.length === 0 && !batch;

/** One record that was copied or matched, through two deltas. */
export const deltaModel = (guards: DeltaGuards, environment: DeltaEnvironment): Model<DeltaState> => ({
  start: deltaStart(environment),
  next: (state, step) => {
    deltaWorld(state, environment, step);
    start(state, guards, environment, step);
    const { worker } = state;
    if (!worker) return;
    step(`crash while it would ${worker.doing}`, {
      ...state,
      worker: null,
      calls: state.calls.map((call) => ({ ...call, answered: false })),
    });
    if (worker.doing !== "wait") doing[worker.doing]({ state, worker, guards, environment, step });
  },
  wrong: (state) => state.wrong ?? (atRest(state) ? wrongAtRest(state) : null),
  goal: atRest,
});
