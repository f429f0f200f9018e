import { describe, test } from "vitest";
import { expectCaught, expectSound } from "./expect-model.ts";
import { linkingModel } from "./linking-model.ts";
import { type LinkingEnvironment, type LinkingGuards, linkingGuards } from "./linking-state.ts";

const calm: LinkingEnvironment = { rejects: false, edits: false, unlinks: false };
const restless: LinkingEnvironment = { rejects: true, edits: true, unlinks: true };

const environments: Record<string, { environment: LinkingEnvironment; atLeast: number }> = {
  "no interference": { environment: calm, atLeast: 100 },
  "records that fail, and are retried": { environment: { ...calm, rejects: true }, atLeast: 400 },
  "people who edit copies and remove references at the source": { environment: restless, atLeast: 4_000 },
};

const leftOut: Record<keyof LinkingGuards, { environment: LinkingEnvironment; leadsTo: string }> = {
  notedWithSettle: { environment: calm, leadsTo: "both ends exist, but are not linked" },
  linksInBatch: { environment: calm, leadsTo: "both ends exist, but are not linked" },
  hashChecked: { environment: restless, leadsTo: "a person's edit is overwritten" },
  ownWriteKnown: { environment: calm, leadsTo: "our own write looks like a person's edit" },
  hashWithLink: { environment: calm, leadsTo: "our own write looks like a person's edit" },
  timeoutIsUnknown: { environment: calm, leadsTo: "marked linked, but is not" },
  lateWriteAwaited: { environment: restless, leadsTo: "a person's edit is overwritten" },
  linkedAgain: {
    environment: { ...calm, rejects: true },
    leadsTo: "both ends exist, but are not linked",
  },
  notesReplaced: {
    environment: { ...restless, edits: false },
    leadsTo: "linked, but the source dropped the reference",
  },
};

describe("links records that reference each other once both exist", () => {
  test.each(Object.entries(environments))("%s", (_, { environment, atLeast }) => {
    expectSound(linkingModel(linkingGuards, environment), atLeast);
  });
});

describe("the check catches a linking pass with a disabled guard", () => {
  test.each(Object.entries(leftOut))("%s", (guard, { environment, leadsTo }) => {
    expectCaught(linkingModel({ ...linkingGuards, [guard]: false }, environment), leadsTo);
  });
});
