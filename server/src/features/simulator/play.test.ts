import { payers, statusCodes } from "@portage/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ImportEvent, newImportState } from "../imports/index.ts";
import { advanceSimulation, begin, play, type Played, type SimulatedEvent } from "./play.ts";
import { simulatedSummary } from "./simulated-summary.ts";
import { type Scenario, scenarioOf, scenarios } from "./walks.ts";

const start = new Date("2026-11-15T12:00:00Z");
const after = (seconds: number) => new Date(start.getTime() + seconds * 1_000);
const long = after(3_600);

const given = (
  scenario: Scenario,
  { payer = "partner_decides", startFull = false }: { payer?: Played["payer"]; startFull?: boolean } = {},
): Played =>
  begin(
    {
      scenario,
      payer,
      state: newImportState(startFull, payer),
      waits: false,
      turn: 0,
      turnAt: null,
      runSince: null,
      activeAt: start,
    },
    start,
  );

/** The events in a short notation. */
const path = (events: readonly SimulatedEvent[]) =>
  events.map(({ type, status }) =>
    type === "import.status_changed" ? status : type.replace("import.", "!"),
  );

const untilAsked = ["waiting_for_sample", "sample_in_progress", "sample_completed", "!full_requested"];
const moved = ["in_preparation", "migration_in_progress", "migration_completed"];

describe("scenarios when the partner does not answer", () => {
  test.each([
    ["happy", [...untilAsked, ...moved]],
    ["warnings", [...untilAsked, ...moved]],
    [
      "expired_sign_in",
      [
        ...untilAsked,
        "in_preparation",
        "migration_in_progress",
        "!attention_required",
        "migration_completed",
      ],
    ],
    ["rejected", untilAsked],
    ["undo", [...untilAsked, ...moved, "undo_in_progress", "migration_cleaned"]],
  ] as const)("%s", (scenario, expected) => {
    const { played, events } = advanceSimulation(given(scenario), long);
    expect(path(events)).toEqual(expected);
    expect(played).toMatchObject({ turnAt: null, waits: false });
    expect(played.state.sponsorship).toBe(scenario === "rejected" ? "rejected" : "undecided");
  });

  test("undo passes through every status", () => {
    const { events } = advanceSimulation(given("undo"), long);
    const seen = new Set(["collecting_credentials", ...events.map(({ status }) => status)]);
    expect([...seen].toSorted()).toEqual(statusCodes.toSorted());
  });

  test("every scenario ends within 25 seconds", () => {
    for (const scenario of scenarios)
      for (const payer of payers)
        expect(advanceSimulation(given(scenario, { payer }), after(25)).played.turnAt).toBeNull();
  });
});

test("a partner that always pays is not asked", () => {
  const { events } = advanceSimulation(given("happy", { payer: "partner" }), long);
  expect(path(events)).toEqual([...untilAsked.slice(0, 3), ...moved]);
});

test("start_full skips the sample", () => {
  const { events } = advanceSimulation(given("happy", { startFull: true }), long);
  expect(path(events)).toEqual(moved);
});

describe("an answer", () => {
  const asked = () => advanceSimulation(given("happy"), after(6)).played;

  test("accepting continues at once, before the customer would have bought", () => {
    expect(asked()).toMatchObject({ turnAt: after(11) });
    const accepted = play(asked(), { type: "sponsorship_accepted" }, after(7));
    expect(path(accepted.events)).toEqual(["in_preparation"]);
    expect(accepted.played).toMatchObject({ turnAt: after(8) });
    const { played } = advanceSimulation(accepted.played, long);
    expect(played.state).toMatchObject({
      status: "migration_completed",
      sponsorship: "accepted",
      bought: false,
      sponsoredFullStarted: true,
    });
  });

  test("after a rejection the customer buys; a late rejection is refused", () => {
    const rejected = play(asked(), { type: "sponsorship_rejected" }, after(7));
    expect(rejected).toMatchObject({ kind: "moved", events: [], played: { turnAt: after(11) } });
    const { played } = advanceSimulation(rejected.played, long);
    expect(played.state).toMatchObject({
      status: "migration_completed",
      sponsorship: "rejected",
      bought: true,
    });
    const sponsored = advanceSimulation(given("happy", { payer: "partner" }), long).played;
    expect(play(sponsored, { type: "sponsorship_rejected" }, long).kind).toBe("refused");
  });

  test("after a rejection during the preparation the customer buys as well", () => {
    const accepted = play(asked(), { type: "sponsorship_accepted" }, after(7)).played;
    const rejected = play(accepted, { type: "sponsorship_rejected" }, after(7));
    expect(path(rejected.events)).toEqual(["sample_completed"]);
    expect(advanceSimulation(rejected.played, long).played.state).toMatchObject({
      status: "migration_completed",
    });
  });

  test("cancelling ends it", () => {
    const cancelled = play(asked(), { type: "cancelled" }, after(7));
    expect(path(cancelled.events)).toEqual(["!closed"]);
    expect(cancelled.played.turnAt).toBeNull();
    expect(advanceSimulation(cancelled.played, long).events).toEqual([]);
  });
});

