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
  test("visits each state once, and finds nothing where nothing is wrong", () => {
    expect(checkModel(counter())).toEqual({ states: 4, wrong: new Map(), stuck: null });
  });

  test("tells the shortest way to what is wrong, and does not go on from there", () => {
    const wrong = ({ at }: { at: number }) => (at === 2 ? "two" : null);
    expect(checkModel(counter({ wrong }))).toEqual({
      states: 3,
      wrong: new Map([["two", ["to 1", "to 2"]]]),
      stuck: [],
    });
  });

  test("tells where the goal is out of reach, though it was within it before", () => {
    const next: Model<{ at: number }>["next"] = ({ at }, step) => {
      if (at === 1) step("into the trap", { at: 10 });
      if (at < 3) step(`to ${at + 1}`, { at: at + 1 });
    };
    expect(checkModel(counter({ next })).stuck).toEqual(["to 1", "into the trap"]);
  });

  test("takes a way back to the goal for a way", () => {
    const next: Model<{ at: number }>["next"] = ({ at }, step) => {
      if (at === 3) step("round", { at: 0 });
      else step(`to ${at + 1}`, { at: at + 1 });
    };
    expect(checkModel(counter({ next })).stuck).toBeNull();
  });

  test("ends early with the wrong that it was sent for", () => {
    const wrong = ({ at }: { at: number }) => (at === 1 ? "one" : null);
    const next: Model<{ at: number }>["next"] = ({ at }, step) => {
      for (const to of [1, 2, 3]) if (at < 3) step(`to ${to}`, { at: to });
    };
    expect([...checkModel(counter({ wrong, next }), "one").wrong.keys()]).toEqual(["one"]);
  });
});
