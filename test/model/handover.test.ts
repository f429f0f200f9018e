import { describe, test } from "vitest";
import { expectCaught, expectSound } from "./expect-model.ts";
import {
  type HandOverEnvironment,
  type HandOverGuards,
  handOverGuards,
  handOverModel,
} from "./handover-model.ts";

const calm: HandOverEnvironment = {
  pages: 2,
  pauses: true,
  stops: true,
  givesUp: false,
  forgets: false,
  overdue: false,
};
const rough: HandOverEnvironment = { ...calm, givesUp: true, forgets: true, overdue: true };

const environments: Record<string, { environment: HandOverEnvironment; atLeast: number }> = {
  "crashes, pauses and stops, without waiting for the sweep": { environment: calm, atLeast: 1_000 },
  "a partition that the chunk before goes on with": {
    environment: { ...calm, goesOn: true },
    atLeast: 1_000,
  },
  "the engine gives up": { environment: { ...calm, givesUp: true, overdue: true }, atLeast: 1_000 },
  "the engine gives up or loses its data, any number of times": {
    environment: { ...rough, pages: 3 },
    atLeast: 1_000,
  },
};

const leftOut: Record<keyof HandOverGuards, { environment: HandOverEnvironment; leadsTo: string }> = {
  generationInKey: { environment: calm, leadsTo: "stuck" },
  startChecksGeneration: { environment: rough, leadsTo: "a superseded chunk takes over" },
  startChecksState: { environment: rough, leadsTo: "works on a partition that has ended" },
  handOverGuarded: { environment: rough, leadsTo: "a superseded chunk hands over" },
  newerSentAgain: { environment: { ...calm, pauses: false, stops: false }, leadsTo: "stuck" },
  sweeps: { environment: { ...rough, pauses: false, stops: false }, leadsTo: "stuck" },
  sweepsStopping: { environment: rough, leadsTo: "stuck" },
  resumeRaises: { environment: { ...calm, stops: false }, leadsTo: "stuck" },
  stopRaises: { environment: calm, leadsTo: "stuck" },
  settledBeforeStopped: { environment: calm, leadsTo: "ended with a batch in doubt" },
  fenced: { environment: rough, leadsTo: "two write at once" },
};

describe("one chunk at a time works on a partition, to its end", () => {
  test.each(Object.entries(environments))("%s", (_, { environment, atLeast }) => {
    expectSound(handOverModel(handOverGuards, environment), atLeast);
  });
});

describe("the check catches a hand-over with a disabled guard", () => {
  test.each(Object.entries(leftOut))("%s", (guard, { environment, leadsTo }) => {
    expectCaught(handOverModel({ ...handOverGuards, [guard]: false }, environment), leadsTo);
  });
});
