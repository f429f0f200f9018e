import type { Model, Step } from "./check-model.ts";
import {
  type Batch,
  type LinkingEnvironment,
  type LinkingGuards,
  type LinkingState,
  linkingStart,
  type Name,
  type Note,
  type Pair,
  phases,
  type Row,
  type Worker,
} from "./linking-state.ts";
import { linkingWorld } from "./linking-world.ts";

interface Turn {
  readonly state: LinkingState;
  readonly worker: Worker;
  readonly guards: LinkingGuards;
  readonly step: Step<LinkingState>;
}

const other = (name: Name): Name => (name === "A" ? "B" : "A");
const put = <T>(pair: Pair<T>, name: Name, value: T): Pair<T> => ({ ...pair, [name]: value });
const at = (
  state: LinkingState,
  doing: Worker["doing"],
  answer: Worker["answer"] = "none",
): LinkingState => ({
  ...state,
  worker: { doing, answer },
});

/** The next record, the next phase, or the end. */
const onward = (state: LinkingState, { linkedAgain }: LinkingGuards): LinkingState => {
  if (state.at === "A") return at({ ...state, at: "B" }, "look");
  const next =
    phases[phases.indexOf(state.phase) + (state.phase === "retry" && !linkedAgain ? 2 : 1)] ?? "end";
  const after: LinkingState = { ...state, at: "A", phase: next };
  return next === "end" ? { ...after, worker: null } : at(after, "look");
};

const isLinking = ({ phase }: LinkingState): boolean => phase.startsWith("link");

/** One statement: the ledger row, the missing references of the record, the batch; then the next record. */
const settledWrite = (
  state: LinkingState,
  batch: Batch,
  guards: LinkingGuards,
  found: boolean,
): LinkingState => {
  const { name, after, points } = batch;
  const row: Row = { state: "written", fields: after, points };
  const fresh: Note = points ? (after === "linked" ? "linked" : "pending") : "none";
  const forgotten = (found && !guards.linksInBatch) || (!points && !guards.notesReplaced);
  const note = forgotten ? state.notes[name] : fresh;
  const settled: LinkingState = { ...state, rows: put(state.rows, name, row), batch: null };
  if (!guards.notedWithSettle && note === "pending") return at(settled, "note");
  return onward({ ...settled, notes: put(state.notes, name, note) }, guards);
};

const settledLink = (state: LinkingState, { name }: Batch, guards: LinkingGuards): LinkingState => {
  const row = state.rows[name];
  return onward(
    {
      ...state,
      rows: guards.hashWithLink ? put(state.rows, name, { ...row, fields: "linked" }) : state.rows,
      notes: put(state.notes, name, "linked"),
      batch: null,
    },
    guards,
  );
};

/** A person changed the record: it is listed, and stays unchanged. */
const leftAlone = (state: LinkingState, name: Name, guards: LinkingGuards): LinkingState => {
  const note: Note = isLinking(state) ? "edited" : state.notes[name];
  return onward({ ...state, notes: put(state.notes, name, note), batch: null }, guards);
};

const settle = ({ state, guards, step }: Turn): void => {
  const { batch } = state;
  if (!batch || (guards.lateWriteAwaited && batch.late < 2)) return;
  const copy = state.copies[batch.name];
  const again = at({ ...state, batch: null }, "look");
  if (batch.kind === "create") {
    // A copy that differs from what was sent has an edit: its row keeps the sent fields, so that it counts as edited.
    if (copy === "none") step("settle: not there", again);
    else step("settle: found", settledWrite(state, batch, guards, true));
    return;
  }
  if (copy === batch.before) step("settle: not changed", again);
  else if (copy === batch.after && guards.ownWriteKnown)
    step(
      "settle: changed by us",
      batch.kind === "link" ? settledLink(state, batch, guards) : settledWrite(state, batch, guards, false),
    );
  else step("settle: changed by a person", leftAlone(state, batch.name, guards));
};

const claim = (state: LinkingState, batch: Omit<Batch, "late">): LinkingState =>
  at({ ...state, batch: { ...batch, late: 0 } }, "send");

