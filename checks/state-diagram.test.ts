import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { stateDiagramFile, stateDiagramPage } from "./state-diagram.ts";

test("docs/import-states.md is what the transition table says (npm run diagram)", () => {
  expect(readFileSync(stateDiagramFile, "utf8")).toBe(stateDiagramPage());
});
