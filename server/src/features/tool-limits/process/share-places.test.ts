import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AccountState, freshState, type Member } from "../state/account-state.ts";
import { advanceAccount, membershipMs, type ProcessReport } from "./advance.ts";

const startMs = 1_700_000_000_000;

/** A process that asks for places of one side and reports how many of them are in use. */
const ask = (
  state: AccountState,
  process: string,
  {
    want,
    running = 0,
    weight = 1,
    total,
    at,
  }: Record<"want" | "total" | "at", number> & {
    running?: number;
    weight?: number;
  },
): number => {
  const none = { any: [], read: [], write: [] };
  const report: ProcessReport = {
    process,
    limits: [],
    concurrency: total,
    weight,
    want: {},
    returned: none,
    lagMs: 0,
    open: {},
    charged: { any: 0, read: 0, write: 0 },
    places: { source: { want, running }, destination: { want: 0, running: 0 } },
    used: [],
    refused: null,
    headers: {},
    usedBy: {},
    pauseUntil: 0,
    latencyMs: null,
    circuit: null,
    isLeaving: false,
  };
  return advanceAccount(state, report, startMs + at).places.source;
};

const held = ({ members }: AccountState) =>
  Object.values(members).reduce((sum, { places }: Member) => sum + places.source.have, 0);

test("all processes together never run more than the tool's concurrency", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.array(
        fc.record({
          process: fc.constantFrom("a", "b", "c", "d", "e"),
          want: fc.integer({ min: 0, max: 15 }),
          weight: fc.integer({ min: 0, max: 5 }),
          afterMs: fc.integer({ min: 0, max: 3_000 }),
          ends: fc.integer({ min: 0, max: 15 }),
        }),
        { maxLength: 200 },
      ),
      (total, asks) => {
        const state = freshState();
        const running = new Map<string, number>();
        const heard = new Map<string, number>();
        let at = 0;
        for (const { process, want, weight, afterMs, ends } of asks) {
          at += afterMs;
          // A process silent for too long has ended its requests: it knows that its places have expired.
          for (const [each, last] of heard) if (at - last > membershipMs - 1_000) running.set(each, 0);
          heard.set(process, at);
          const before = Math.max(0, (running.get(process) ?? 0) - ends);
          const may = ask(state, process, { want, weight, running: before, total, at });
          // As many as allowed at once: the worst case.
          running.set(process, Math.max(before, may));
          const all = [...running.values()].reduce((sum, count) => sum + count, 0);
          expect(all).toBeLessThanOrEqual(total);
          expect(held(state)).toBeLessThanOrEqual(total);
        }
      },
    ),
    { numRuns: 500 },
  );
});

describe("shares", () => {
  test("a single process has all that it wants", () => {
    expect(ask(freshState(), "a", { want: 20, total: 16, at: 0 })).toBe(16);
    expect(ask(freshState(), "a", { want: 3, total: 16, at: 0 })).toBe(3);
  });

  test("a newcomer gets its part as soon as requests end, by the number of runs", () => {
    const state = freshState();
    ask(state, "a", { want: 40, weight: 3, running: 0, total: 16, at: 0 });
    expect(ask(state, "b", { want: 40, weight: 1, total: 16, at: 100 })).toBe(0);
    // a learns of b, and starts nothing until only its share runs; running requests keep their places.
    expect(ask(state, "a", { want: 40, weight: 3, running: 16, total: 16, at: 200 })).toBe(12);
    expect(ask(state, "b", { want: 40, weight: 1, total: 16, at: 250 })).toBe(0);
    expect(ask(state, "a", { want: 40, weight: 3, running: 12, total: 16, at: 300 })).toBe(12);
    expect(ask(state, "b", { want: 40, weight: 1, total: 16, at: 400 })).toBe(4);
  });

  test("with fewer places than processes each gets its time", () => {
    const state = freshState();
    const processes = ["a", "b", "c", "d", "e"];
    const had = new Map<string, number>();
    for (let at = 0; at < 60_000; at += 250)
      for (const process of processes) {
        const may = ask(state, process, { want: 4, total: 2, at });
        had.set(process, (had.get(process) ?? 0) + may);
      }
    const turns = [...had.values()];
    expect(Math.min(...turns)).toBeGreaterThan(0.7 * Math.max(...turns));
    // Two places for 240 rounds: little is lost while they change hands.
    expect(turns.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0.8 * 2 * 240);
  });

  test("a lost process loses its places when its membership expires", () => {
    const state = freshState();
    expect(ask(state, "a", { want: 4, total: 4, at: 0 })).toBe(4);
    expect(ask(state, "b", { want: 4, total: 4, at: membershipMs - 1 })).toBe(0);
    expect(ask(state, "b", { want: 4, total: 4, at: membershipMs })).toBe(4);
  });

  test("the two sides of an account have separate places", () => {
    const state = freshState();
    expect(ask(state, "a", { want: 4, total: 4, at: 0 })).toBe(4);
    expect(state.members["a"]?.places.destination.have).toBe(0);
  });
});
