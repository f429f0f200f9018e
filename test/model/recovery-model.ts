import type { Model, Step } from "./check-model.ts";
import { both, common, has, without } from "./letters.ts";
import {
  type Attempt,
  type Call,
  type RecoveryEnvironment,
  type RecoveryGuards,
  type RecoveryState,
  recoveryStart,
  type Role,
  type Rows,
} from "./recovery-state.ts";

interface Turn {
  readonly state: RecoveryState;
  readonly role: Role;
  readonly attempt: Attempt;
  readonly guards: RecoveryGuards;
  readonly environment: RecoveryEnvironment;
  readonly step: Step<RecoveryState>;
}

const roles = ["holder", "zombie"] as const;

const as = (state: RecoveryState, role: Role, attempt: Attempt | null): RecoveryState => ({
  ...state,
  [role]: attempt,
});

const attemptAt = (doing: Attempt["doing"], { page, token }: Pick<Attempt, "page" | "token">): Attempt => ({
  doing,
  token,
  page,
  todo: "",
  late: false,
  ok: "",
  unknown: "",
});

/** The smallest number that no lease has: only whether tokens are equal matters. */
const unusedToken = ({ rows, earlier, holder, zombie }: RecoveryState): number => {
  const used = new Set([rows.token, earlier.token, holder?.token, zombie?.token]);
  let token = 0;
  while (used.has(token)) token += 1;
  return token;
};

const isFenced = ({ state, attempt, guards }: Turn): boolean =>
  attempt.token !== state.rows.token || (guards.identityChecked && state.rows.server !== state.server);

/** Calls `find` for the batch in doubt, once nothing of it can take effect any more. */
const settle = (turn: Turn): void => {
  const { state, role, attempt, step } = turn;
  if (isFenced(turn)) return step(`${role}: settle is fenced`, as(state, role, null));
  if (state.rows.age < 2) return;
  const found = without(common(state.rows.batch, state.there), state.rows.written);
  const rows: Rows = {
    ...state.rows,
    written: both(state.rows.written, found),
    batch: "",
    held: false,
    age: 0,
  };
  step(`${role}: settle, found "${found}"`, as({ ...state, rows }, role, attemptAt("claim", attempt)));
};

/** Puts the record of the page on the row, unless the ledger has it. */
const claim = (turn: Turn): void => {
  const { state, role, attempt, guards, environment, step } = turn;
  if (isFenced(turn)) return step(`${role}: claim is fenced`, as(state, role, null));
  const id = environment.records[attempt.page] ?? "";
  if (has(state.rows.written, id))
    return step(`${role}: the ledger has ${id}`, as(state, role, { ...attempt, doing: "record" }));
  const looks = state.rows.looksFirst && guards.lookedUpFirst;
  const rows: Rows = { ...state.rows, batch: id, held: true, age: 0 };
  step(
    `${role}: claim ${id}`,
    as({ ...state, rows }, role, { ...attempt, todo: id, doing: looks ? "look" : "write" }),
  );
};

const look = ({ state, role, attempt, step }: Turn): void => {
  const isThere = has(state.there, attempt.todo);
  step(
    `${role}: look up ${attempt.todo}: ${isThere ? "there" : "absent"}`,
    as(
      state,
      role,
      isThere ? { ...attempt, doing: "record", ok: attempt.todo } : { ...attempt, doing: "write" },
    ),
  );
};

const write = ({ state, role, attempt, step }: Turn): void => {
  if (attempt.late) return step(`${role}: too late to write`, as(state, role, null));
  if (state.calls.length > 2) return; // only disabled guards lead here: keeps their models finite
  const calls: readonly Call[] = [...state.calls, { id: attempt.todo, by: role }];
  step(`${role}: write ${attempt.todo}`, as({ ...state, calls }, role, { ...attempt, doing: "wait" }));
};

/** One statement: the ledger's row and the cursor, or the batch in doubt. */
const record = (turn: Turn): void => {
  const { state, role, attempt, guards, environment, step } = turn;
  if (isFenced(turn)) return step(`${role}: settle is fenced`, as(state, role, null));
  if (attempt.unknown !== "")
    return step(`${role}: ${attempt.unknown} is unknown`, as(state, role, attemptAt("settle", attempt)));
  const page = attempt.page + 1;
  const done = page === environment.records.length;
  const rows: Rows = {
    ...state.rows,
    page,
    done,
    written: both(state.rows.written, attempt.ok),
    batch: "",
    held: false,
    age: 0,
    looksFirst: state.rows.looksFirst && guards.flagKept,
  };
  const next = done ? null : attemptAt("claim", { ...attempt, page });
  step(`${role}: settle "${attempt.ok}", page ${page}`, as({ ...state, rows }, role, next));
};

const doing = { settle, claim, look, write, record };

