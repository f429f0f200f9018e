import { describe, expect, test } from "vitest";
import { checkModel, type Model } from "./check-model.ts";

/** Counts up to 3. */
const counter = (over: Partial<Model<{ at: number }>> = {}): Model<{ at: number }> => ({
  start: { at: 0 },
  next: ({ at }, step) => {
    if (at < 3) step(`to ${at + 1}`, { at: at + 1 });
  },
  wrong: () => null,
  goal: ({ at }) => at === 3,
  ...over,
});

describe("a search", () => {
  test("visits each state once, and finds nothing in a correct model", () => {
    expect(checkModel(counter())).toEqual({ states: 4, wrong: new Map(), stuck: null });
  });

  test("reports the shortest path to a wrong state, and does not continue from there", () => {
    const wrong = ({ at }: { at: number }) => (at === 2 ? "two" : null);
    expect(checkModel(counter({ wrong }))).toEqual({
      states: 3,
      wrong: new Map([["two", ["to 1", "to 2"]]]),
      stuck: [],
    });
  });

  test("reports a state that can no longer reach the goal", () => {
    const next: Model<{ at: number }>["next"] = ({ at }, step) => {
      if (at === 1) step("into the trap", { at: 10 });
      if (at < 3) step(`to ${at + 1}`, { at: at + 1 });
    };
    expect(checkModel(counter({ next })).stuck).toEqual(["to 1", "into the trap"]);
  });

  test("accepts a detour back to the goal", () => {
    const next: Model<{ at: number }>["next"] = ({ at }, step) => {
      if (at === 3) step("round", { at: 0 });
      else step(`to ${at + 1}`, { at: at + 1 });
    };
    expect(checkModel(counter({ next })).stuck).toBeNull();
  });

  test("stops early at the expected wrong state", () => {
    const wrong = ({ at }: { at: number }) => (at === 1 ? "one" : null);
    const next: Model<{ at: number }>["next"] = ({ at }, step) => {
      for (const to of [1, 2, 3]) if (at < 3) step(`to ${to}`, { at: to });
    };
    expect([...checkModel(counter({ wrong, next }), "one").wrong.keys()]).toEqual(["one"]);
  });
});
