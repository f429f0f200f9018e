import { expect } from "vitest";
import { checkModel, type Model } from "./check-model.ts";

/** Nothing wrong can happen, the goal stays within reach, and there was enough to look at. */
export const expectSound = <S>(model: Model<S>, atLeastStates: number): void => {
  const { states, wrong, stuck } = checkModel(model);
  expect({ wrong: [...wrong], stuck }).toEqual({ wrong: [], stuck: null });
  expect(states).toBeGreaterThan(atLeastStates);
};

/** With a guard left out, the search meets this wrong; "stuck" where all that is wrong is that the end is out of reach. */
export const expectCaught = <S>(model: Model<S>, what: string): void => {
  const { wrong, stuck } = checkModel(model, what);
  const met = [...wrong.keys()];
  expect(met.length === 0 && stuck ? ["stuck"] : met).toContain(what);
};
