import type { Model, Step } from "./check-model.ts";
import {
  type Attempt,
  attemptAt,
  beginning,
  type Call,
  type CopyEnvironment,
  type CopyGuards,
  type CopyState,
  copyStart,
  type Position,
  type Task,
} from "./copy-state.ts";
import { copyWorld } from "./copy-world.ts";
import { both, common, has, type Letters, without } from "./letters.ts";

type Role = "holder" | "zombie";

interface Turn {
  readonly state: CopyState;
  readonly role: Role;
  readonly attempt: Attempt;
  readonly guards: CopyGuards;
  readonly environment: CopyEnvironment;
  readonly step: Step<CopyState>;
}

const as = (state: CopyState, role: Role, attempt: Attempt | null): CopyState => ({
  ...state,
  [role]: attempt,
});
const ledgerOf = (state: CopyState): Letters => both(state.written, state.failed);
const afterTask = (task: Task, guards: CopyGuards): Task =>
  task === "copy" && guards.swept ? "sweep" : "done";

/** 1. Calls `find` for the batch in doubt; one statement records the result and empties the batch. */
const settle = ({ state, role, attempt, guards, environment, step }: Turn): void => {
  if (guards.fencedSettle && role === "zombie") {
    step("zombie: settle is fenced", as(state, role, null));
    return;
  }
  const readyAt = guards.findLagAwaited ? 3 : 2;
  if (state.batch !== "" && guards.lateWriteAwaited && state.age < readyAt) return;
  if (!guards.lateWriteAwaited && guards.findLagAwaited && state.hidden !== "") return;
  const settleWith = (found: Letters, what: string) => {
    const after: CopyState = {
      ...state,
      written: both(state.written, found),
      created: state.created + found.length,
      batch: "",
      age: 0,
    };
    step(`${role}: ${what}`, as(after, role, attemptAt("read", { ...attempt, doubt: "" })));
  };
  const found = guards.settledByFind ? without(common(attempt.doubt, state.there), ledgerOf(state)) : "";
  settleWith(found, `settle ${attempt.doubt}, found "${found}"`);
  if (!environment.findRefused) return;
  if (guards.refusedFindProvesNothing) step(`${role}: the look-up is refused, ends`, as(state, role, null));
  else settleWith("", `settle ${attempt.doubt}, the look-up is refused: taken for absent`);
};

const pageAt = (source: string, place: Position, { paging, pageSize }: CopyEnvironment) => {
  const rows =
    paging === "keyset"
      ? [...source].toSorted().filter((id) => id > place.anchor)
      : [...source].slice(place.offset);
  const page = rows.slice(0, pageSize).join("");
  const next: Position | null =
    page.length < pageSize
      ? null
      : { offset: paging === "keyset" ? 0 : place.offset + page.length, anchor: page.slice(-1) };
  return { page, next };
};

/** 2. Reads one page of the source, or starts over if the rows have shifted. */
const read = ({ state, role, attempt, guards, environment, step }: Turn): void => {
  const { place } = attempt;
  const moved =
    guards.anchored &&
    environment.paging === "offset" &&
    place.offset > 0 &&
    state.source[place.offset - 1] !== place.anchor;
  const from = moved ? beginning : place;
  const { page, next } = pageAt(state.source, from, environment);
  step(
    `${role}: read ${moved ? "again from the start" : `at ${place.offset || place.anchor || "the start"}`}: "${page}"`,
    as(state, role, { ...attemptAt("claim", { ...attempt, place: from }), page, next }),
  );
};

/** 3 and 4. Drops what the ledger has; the rest becomes the batch on the row, with a deadline. */
const claim = ({ state, role, attempt, guards, step }: Turn): void => {
  if (guards.fencedClaim && role === "zombie") {
    step("zombie: claim is fenced", as(state, role, null));
    return;
  }
  const todo = guards.knownDropped
    ? without(attempt.page, ledgerOf(state))
    : without(attempt.page, attempt.task === "sweep" ? ledgerOf(state) : "");
  if (todo === "") step(`${role}: nothing to claim`, as(state, role, { ...attempt, doing: "record" }));
  else
    step(
      `${role}: claim ${todo}`,
      as({ ...state, batch: [...todo].toSorted().join(""), age: 0 }, role, {
        ...attempt,
        doing: "write",
        todo,
      }),
    );
};

/** 5. Sends the batch before its deadline. */
const write = ({ state, role, attempt, guards, step }: Turn): void => {
  if (guards.deadlineChecked && attempt.late) {
    step(`${role}: too late to write ${attempt.todo}`, as(state, role, null));
    return;
  }
  if (state.calls.length > 2) return; // only disabled guards lead here: keeps their models finite
  const call: Call = { ids: attempt.todo, by: role, late: state.age > 0 };
  step(
    `${role}: write ${attempt.todo}`,
    as({ ...state, calls: [...state.calls, call] }, role, { ...attempt, doing: "wait" }),
  );
};

