import { type StatusCode, statusCodes } from "@portage/contract";
import { describe, expect, test } from "vitest";
import { type Explored, explore } from "../../../../test/model/explore.ts";
import { everyEvent, newImportStates } from "../../../../test/model/import-events.ts";
import { endsRun, step } from "./machine.ts";
import { type ImportEvent, type ImportState, isPaid, somethingWritten } from "./state.ts";
import { transitions } from "./transitions.ts";

type Step = (state: ImportState, event: ImportEvent) => ReturnType<typeof step>;

const exploreWith = (take: Step) =>
  explore<ImportState, ImportEvent>(newImportStates, (state) =>
    everyEvent.flatMap((event) => {
      const result = take(state, event);
      return result.kind === "moved" ? [{ label: event, to: result.state }] : [];
    }),
  );

const fullRuns = new Set(["full", "delta", "retry_failed"]);

/** The invariant that a state violates, in words. */
const broken = (state: ImportState): string | null => {
  const { status, liveRun } = state;
  if (!statusCodes.includes(status)) return "a status outside the table";
  if (status === "in_preparation" && !state.closed && !isPaid(state)) return "in preparation, but not paid";
  if (liveRun !== null && fullRuns.has(liveRun) && !isPaid(state)) return "a full migration runs unpaid";
  if (status === "sample_completed" && state.sampleCopy !== "all")
    return "status says sample completed, but there is no complete sample";
  if (status === "migration_completed" && state.fullCopy !== "all")
    return "status says migration completed, but there is no complete copy";
  if (status === "migration_cleaned" && somethingWritten(state))
    return "status says cleaned, but data is in the destination";
  if (status === "sample_completed" && state.asked && isPaid(state))
    return "asked and paid, yet held at the sample";
  if (state.closed) return null; // a closed import keeps the status it had
  const running: Partial<Record<StatusCode, boolean>> = {
    sample_in_progress: liveRun === "sample",
    migration_in_progress: liveRun !== null && fullRuns.has(liveRun),
    undo_in_progress: liveRun === "undo",
  };
  if (!(running[status] ?? liveRun === null)) return `status ${status} does not fit its run ${liveRun}`;
  if (liveRun === null && state.stopping) return "stopping without a run";
  return null;
};

/** The first few violations, each with the shortest path to it. */
const violations = ({ states, wayTo }: Explored<ImportState, ImportEvent>) => {
  const found = states.flatMap((state, index) => {
    const what = broken(state);
    return what
      ? [
          `${what}: ${wayTo(index)
            .map(({ type }) => type)
            .join(" → ")}`,
        ]
      : [];
  });
  return found.slice(0, 5);
};

/** Run ends after which the import still shows that run as live, so that nothing ends it again. */
const lastingRuns = (take: Step, states: readonly ImportState[]) =>
  states
    .filter(({ liveRun }) => liveRun !== null)
    .flatMap((state) =>
      everyEvent.filter(endsRun).flatMap((end) => {
        const result = take(state, end);
        const after = result.kind === "moved" ? result.state : state;
        const isOver = after.liveRun === null || (after.liveRun === "undo" && state.liveRun !== "undo");
        const hasLeft = state.closed !== null || after.status !== state.status;
        return isOver && hasLeft ? [] : [`${state.status}, ${state.liveRun}: ${end.type}`];
      }),
    );

/** Run ends after which an undo that a person asked for does not follow, although there is something to undo. */
const droppedUndos = (take: Step, states: readonly ImportState[]) =>
  states
    .filter(({ closed, stopping }) => !closed && stopping === "undo")
    .flatMap((state) =>
      everyEvent.filter(endsRun).flatMap((end) => {
        const result = take(state, end);
        const wrote = somethingWritten(state) || end.type === "run_done" || end.wrote;
        const follows =
          result.kind === "moved" &&
          result.state.status === "undo_in_progress" &&
          result.path.length === 1 &&
          result.effects.some((effect) => effect.kind === "start_run" && effect.run === "undo");
        return follows === wrote ? [] : [`${state.status}, ${state.liveRun}: ${end.type}`];
      }),
    );

