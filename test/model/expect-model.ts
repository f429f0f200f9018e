import { expect } from "vitest";
import { checkModel, type Model } from "./check-model.ts";

/** Expects no violation, a reachable goal, and a minimum number of states. */
export const expectSound = <S>(model: Model<S>, atLeastStates: number): void => {
  const { states, wrong, stuck } = checkModel(model);
  expect({ wrong: [...wrong], stuck }).toEqual({ wrong: [], stuck: null });
  expect(states).toBeGreaterThan(atLeastStates);
};

/** Expects this violation with a guard disabled; "stuck" if only the goal is out of reach. */
export const expectCaught = <S>(model: Model<S>, what: string): void => {
  const { wrong, stuck } = checkModel(model, what);
  const met = [...wrong.keys()];
  expect(met.length === 0 && stuck ? ["stuck"] : met).toContain(what);
};
