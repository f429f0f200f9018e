import { expect, test } from "vitest";
import { differences } from "../../journeys/moves/dump.ts";
import { redmineDestination } from "../../journeys/moves/redmine-side.ts";
import { requestTrackerSource } from "../../journeys/moves/request-tracker-side.ts";
import { useBrowser } from "../browser.ts";
import { chooseAll, connectDestination, connectSource } from "./connect-and-choose.ts";
import { enterRedmine, enterRequestTracker } from "./enter-tools.ts";
import { matchFields, matchPeople } from "./match.ts";
import { moveAndUndo } from "./move-all.ts";
import { reviewSample, watchSample } from "./sample.ts";
import { useStoryFixture } from "./story-fixture.ts";
import { tellStory } from "./story-page.ts";

const fixture = useStoryFixture({ withTracker: true });
const browser = useBrowser();
const branding = { helpUrl: "https://help.acme.example/", privacyUrl: "https://acme.example/privacy" };

test("Request Tracker to Redmine, by clicks alone; the partner pays", async () => {
  const { tracker, redmine } = fixture.tools;
  if (!tracker) throw new Error("Request Tracker was not started.");
  const source = requestTrackerSource(tracker, { changes: "A ticket that is open", removes: "Parent" });
  const destination = redmineDestination(redmine, "knowledge");
  const dump = await destination.dump();
  const counts = await destination.counts();
  const partner = "Acme Projects";
  const made = await fixture.newImport(
    { name: partner, destinationTool: "redmine", payer: "partner", branding },
    "request-tracker",
  );
  const opened = await browser.openWizard(made);
  const story = tellStory(opened, { story: "rt-redmine", source: "Request Tracker", partner });
  await story.arrive(`Move from Request Tracker to ${partner}`);
  await story.look("01-start");
  await connectSource(story, {
    "Request Tracker address": tracker.url,
    "Authentication token": tracker.token,
  });
  await connectDestination(story, "Redmine", {
    "Redmine address": redmine.url,
    "API access key": redmine.adminKey,
    Project: "knowledge",
  });
  await chooseAll(story);
  await matchPeople(story, { who: "Björn Åström", whom: /^Ana Müller/ });
  await matchFields(story, {
    field: "Colour",
    status: { word: "stalled", becomes: "In Progress" },
    own: `${tracker.url}/Ticket/Display.html?id=2`,
    ownTitle: "A ticket that is open",
  });
  await watchSample(story);
  await reviewSample(story, {
    title: "A ticket that is open",
    intoSource: enterRequestTracker(tracker),
    intoDestination: enterRedmine(redmine),
  });
  await story.page.getByRole("link", { name: "Looks good, continue" }).click();
  await moveAndUndo(story, { source, destination, counts });
  expect(differences(dump, await destination.dump())).toEqual([]);
  story.say(`${partner} is as it was before`);
});
