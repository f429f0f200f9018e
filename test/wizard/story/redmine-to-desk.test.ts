import { expect, test } from "vitest";
import { secret } from "../../../examples/partner-app/test/running-desk.ts";
import { deskDestination } from "../../journeys/moves/desk-side.ts";
import { differences } from "../../journeys/moves/dump.ts";
import { redmineSource } from "../../journeys/moves/redmine-side.ts";
import { useBrowser } from "../browser.ts";
import { chooseAll, connectDestination, connectSource } from "./connect-and-choose.ts";
import { enterDesk, enterRedmine } from "./enter-tools.ts";
import { matchFields, matchPeople } from "./match.ts";
import { moveAndUndo } from "./move-all.ts";
import { mendWhatIsWrong, reviewSample, watchSample } from "./sample.ts";
import { useStoryFixture } from "./story-fixture.ts";
import { tellStory } from "./story-page.ts";

const fixture = useStoryFixture();
const browser = useBrowser();
const branding = { helpUrl: "https://help.acme.example/", privacyUrl: "https://acme.example/privacy" };

test("Redmine to a partner's application, by clicks alone; the partner accepts while the page waits", async () => {
  const { redmine, desk } = fixture.tools;
  const source = redmineSource(redmine, { changes: "Issue number 50", removes: "Issue number 53" });
  const destination = deskDestination(desk, secret);
  const dump = await destination.dump();
  const counts = await destination.counts();
  const partner = "Ferry Desk";
  const made = await fixture.newImport(
    { name: partner, destinationTool: "destination-protocol", payer: "partner_decides", branding },
    "redmine",
  );
  const opened = await browser.openWizard(made);
  const { page } = opened;
  const story = tellStory(opened, { story: "redmine-desk", source: "Redmine", partner });
  await story.arrive(`Move from Redmine to ${partner}`);
  await story.look("01-start");
  await connectSource(story, { "Redmine address": redmine.url, "API access key": redmine.adminKey });
  await connectDestination(story, partner, { "Connection address": desk.url, "Connection key": secret });
  await chooseAll(story);
  await matchPeople(story, { who: "Null Undefined", whom: /^Desk Own/ });
  await matchFields(story, {
    field: "Decimal",
    status: { word: "Rejected", becomes: "Closed" },
    own: `${redmine.url}/issues/1`,
    ownTitle: "The printer on floor 2 is on fire 🔥",
  });
  await watchSample(story);
  await mendWhatIsWrong(story, { word: "Rejected", becomes: "Solved" });
  await watchSample(story);
  await reviewSample(story, {
    title: "The printer on floor 2 is on fire 🔥",
    intoSource: enterRedmine(redmine),
    intoDestination: enterDesk,
  });
  await page.getByRole("link", { name: "Looks good, continue" }).click();
  await page.getByRole("button", { name: `Ask ${partner} to pay` }).click();
  await story.arrive(`Waiting for ${partner}`);
  await story.look("08b-waiting");
  await made.accept();
  await moveAndUndo(story, { source, destination, counts });
  expect(differences(dump, await destination.dump())).toEqual([]);
  story.say(`${partner} is as it was before`);
});
