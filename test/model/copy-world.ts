import type { Step } from "./check-model.ts";
import type { Age, Attempt, Call, CopyEnvironment, CopyGuards, CopyState } from "./copy-state.ts";
import { both, has, type Letters, without } from "./letters.ts";

/** Changes at the source while the run reads it. */
const sourceChanges = (state: CopyState, environment: CopyEnvironment, step: Step<CopyState>): void => {
  if (state.changes === 0 || state.task === "done") return;
  const changes = state.changes - 1;
  for (const [at, id] of [...state.source].entries()) {
    const rest = state.source.slice(0, at) + state.source.slice(at + 1);
    if (environment.deletes) step(`source: ${id} is deleted`, { ...state, changes, source: rest });
    if (!environment.moves) continue;
    if (at > 0) step(`source: ${id} moves to the front`, { ...state, changes, source: id + rest });
    if (at < rest.length) step(`source: ${id} moves to the end`, { ...state, changes, source: rest + id });
  }
  for (const id of without(environment.adds, state.added))
    step(`source: ${id} is added`, {
      ...state,
      changes,
      source: id + state.source,
      added: both(state.added, id),
    });
};

const take = (state: CopyState, id: string, environment: CopyEnvironment): CopyState => {
  const known = has(state.there, id) || has(state.hidden, id);
  const harmless =
    environment.settles === "upsert" || (environment.settles === "key" && has(state.remembered, id));
  if (known) return harmless ? state : { ...state, doubled: true };
  return {
    ...state,
    ...(environment.findLags ? { hidden: both(state.hidden, id) } : { there: both(state.there, id) }),
    remembered: environment.settles === "key" ? both(state.remembered, id) : "",
  };
};

const applied = (state: CopyState, ids: Letters, environment: CopyEnvironment): CopyState => {
  let after = state;
  for (const id of ids) after = take(after, id, environment);
  return after;
};

const answered = (
  state: CopyState,
  by: Call["by"],
  outcome: Pick<Attempt, "ok" | "bad" | "unknown">,
): CopyState => {
  if (by === "none") return state;
  const attempt = state[by];
  return attempt ? { ...state, [by]: { ...attempt, doing: "record", ...outcome } } : state;
};

/** All outcomes of a request: an answer, none, a partial effect, an effect long after its sender gave up. */
const destinationAnswers = (
  state: CopyState,
  guards: CopyGuards,
  environment: CopyEnvironment,
  step: Step<CopyState>,
): void => {
  for (const [at, call] of state.calls.entries()) {
    const { ids, by } = call;
    const gone: CopyState = { ...state, calls: state.calls.toSpliced(at, 1) };
    const first = ids.slice(0, 1);
    const rest = ids.slice(1);
    if (by === "none") {
      step(`destination: takes ${ids} after all`, applied(gone, ids, environment));
      step(`destination: never takes ${ids}`, gone);
      if (rest !== "")
        step(`destination: takes ${first} of ${ids} after all`, applied(gone, first, environment));
      continue;
    }
    const all = applied(gone, ids, environment);
    const none = { ok: "", bad: "", unknown: ids };
    step(`destination: takes ${ids} and says so`, answered(all, by, { ok: ids, bad: "", unknown: "" }));
    step(`destination: takes ${ids}, no answer`, answered(all, by, none));
    step(`destination: does not take ${ids}, no answer`, answered(gone, by, none));
    step(`destination: no answer for ${ids} yet, given up`, {
      ...answered(state, by, none),
      calls: state.calls.with(at, { ...call, by: "none" }),
    });
    if (environment.rejects)
      step(
        `destination: rejects ${first}`,
        answered(applied(gone, rest, environment), by, { ok: rest, bad: first, unknown: "" }),
      );
    if (environment.refusesLate)
      step(
        `destination: takes ${ids}, then refuses to complete ${first}`,
        answered(
          all,
          by,
          guards.lateRefusalIsUnknown
            ? { ok: rest, bad: "", unknown: first }
            : { ok: rest, bad: first, unknown: "" },
        ),
      );
    if (rest === "") continue;
    const part = applied(gone, first, environment);
    step(`destination: takes ${first} of ${ids}, no answer`, answered(part, by, none));
    step(
      `destination: takes ${first} and says so, ${rest} unknown`,
      answered(part, by, { ok: first, bad: "", unknown: rest }),
    );
  }
};

/** Time, within the bounds of the manifest: a request sent in time takes effect, and is found, within the grace. */
const timePasses = (state: CopyState, guards: CopyGuards, step: Step<CopyState>): void => {
  if (state.batch === "" || state.age === 3) return;
  if (state.age === 1 && state.calls.some(({ late }) => !late)) return;
  if (state.age === 2 && state.hidden !== "") return;
  const age = (state.age + 1) as Age;
  const attemptsDeadline: Age = guards.countedFromBeforeClaim ? 1 : 2;
  const later = (attempt: Attempt | null) =>
    attempt?.doing === "write" && age === attemptsDeadline ? { ...attempt, late: true } : attempt;
  step(["", "the deadline passes", "late writes are over", "find sees all"][age] ?? "", {
    ...state,
    age,
    holder: later(state.holder),
    zombie: later(state.zombie),
  });
};

export const copyWorld = (
  state: CopyState,
  guards: CopyGuards,
  environment: CopyEnvironment,
  step: Step<CopyState>,
): void => {
  sourceChanges(state, environment, step);
  destinationAnswers(state, guards, environment, step);
  timePasses(state, guards, step);
  for (const id of state.hidden)
    step(`destination: find sees ${id}`, {
      ...state,
      hidden: without(state.hidden, id),
      there: both(state.there, id),
    });
  // The tool remembers a key for far longer than a request can be late.
  if (state.remembered !== "" && state.calls.length === 0)
    step("destination: forgets its idempotency keys", { ...state, remembered: "" });
};