/** The work for this record in this phase. */
const look = ({ state, guards, step }: Turn): void => {
  const name = state.at;
  const row = state.rows[name];
  const copy = state.copies[name];
  const points = state.points[name];
  const resolved = state.rows[other(name)].state === "written";
  const skip = (why: string) => step(`${name}: ${why}`, onward(state, guards));
  if (isLinking(state)) {
    if (row.state !== "written" || state.notes[name] !== "pending") skip("nothing to link");
    else if (!resolved) skip("its other end is not there");
    else if (guards.hashChecked && copy !== row.fields)
      step(`${name}: edited, not linked`, leftAlone(state, name, guards));
    else
      step(
        `${name}: claim the link`,
        claim(state, { kind: "link", name, before: copy, after: "linked", points: row.points }),
      );
    return;
  }
  const wanted = { copy: row.state === "none", retry: row.state === "failed" }[
    state.phase as "copy" | "retry"
  ];
  const after = points && resolved ? "linked" : "bare";
  if (wanted) step(`${name}: claim`, claim(state, { kind: "create", name, before: "none", after, points }));
  else if (state.phase !== "delta" || row.state !== "written" || row.points === points)
    skip("nothing to write");
  else if (guards.hashChecked && copy !== row.fields)
    step(`${name}: edited, not updated`, leftAlone(state, name, guards));
  else step(`${name}: claim the update`, claim(state, { kind: "update", name, before: copy, after, points }));
};

const send = ({ state, step }: Turn): void => {
  const { batch } = state;
  if (!batch) return;
  if (batch.late > 0) step("too late to write", at(state, "settle"));
  else if (state.calls.length < 2)
    step(
      `${batch.kind} ${batch.name}`,
      at(
        {
          ...state,
          calls: [
            ...state.calls,
            { name: batch.name, create: batch.kind === "create", becomes: batch.after, answered: true },
          ],
        },
        "wait",
      ),
    );
};

const record = ({ state, worker, guards, step }: Turn): void => {
  const { batch } = state;
  if (!batch) return;
  const { name, kind } = batch;
  if (worker.answer === "rejected")
    step(
      "settle: failed",
      onward(
        { ...state, rows: put(state.rows, name, { ...state.rows[name], state: "failed" }), batch: null },
        guards,
      ),
    );
  else if (worker.answer === "unknown" && (guards.timeoutIsUnknown || kind !== "link"))
    step("unknown, stays in doubt", at(state, "settle"));
  else if (kind === "link") step("settle: linked", settledLink(state, batch, guards));
  else step("settle: written", settledWrite(state, batch, guards, false));
};

/** Only without `notedWithSettle`: the note, after the ledger row. */
const noteLater = ({ state, guards, step }: Turn): void =>
  step("then the note", onward({ ...state, notes: put(state.notes, state.at, "pending") }, guards));

const work = (turn: Turn): void => {
  const { doing } = turn.worker;
  if (doing === "settle") settle(turn);
  else if (doing === "look") look(turn);
  else if (doing === "send") send(turn);
  else if (doing === "record") record(turn);
  else if (doing === "note") noteLater(turn);
};

const wrongAtRest = (state: LinkingState): string | null => {
  for (const name of ["A", "B"] as const) {
    const row = state.rows[name];
    const copy = state.copies[name];
    const note = state.notes[name];
    const untouched = copy === "bare" || copy === "linked";
    if (row.state !== "written") continue;
    if (note === "linked" && copy === "bare") return "marked linked, but is not";
    if (untouched && copy !== row.fields) return "our own write looks like a person's edit";
    if (note === "edited" && untouched) return "marked edited, but only the import changed it";
    if (row.points && untouched && copy === "bare" && state.rows[other(name)].state === "written")
      return "both ends exist, but are not linked";
    if (!row.points && copy === "linked") return "linked, but the source dropped the reference";
  }
  return null;
};

const atRest = ({ phase, worker, calls, batch }: LinkingState): boolean =>
  phase === "end" && !worker && calls.length === 0 && !batch;

/** Two records that reference each other, through a copy, a retry of failures and a delta. */
export const linkingModel = (
  guards: LinkingGuards,
  environment: LinkingEnvironment,
): Model<LinkingState> => ({
  start: linkingStart(environment),
  next: (state, step) => {
    linkingWorld(state, environment, step);
    const { worker } = state;
    if (!worker && state.phase !== "end") step("start", at(state, state.batch ? "settle" : "look"));
    if (!worker) return;
    step(`crash while it would ${worker.doing}`, {
      ...state,
      worker: null,
      calls: state.calls.map((call) => ({ ...call, answered: false })),
    });
    work({ state, worker, guards, step });
  },
  wrong: (state) => state.wrong ?? (atRest(state) ? wrongAtRest(state) : null),
  goal: atRest,
});
