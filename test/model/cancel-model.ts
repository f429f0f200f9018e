import type { Model, Step } from "./check-model.ts";

/** The rules of cancelling an import while it runs; each can be disabled. */
export const cancelGuards = {
  /** The purge of credentials waits for the end of the run. */
  purgedAfterRun: true,
  /** The worker settles a batch in doubt only when its request can't take effect any more. */
  lateWriteAwaited: true,
  /** A starting run checks whether it is still wanted: its start may arrive after the stop. */
  startSeesStop: true,
  /** A run of a closed import that waits for a sign-in ends: the customer can't sign in any more. */
  waitingEnds: true,
  /** The purge first settles the batch that a run without a sign-in left in doubt. */
  leftoverSettled: true,
  /** A batch that the tool can't be asked about is recorded as in doubt. */
  doubtRecorded: true,
  /** … and only then: as long as the tool accepts our credentials, we ask it. */
  askedUnlessRefused: true,
  /** A refresh stores credentials only while the import is open or its run is live: refreshes take time. */
  storedWhileOpen: true,
  /** A refused sign-in leaves the batch in doubt: the tool may have applied an earlier request of it. */
  refusedIsUnknown: true,
  /** A stopping run does not wait for an unreachable tool: the batch stays in doubt, and the run ends. */
  unreachableEnds: true,
  /** … but it asks a reachable tool. */
  reachableAsked: true,
};
export type CancelGuards = { readonly [Guard in keyof typeof cancelGuards]: boolean };

export interface CancelEnvironment {
  /** The tool may stop accepting our credentials. */
  readonly refuses: boolean;
  /** Tokens are refreshed now and then. */
  readonly refreshes: boolean;
  /** The tool may stop answering, perhaps forever. */
  readonly leaves: boolean;
}

interface CancelState {
  readonly closed: boolean;
  readonly run: "asked" | "live" | "waiting" | "ended";
  readonly started: "no" | "open" | "closed";
  readonly credentials: "held" | "refused" | "purged";
  /** The tool no longer answers; the writes that it applied still exist. */
  readonly away: boolean;
  readonly purging: boolean;
  readonly refreshing: boolean;
  readonly row: "none" | "written" | "in doubt";
  readonly there: boolean;
  readonly batch: boolean;
  readonly age: 0 | 1 | 2;
  readonly calls: readonly boolean[];
  readonly worker: "none" | "settle" | "claim" | "send" | "wait" | "record" | "unknown";
  readonly wrong: string | null;
}

const runEnded = (state: CancelState): CancelState => ({
  ...state,
  run: "ended",
  worker: "none",
  purging: state.closed,
});

const people = (
  state: CancelState,
  guards: CancelGuards,
  environment: CancelEnvironment,
  step: Step<CancelState>,
): void => {
  if (!state.closed)
    step("cancel", {
      ...state,
      closed: true,
      purging: state.run === "ended" || !guards.purgedAfterRun,
    });
  if (environment.refuses && state.credentials === "held")
    step("destination: refuses us from now on", { ...state, credentials: "refused" });
  if (environment.leaves && !state.away)
    step("destination: stops answering", {
      ...state,
      away: true,
      calls: state.calls.map(() => false),
      worker: state.worker === "wait" ? "unknown" : state.worker,
    });
  if (state.closed || state.credentials !== "refused") return;
  step("a person signs in again", {
    ...state,
    run: state.run === "waiting" ? "live" : state.run,
    credentials: "held",
  });
  if (state.run === "waiting") step("no sign-in: the run is abandoned", { ...state, run: "ended" });
};

const purge = (state: CancelState, guards: CancelGuards, step: Step<CancelState>): void => {
  const purged: CancelState = { ...state, credentials: "purged", purging: false };
  const refused = state.credentials === "refused";
  if (!state.batch || !guards.leftoverSettled) step("purge", purged);
  else if (refused && !guards.doubtRecorded) step("purge: refused", purged);
  else if (refused || (state.away && state.age === 2) || !guards.askedUnlessRefused)
    step("purge: what is left stays in doubt", { ...state, batch: false, age: 0, row: "in doubt" });
  else if (state.age === 2)
    step(`purge: settle, ${state.there ? "found" : "not there"}`, {
      ...state,
      batch: false,
      age: 0,
      row: state.there ? "written" : state.row,
    });
};

const credentials = (
  state: CancelState,
  guards: CancelGuards,
  environment: CancelEnvironment,
  step: Step<CancelState>,
): void => {
  if (state.purging) purge(state, guards, step);
  if (environment.refreshes && state.credentials === "held" && !state.refreshing && state.run === "live")
    step("a token is refreshed", { ...state, refreshing: true });
  if (!state.refreshing) return;
  const open = !state.closed || state.run !== "ended";
  step(
    "the new token is stored",
    open || !guards.storedWhileOpen
      ? { ...state, refreshing: false, credentials: "held" }
      : { ...state, refreshing: false },
  );
  step("the refresh is lost", { ...state, refreshing: false });
};

const destination = (state: CancelState, step: Step<CancelState>): void => {
  for (const [at, answered] of state.calls.entries()) {
    const gone: CancelState = { ...state, calls: state.calls.toSpliced(at, 1) };
    const taken: CancelState = {
      ...gone,
      there: true,
      wrong: state.there ? "a record is duplicated" : state.wrong,
    };
    if (!answered) {
      step("destination: takes it after all", taken);
      step("destination: never takes it", gone);
      continue;
    }
    step("destination: takes it and says so", { ...taken, worker: "record" });
    step("destination: no answer yet, given up", {
      ...state,
      calls: state.calls.with(at, false),
      worker: "unknown",
    });
  }
};