/** An attempt starts; the first one after a change of server recognizes it, for all. */
const start = (
  state: RecoveryState,
  guards: RecoveryGuards,
  environment: RecoveryEnvironment,
  step: Step<RecoveryState>,
): void => {
  const { rows } = state;
  if (rows.done || (state.holder && (environment.attempts === 1 || state.zombie))) return;
  const token = guards.freshTokens ? unusedToken(state) : rows.token + 1;
  const isNew = rows.server !== state.server;
  const waits = isNew && guards.lostClaimsAwaited;
  const taken: Rows = {
    ...rows,
    token,
    server: state.server,
    looksFirst: rows.looksFirst || isNew,
    ...(waits ? { held: true, age: 0 as const } : {}),
  };
  step(isNew ? "start, on another server" : "start", {
    ...state,
    rows: taken,
    holder: attemptAt(taken.held ? "settle" : "claim", { page: rows.page, token }),
    zombie: state.holder ?? state.zombie,
    calls: state.calls.map((call) => (call.by === "holder" ? { ...call, by: "zombie" } : call)),
  });
};

const taken = (state: RecoveryState, id: string): RecoveryState =>
  has(state.there, id) ? { ...state, doubled: true } : { ...state, there: both(state.there, id) };

const answered = (state: RecoveryState, { by }: Call, answer: Pick<Attempt, "ok" | "unknown">) => {
  const attempt = by === "none" ? null : state[by];
  return by === "none" || !attempt ? state : as(state, by, { ...attempt, doing: "record", ...answer });
};

const destination = (state: RecoveryState, step: Step<RecoveryState>): void => {
  for (const [at, call] of state.calls.entries()) {
    const gone: RecoveryState = { ...state, calls: state.calls.toSpliced(at, 1) };
    const { id } = call;
    const unknown = { ok: "", unknown: id };
    if (call.by === "none") {
      step(`destination: takes ${id} after all`, taken(gone, id));
      step(`destination: never takes ${id}`, gone);
      continue;
    }
    step(`destination: takes ${id}`, answered(taken(gone, id), call, { ok: id, unknown: "" }));
    step(`destination: takes ${id}, no answer`, answered(taken(gone, id), call, unknown));
    step(`destination: no answer for ${id} yet, given up`, {
      ...answered(state, call, unknown),
      calls: state.calls.with(at, { ...call, by: "none" }),
    });
  }
};

/** A claim's deadline is never later than that of anything held after it, on whichever server. */
const timePasses = (state: RecoveryState, step: Step<RecoveryState>): void => {
  const { rows } = state;
  if (!rows.held || rows.age === 2) return;
  const late = (attempt: Attempt | null) =>
    attempt && (attempt.doing === "write" || attempt.doing === "look") ? { ...attempt, late: true } : attempt;
  if (rows.age === 0)
    step("the deadline passes", {
      ...state,
      rows: { ...rows, age: 1 },
      holder: late(state.holder),
      zombie: late(state.zombie),
    });
  else if (state.calls.length === 0) step("late writes are over", { ...state, rows: { ...rows, age: 2 } });
};

const database = (state: RecoveryState, { losses }: RecoveryEnvironment, step: Step<RecoveryState>): void => {
  if (state.server === losses) return;
  step("the standby catches up", { ...state, earlier: state.rows });
  // The deadline of what was held then has passed by now, while requests of lost claims may be in flight.
  step("commits are lost", {
    ...state,
    server: state.server + 1,
    rows: { ...state.earlier, age: state.earlier.held ? 2 : 0 },
  });
};

const atRest = ({ rows, holder, zombie, calls }: RecoveryState): boolean =>
  rows.done && !rows.held && !holder && !zombie && calls.length === 0;

/** One partition, copied while PostgreSQL loses commits that the destination has seen the effects of. */
export const recoveryModel = (
  guards: RecoveryGuards,
  environment: RecoveryEnvironment,
): Model<RecoveryState> => ({
  start: recoveryStart,
  next: (state, step) => {
    destination(state, step);
    timePasses(state, step);
    database(state, environment, step);
    start(state, guards, environment, step);
    for (const role of roles) {
      const attempt = state[role];
      if (!attempt) continue;
      step(`${role}: crash while it would ${attempt.doing}`, {
        ...as(state, role, null),
        calls: state.calls.map((call) => (call.by === role ? { ...call, by: "none" } : call)),
      });
      if (attempt.doing !== "wait") doing[attempt.doing]({ state, role, attempt, guards, environment, step });
    }
  },
  wrong: (state) => {
    if (state.doubled) return "a record is duplicated";
    if (!atRest(state)) return null;
    if (without(environment.records, state.there) !== "") return "a row of the source is lost";
    return without(state.there, state.rows.written) === "" ? null : "a copy is missing in the ledger";
  },
  goal: atRest,
});