/** 6. One statement: ledger rows, counters, cursor, and the unknown records in the batch. */
const record = ({ state, role, attempt, guards, step }: Turn): void => {
  if (guards.fencedSettle && role === "zombie") {
    step("zombie: settle is fenced", as(state, role, null));
    return;
  }
  const unknown = guards.timeoutIsUnknown ? attempt.unknown : "";
  const bad = guards.timeoutIsUnknown ? attempt.bad : both(attempt.bad, attempt.unknown);
  const moves = unknown === "" || !guards.unknownHoldsCursor;
  const task = moves && attempt.next === null ? afterTask(attempt.task, guards) : attempt.task;
  const place = moves ? (attempt.next ?? beginning) : attempt.place;
  const seen = moves && attempt.task === "sweep" ? attempt.page : "";
  const fresh = without(seen, state.swept);
  const row: CopyState = {
    ...state,
    task,
    place,
    batch: unknown,
    age: unknown === "" ? 0 : state.age,
    created: state.created + attempt.ok.length,
    swept: both(state.swept, seen),
    counted: state.counted + (guards.countedOnce ? fresh : seen).length,
  };
  const then: Attempt | null =
    task === "done" && unknown === ""
      ? null
      : attemptAt(unknown === "" ? "read" : "settle", { task, place, doubt: unknown });
  const what = `settle "${attempt.ok}"${bad === "" ? "" : `, failed ${bad}`}${unknown === "" ? "" : `, unknown ${unknown}`}`;
  if (guards.oneStatement)
    step(
      `${role}: ${what}`,
      as({ ...row, written: both(state.written, attempt.ok), failed: both(state.failed, bad) }, role, then),
    );
  else step(`${role}: ${what}, cursor first`, as(row, role, { ...attempt, doing: "insert", bad }));
};

/** Only without `oneStatement`: the ledger rows, after the cursor has moved. */
const insert = ({ state, role, attempt, step }: Turn): void =>
  step(
    `${role}: then the ledger rows`,
    as(
      { ...state, written: both(state.written, attempt.ok), failed: both(state.failed, attempt.bad) },
      role,
      state.task === "done"
        ? null
        : attemptAt(state.batch === "" ? "read" : "settle", { ...state, doubt: state.batch }),
    ),
  );

const doing = { settle, read, claim, write, record, insert };

const orphaned = (calls: readonly Call[], role: Role): readonly Call[] =>
  calls.map((call) => (call.by === role ? { ...call, by: "none" } : call));

/** The engine: starts an attempt if there is none, or if it considers the current one dead. */
const start = (
  state: CopyState,
  guards: CopyGuards,
  environment: CopyEnvironment,
  step: Step<CopyState>,
): void => {
  if (state.task === "done") return;
  if (state.holder && (environment.attempts === 1 || state.zombie)) return;
  const settles = guards.settledFirst && state.batch !== "";
  step("start", {
    ...state,
    holder: attemptAt(settles ? "settle" : "read", { ...state, doubt: settles ? state.batch : "" }),
    zombie: state.holder ?? state.zombie,
    calls: state.calls.map((call) => (call.by === "holder" ? { ...call, by: "zombie" } : call)),
  });
};

/** What must not be true at the end. */
const wrongAtRest = (state: CopyState, environment: CopyEnvironment): string | null => {
  for (const id of state.there)
    if (!has(state.written, id))
      return has(state.failed, id) ? "marked failed, but exists" : "a copy is missing in the ledger";
  for (const id of state.written) if (!has(state.there, id)) return "marked written, but does not exist";
  for (const id of state.source)
    if (has(environment.rows, id) && !has(ledgerOf(state), id)) return "a row of the source is lost";
  if (state.created !== state.written.length) return "the counters are wrong";
  if (state.counted !== state.swept.length) return "the report counts a row twice";
  if (environment.paging === "keyset" && without(common(environment.rows, state.source), state.swept) !== "")
    return "the report's source count misses a row";
  return null;
};

const atRest = ({ task, batch, holder, zombie, calls, hidden }: CopyState): boolean =>
  task === "done" && batch === "" && !holder && !zombie && calls.length === 0 && hidden === "";

/** One partition of a stream, page by page. */
export const copyModel = (guards: CopyGuards, environment: CopyEnvironment): Model<CopyState> => ({
  start: copyStart(environment),
  next: (state, step) => {
    copyWorld(state, guards, environment, step);
    start(state, guards, environment, step);
    for (const role of ["holder", "zombie"] as const) {
      const attempt = state[role];
      if (!attempt) continue;
      step(`${role}: crash while it would ${attempt.doing}`, {
        ...as(state, role, null),
        calls: orphaned(state.calls, role),
      });
      if (attempt.doing !== "wait") doing[attempt.doing]({ state, role, attempt, guards, environment, step });
    }
  },
  wrong: (state) => {
    if (state.doubled) return "a record is duplicated";
    return atRest(state) ? wrongAtRest(state, environment) : null;
  },
  goal: atRest,
});
