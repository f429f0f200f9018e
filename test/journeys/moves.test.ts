import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { intercomSide } from "../vendors/intercom/side.ts";
import { vendorDestination, vendorSource } from "../vendors/kit/vendor-side.ts";
import { zendeskSide } from "../vendors/zendesk/side.ts";
import { faultsOf, type MoveTools, startMoveTools, tellExcluded } from "./moves/move-tools.ts";
import { redmineDestination, redmineExcluded } from "./moves/redmine-side.ts";
import { requestTrackerSource } from "./moves/request-tracker-side.ts";
import { znunySource } from "./moves/znuny-side.ts";
import { walkJourney } from "./moves/walk-journey.ts";

let tools: MoveTools;
beforeAll(async () => {
  tools = await startMoveTools();
});
afterAll(() => tools?.stop());

// Into a partner's application: see the story, which does it by clicks. Further pairs: `npm run prove:moves`.
describe("an import between tools, over HTTP alone", { timeout: 3_600_000 }, () => {
  test("Request Tracker to Redmine", async () => {
    tellExcluded(redmineExcluded);
    const choice = { changes: "A ticket that is open", removes: "Parent" };
    const source = requestTrackerSource(tools.tracker, choice);
    const destination = redmineDestination(tools.redmine, "knowledge");
    expect(await walkJourney({ ...tools, source, destination })).toEqual([]);
  });

  test("Intercom to Zendesk, both stand-ins", async () => {
    const { intercom, zendesk } = tools;
    const source = vendorSource(intercomSide(intercom), { changes: "Question 1", removes: "Question 2" });
    const destination = vendorDestination(zendeskSide(zendesk));
    expect(await walkJourney({ ...tools, source, destination })).toEqual([]);
    expect([...faultsOf(intercom), ...faultsOf(zendesk)]).toEqual([]);
  });

  test("Znuny to Zendesk, a stand-in", async () => {
    const { znuny, zendesk } = tools;
    const source = znunySource(znuny, { changes: "A ticket that is open", removes: "Imported 7" });
    const destination = vendorDestination(zendeskSide(zendesk));
    expect(await walkJourney({ ...tools, source, destination })).toEqual([]);
    expect(faultsOf(zendesk)).toEqual([]);
  });
});