describe("every sequence of events", () => {
  const all = exploreWith(step);

  test("stays inside the table", () => {
    expect(all.states.length).toBeGreaterThan(1_000);
    expect(violations(all)).toEqual([]);
  });

  test("reaches every status", () => {
    expect(new Set(all.states.map(({ status }) => status)).size).toBe(statusCodes.length);
  });

  test("uses every row of the table", () => {
    const used = new Set<unknown>();
    for (const state of all.states)
      for (const event of everyEvent)
        used.add(
          transitions.find(
            (row) =>
              row.on === event.type &&
              (row.from === "any" || row.from.includes(state.status)) &&
              (row.when?.(state, event) ?? true),
          ),
        );
    expect(
      transitions.filter((row) => !used.has(row)).map(({ from, on, guard }) => ({ from, on, guard })),
    ).toEqual([]);
  });

  test("leaves no data without a way to undo it", () => {
    const canBeCleaned = all.reaches(({ status }) => status === "migration_cleaned");
    const stuck = all.states.flatMap((state, index) =>
      somethingWritten(state) && !state.closed && !canBeCleaned[index] ? [all.wayTo(index)] : [],
    );
    expect(stuck).toEqual([]);
  });

  test("lets every open import reach a completed migration", () => {
    const canComplete = all.reaches(({ status }) => status === "migration_completed");
    expect(all.states.filter((state, index) => !state.closed && !canComplete[index])).toEqual([]);
  });

  test("refuses a rejection once a sponsored full migration has ever started, and only then", () => {
    for (const state of all.states.filter(({ closed }) => !closed))
      expect(step(state, { type: "sponsorship_rejected" }).kind === "refused").toBe(
        state.sponsoredFullStarted,
      );
  });

  test("accepts an acceptance in every state, and repeats change nothing", () => {
    for (const state of all.states.filter(({ closed }) => !closed)) {
      const once = step(state, { type: "sponsorship_accepted" });
      expect(once.kind).not.toBe("refused");
      if (once.kind === "moved")
        expect(step(once.state, { type: "sponsorship_accepted" }).kind).toBe("unchanged");
    }
  });

  test("a rejection never takes back what a customer paid", () => {
    for (const state of all.states.filter(({ bought, closed }) => bought && !closed)) {
      const result = step(state, { type: "sponsorship_rejected" });
      expect(result.kind === "moved" ? result.state : state).toMatchObject({
        ...state,
        sponsorship: expect.anything() as unknown,
      });
    }
  });

  test("a new sign-in before any start tries the pre-flight again, and only then", () => {
    const tries = (state: ImportState, side: "source" | "destination") => {
      const result = step(state, { type: "connected", side });
      return result.kind === "moved" && result.effects.some(({ kind }) => kind === "start_after_preflight");
    };
    const waiting = all.states.filter(({ closed, status }) => !closed && status === "in_preparation");
    const blocked = waiting.filter(
      (state) => state.startFull && !state.bought && !state.sponsoredFullStarted && !somethingWritten(state),
    );
    expect(blocked.length).toBeGreaterThan(0);
    for (const state of waiting)
      for (const side of ["source", "destination"] as const) {
        const other = side === "source" ? state.destinationConnected : state.sourceConnected;
        expect(tries(state, side)).toBe(blocked.includes(state) && other);
      }
  });

  test("what a person stopped or undid never starts by itself", () => {
    const wasStarted = (index: number) =>
      all.wayTo(index).some(({ type }) => type === "full_started" || type === "undo_started");
    all.states.forEach((state, index) => {
      if (state.closed || state.status !== "in_preparation" || !wasStarted(index)) return;
      for (const side of ["source", "destination"] as const) {
        const result = step(state, { type: "connected", side });
        const effects = result.kind === "moved" ? result.effects : [];
        expect(effects).not.toContainEqual({ kind: "start_after_preflight" });
      }
    });
  });

  test("whatever end a live run has, the import does not stay at work", () => {
    const live = new Set(all.states.map(({ liveRun }) => liveRun));
    expect(live).toEqual(new Set([null, "sample", "full", "delta", "retry_failed", "undo"]));
    expect(new Set(everyEvent.filter(endsRun).map(({ type }) => type)).size).toBe(3);
    expect(lastingRuns(step, all.states)).toEqual([]);
  });

  test("what is to be stopped and undone is undone, whichever end the run has", () => {
    const asked = all.states.filter(({ stopping }) => stopping === "undo");
    expect(new Set(asked.map(({ liveRun }) => liveRun))).toEqual(
      new Set(["sample", "full", "delta", "retry_failed"]),
    );
    expect(droppedUndos(step, all.states)).toEqual([]);
  });

  test("an undo can't be stopped", () => {
    for (const state of all.states.filter(({ liveRun, closed }) => liveRun === "undo" && !closed))
      for (const type of ["stop_requested", "stop_and_undo_requested"] as const)
        expect(step(state, { type }).kind).toBe("refused");
  });

  test("a closed import accepts only the end of its run, which purges its credentials, and a refund", () => {
    for (const state of all.states.filter(({ closed }) => closed))
      for (const event of everyEvent) {
        const result = step(state, event);
        const endsItsRun =
          ["run_done", "run_failed", "run_stopped"].includes(event.type) && state.liveRun !== null;
        const givesBack = event.type === "refunded" && state.bought && [null, "undo"].includes(state.liveRun);
        expect(result.kind).toBe(endsItsRun || givesBack ? "moved" : "refused");
        if (result.kind === "moved") {
          expect(result.effects).toEqual(endsItsRun ? [{ kind: "purge_credentials" }] : []);
          expect(result.state.status).toBe(state.status);
        }
      }
  });

  test("no refund applies while the full migration runs", () => {
    for (const state of all.states.filter(
      ({ status, closed }) => status === "migration_in_progress" && !closed,
    ))
      expect(step(state, { type: "refunded" }).kind).toBe("refused");
  });
});