test("an expired sign-in: the simulation waits, and continues after the new sign-in", () => {
  const waiting = advanceSimulation(given("expired_sign_in"), after(14.5)).played;
  expect(waiting).toMatchObject({ waits: true, state: { status: "migration_in_progress" } });
  expect(simulatedSummary(waiting, "helpdesk", after(15)).progress).toMatchObject({
    state: "waiting",
    waitingFor: "source",
    etaSeconds: null,
  });
  expect(advanceSimulation(waiting, after(17.5)).played).toMatchObject({
    waits: false,
    state: { liveRun: "full" },
  });
});

test.each([
  ["happy", "happy"],
  ["undo", "undo"],
  ["undo:desk-move-7", "undo"],
  ["undone", "happy"],
  ["desk-move-7", "happy"],
  [null, "happy"],
] as const)("the reference %j selects %s", (reference, scenario) => {
  expect(scenarioOf(reference)).toBe(scenario);
});

const doings: readonly ImportEvent[] = [
  { type: "sponsorship_accepted" },
  { type: "sponsorship_rejected" },
  { type: "cancelled" },
];

test("any actions at any time, with any reads between: same events, an end, and figures that add up", () => {
  const doing = fc.record({ atMs: fc.integer({ min: 0, max: 30_000 }), what: fc.constantFrom(...doings) });
  const looks = fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 5 });
  fc.assert(
    fc.property(
      fc.constantFrom(...scenarios),
      fc.constantFrom(...payers),
      fc.boolean(),
      fc.array(doing, { maxLength: 3 }),
      looks,
      (scenario, payer, startFull, doingsGiven, lookedAt) => {
        const run = (times: readonly number[]) => {
          let played = given(scenario, { payer, startFull });
          const events: SimulatedEvent[] = [];
          const steps = [
            ...doingsGiven.map(({ atMs, what }, no) => ({ atMs, no, what })),
            ...times.map((atMs) => ({ atMs, no: -1, what: null })),
            { atMs: 3_600_000, no: 0, what: null },
          ].toSorted((a, b) => a.atMs - b.atMs || a.no - b.no);
          for (const { atMs, what } of steps) {
            const at = new Date(start.getTime() + atMs);
            const looked = advanceSimulation(played, at);
            const done = what ? play(looked.played, what, at) : looked;
            events.push(...looked.events, ...(what ? done.events : []));
            played = done.played;
            const { items, progress } = simulatedSummary(played, "helpdesk", at);
            for (const count of Object.values(items)) expect(count).toBeGreaterThan(0);
            if (progress)
              expect(progress.done + progress.failed + progress.skipped).toBeLessThanOrEqual(progress.total);
          }
          expect(played.turnAt).toBeNull();
          const acted = doingsGiven.map(({ atMs }) => start.getTime() + atMs);
          const happened = [start, ...events.map(({ at }) => at)].map((at) => at.getTime());
          expect(played.activeAt.getTime()).toBeGreaterThanOrEqual(Math.max(...happened));
          expect(played.activeAt.getTime()).toBeLessThanOrEqual(Math.max(...acted, after(25).getTime()));
          return { events, state: played.state, activeAt: played.activeAt };
        };
        expect(run(lookedAt)).toEqual(run([]));
      },
    ),
  );
});

test("the figures follow the events", () => {
  const shown = (scenario: Scenario, seconds: number) =>
    simulatedSummary(advanceSimulation(given(scenario), after(seconds)).played, "helpdesk", after(seconds));
  expect(shown("happy", 0)).toEqual({
    items: {},
    people: { source: 0, destination: 0, matched: 0 },
    findings: [],
    progress: null,
  });
  expect(shown("happy", 3.5)).toMatchObject({ progress: { phase: "sample", total: 37, failed: 0 } });
  expect(shown("happy", 6)).toMatchObject({ items: { tickets: 20, contacts: 17 }, progress: null });
  expect(shown("happy", 60)).toMatchObject({ items: { tickets: 1_204, contacts: 317 }, findings: [] });
  expect(shown("undo", 60)).toMatchObject({ items: {}, progress: null });
  const warned = shown("warnings", 60);
  expect(warned.items).toEqual({ tickets: 1_201, contacts: 317 });
  expect(warned.findings.map(({ code, count }) => [code, count])).toEqual([
    ["rejected", 2],
    ["too_large", 1],
    ["user_unmatched", 2],
  ]);
});