/** The dispatcher delivers the start of the run: perhaps after the stop, perhaps long after. */
const startRun = (state: CancelState, guards: CancelGuards, step: Step<CancelState>): void => {
  if (state.run !== "asked") return;
  if (state.closed && guards.startSeesStop) step("the run is not started", runEnded(state));
  else step("the run starts", { ...state, run: "live", started: state.closed ? "closed" : "open" });
};

const waits = (state: CancelState, step: Step<CancelState>): void =>
  step("refused: the run waits for a person", { ...state, run: "waiting", worker: "none" });

/** The tool does not answer. A run that is not stopping retries later. */
const settleAlone = (state: CancelState, guards: CancelGuards, step: Step<CancelState>): void => {
  if (state.closed && guards.unreachableEnds)
    step("no answer: the batch stays in doubt, and the run ends", {
      ...runEnded(state),
      batch: false,
      age: 0,
      row: "in doubt",
    });
};

const settle = (state: CancelState, guards: CancelGuards, step: Step<CancelState>): void => {
  if (guards.lateWriteAwaited && state.age < 2) return;
  if (state.away || !guards.reachableAsked) settleAlone(state, guards, step);
  if (state.away) return;
  if (state.credentials === "refused") waits(state, step);
  if (state.credentials === "held")
    step(`settle: ${state.there ? "found" : "not there"}`, {
      ...state,
      batch: false,
      age: 0,
      row: state.there ? "written" : state.row,
      worker: "claim",
    });
};

const claim = (state: CancelState, step: Step<CancelState>): void => {
  const sees = state.closed && state.started !== "closed";
  if (sees) step("sees the stop", runEnded(state));
  else if (state.row === "written") step("the end", runEnded(state));
  else
    step("claim", {
      ...state,
      batch: true,
      age: 0,
      worker: "send",
      wrong: state.closed ? "a cancelled import goes on" : state.wrong,
    });
};

const send = (state: CancelState, guards: CancelGuards, step: Step<CancelState>): void => {
  if (state.age > 0) step("too late to write", { ...state, worker: "settle" });
  else if (state.away) step("write: no connection", { ...state, worker: "settle" });
  else if (state.credentials === "held" && state.calls.length < 2)
    step("write", { ...state, calls: [...state.calls, true], worker: "wait" });
  else if (state.credentials === "refused" && guards.refusedIsUnknown)
    step("write: refused, stays in doubt", { ...state, worker: "settle" });
  else if (state.credentials === "refused")
    step("write: refused, taken for not written", {
      ...state,
      batch: false,
      age: 0,
      run: "waiting",
      worker: "none",
    });
};

const work = (state: CancelState, guards: CancelGuards, step: Step<CancelState>): void => {
  if (state.worker === "settle" || state.worker === "unknown") settle(state, guards, step);
  if (state.worker === "claim") claim(state, step);
  if (state.worker === "send") send(state, guards, step);
  // The answer came, but a connector that retries within one write may get a refusal the second time.
  if (state.worker === "wait" && state.credentials === "refused" && state.calls.includes(true))
    step("write: sent again, and refused", {
      ...state,
      calls: state.calls.map(() => false),
      ...(guards.refusedIsUnknown
        ? { worker: "unknown" }
        : { worker: "none", run: "waiting", batch: false, age: 0 }),
    });
  if (state.worker === "record")
    step("settle: written", { ...state, batch: false, age: 0, row: "written", worker: "claim" });
};

const start = (state: CancelState, guards: CancelGuards, step: Step<CancelState>): void => {
  if (state.run === "waiting" && state.closed && guards.waitingEnds)
    step("no sign-in is possible any more: the run ends", runEnded(state));
  if (state.run !== "live" || state.worker !== "none") return;
  step("start", { ...state, worker: state.batch ? "settle" : "claim" });
};

const atRest = ({ closed, run, credentials: held, calls, refreshing, purging }: CancelState): boolean =>
  closed && run === "ended" && held === "purged" && calls.length === 0 && !refreshing && !purging;

/** One record, in an import that is cancelled at any time. */
export const cancelModel = (guards: CancelGuards, environment: CancelEnvironment): Model<CancelState> => ({
  start: {
    closed: false,
    run: "asked",
    started: "no",
    credentials: "held",
    away: false,
    purging: false,
    refreshing: false,
    row: "none",
    there: false,
    batch: false,
    age: 0,
    calls: [],
    worker: "none",
    wrong: null,
  },
  next: (state, step) => {
    people(state, guards, environment, step);
    credentials(state, guards, environment, step);
    destination(state, step);
    startRun(state, guards, step);
    start(state, guards, step);
    if (state.batch && state.age === 0) step("the deadline passes", { ...state, age: 1 });
    if (state.batch && state.age === 1 && state.calls.length === 0)
      step("the grace is over", { ...state, age: 2 });
    if (state.worker === "none") return;
    step("crash", { ...state, worker: "none", calls: state.calls.map(() => false) });
    work(state, guards, step);
  },
  wrong: (state) => {
    if (state.wrong) return state.wrong;
    if (state.credentials === "purged" && state.batch) return "unknown forever";
    if (state.closed && state.run === "ended" && !state.purging && state.credentials !== "purged")
      return "credentials are kept after the end";
    if (state.row === "in doubt" && state.credentials === "held" && !state.away)
      return "left in doubt, though the tool answers";
    if (!atRest(state) || state.row === "in doubt") return null;
    if (state.there && state.row !== "written") return "a copy is missing in the ledger";
    return !state.there && state.row === "written" ? "marked written, but does not exist" : null;
  },
  goal: atRest,
});