// Each mutant drops a guard that keeps a rule: the exploration must notice.
describe("a machine without one of its guards is caught", () => {
  const without =
    (breaks: (state: ImportState, event: ImportEvent) => ImportState | null): Step =>
    (state, event) => {
      const wrong = breaks(state, event);
      return wrong ? { kind: "moved", state: wrong, path: [wrong.status], effects: [] } : step(state, event);
    };
  const mutants: Record<string, Step> = {
    "rejecting keeps In preparation": without((state, { type }) =>
      type === "sponsorship_rejected" && state.status === "in_preparation" && !state.bought && !state.closed
        ? { ...state, sponsorship: "rejected" }
        : null,
    ),
    "a full starts unpaid": without((state, { type }) =>
      type === "full_started" && state.status === "waiting_for_sample" && !state.closed
        ? { ...state, status: "migration_in_progress", liveRun: "full" }
        : null,
    ),
    "a refund while the full runs": without((state, { type }) =>
      type === "refunded" && state.liveRun === "full" && !state.closed ? { ...state, bought: false } : null,
    ),
    "a failed sample counts as completed": without((state, { type }) =>
      type === "run_failed" && state.liveRun === "sample" && !state.closed
        ? { ...state, status: "sample_completed", liveRun: null }
        : null,
    ),
    "a stopped undo is called cleaned": without((state, { type }) =>
      type === "run_stopped" && state.liveRun === "undo" && !state.closed
        ? { ...state, status: "migration_cleaned", liveRun: null }
        : null,
    ),
  };
  test("a failed undo stays in progress", () => {
    const take: Step = (state, event) =>
      event.type === "run_failed" && state.liveRun === "undo" && !state.closed
        ? { kind: "refused" }
        : step(state, event);
    expect(lastingRuns(take, exploreWith(take).states)).toContain("undo_in_progress, undo: run_failed");
  });

  test("a run that ends before it was stopped drops the undo", () => {
    const take: Step = (state, event) =>
      step(event.type === "run_done" && !state.closed ? { ...state, stopping: null } : state, event);
    expect(droppedUndos(take, exploreWith(take).states)).toContain("migration_in_progress, full: run_done");
  });

  test.each(Object.keys(mutants))("%s", (name) => {
    expect(violations(exploreWith(mutants[name] as Step))).not.toEqual([]);
  });
});
