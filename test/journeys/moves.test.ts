import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MoveTools, startMoveTools, tellExcluded } from "./moves/move-tools.ts";
import { redmineDestination, redmineExcluded } from "./moves/redmine-side.ts";
import { requestTrackerSource } from "./moves/request-tracker-side.ts";
import { walkJourney } from "./moves/walk-journey.ts";

let tools: MoveTools;
beforeAll(async () => {
  tools = await startMoveTools();
});
afterAll(() => tools?.stop());

// Into a partner's application, by clicks: the demo. Further pairs: `npm run prove:moves`, and `test:story` by clicks.
describe("an import between tools, over HTTP alone", { timeout: 3_600_000 }, () => {
  test("Request Tracker to Redmine", async () => {
    tellExcluded(redmineExcluded);
    const choice = { changes: "A ticket that is open", removes: "Parent" };
    const source = requestTrackerSource(tools.tracker, choice);
    const destination = redmineDestination(tools.redmine, "knowledge");
    expect(await walkJourney({ ...tools, source, destination })).toEqual([]);
  });
});
