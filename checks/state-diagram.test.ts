import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { stateDiagramFile, stateDiagramPage } from "./state-diagram.ts";

test("docs/import-states.md matches the transition table (npm run diagram)", () => {
  expect(readFileSync(stateDiagramFile, "utf8")).toBe(stateDiagramPage());
});
