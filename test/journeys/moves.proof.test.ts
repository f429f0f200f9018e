// `npm run prove:moves`: pairs of tools that CI has no time for. Each tool of them is in a pair or a suite of CI as well.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshdeskSide } from "../vendors/freshdesk/side.ts";
import { intercomSide } from "../vendors/intercom/side.ts";
import { vendorDestination, vendorSource } from "../vendors/kit/vendor-side.ts";
import { zendeskSide } from "../vendors/zendesk/side.ts";
import { faultsOf, type MoveTools, startMoveTools, tellExcluded } from "./moves/move-tools.ts";
import { redmineDestination, redmineExcluded, redmineSource } from "./moves/redmine-side.ts";
import { requestTrackerDestination, requestTrackerExcluded } from "./moves/request-tracker-side.ts";
import { znunySource } from "./moves/znuny-side.ts";
import { walkJourney } from "./moves/walk-journey.ts";

let tools: MoveTools;
beforeAll(async () => {
  tools = await startMoveTools();
});
afterAll(() => tools?.stop());

describe("an import into real tools, over HTTP alone", { timeout: 3_600_000 }, () => {
  test("Redmine to Request Tracker", async () => {
    tellExcluded(requestTrackerExcluded);
    const source = redmineSource(tools.redmine, { changes: "Issue number 51", removes: "Issue number 54" });
    const destination = requestTrackerDestination(tools.tracker);
    expect(await walkJourney({ ...tools, source, destination })).toEqual([]);
  });

  test("Znuny to Request Tracker", async () => {
    tellExcluded(requestTrackerExcluded);
    const source = znunySource(tools.znuny, { changes: "A ticket that is open", removes: "Imported 7" });
    const destination = requestTrackerDestination(tools.tracker);
    expect(await walkJourney({ ...tools, source, destination })).toEqual([]);
  });

  test("Zendesk, a stand-in, to Request Tracker", async () => {
    const { zendesk, tracker } = tools;
    tellExcluded(requestTrackerExcluded);
    const source = vendorSource(zendeskSide(zendesk), { changes: "Question 1", removes: "Question 2" });
    const destination = requestTrackerDestination(tracker);
    expect(await walkJourney({ ...tools, source, destination })).toEqual([]);
    expect(faultsOf(zendesk)).toEqual([]);
  });

  test("Freshdesk, a stand-in, to Redmine", async () => {
    const { freshdesk, redmine } = tools;
    tellExcluded(redmineExcluded);
    const source = vendorSource(freshdeskSide(freshdesk), { changes: "Question 1", removes: "Question 2" });
    const destination = redmineDestination(redmine, "knowledge");
    expect(await walkJourney({ ...tools, source, destination })).toEqual([]);
    expect(faultsOf(freshdesk)).toEqual([]);
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
    const source = znunySource(znuny, { changes: "A ticket that is open", removes: "Imported 8" });
    const destination = vendorDestination(zendeskSide(zendesk));
    expect(await walkJourney({ ...tools, source, destination })).toEqual([]);
    expect(faultsOf(zendesk)).toEqual([]);
  });
});
