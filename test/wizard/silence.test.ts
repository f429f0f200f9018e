import type { WizardReport } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { useBrowser } from "./browser.ts";
import { looksRight } from "./looks-right.ts";
import { someRecords, untilStatus, withSample } from "./moves.ts";
import { useWizardFixture } from "./wizard-fixture.ts";

const ground = useWizardFixture({
  runs: { tool: { counts: { ...someRecords, tickets: 12, comments: 12, contacts: 6 }, hostile: false } },
  env: { STAND_IN_SILENCE: "log", CANARY_WAIT_SECONDS: "0" },
});
const browser = useBrowser();

test("silence is measured before the move: a message stops it and says what to do; then 0 messages, and it starts", async () => {
  const made = await withSample(ground);
  const { written } = await ground.tool.control.stats();
  await ground.tool.control.notify("always");
  const opened = await browser.openWizard(made, { screen: "full" });
  const { page } = opened;
  await page.getByText("Before we copy anything, we write a few test records to Acme Desk").waitFor();
  await looksRight(opened, "08g-full-silence-to-measure");
  await page.getByRole("button", { name: "Start the move" }).click();
  await page.getByText("Acme Desk sent a message about our test records").waitFor();
  const row = page.getByRole("listitem").filter({ hasText: "sent a message about our test records" });
  expect(await row.textContent()).toMatch(
    /Your records were not copied, and the test records are gone\. .*“.*”\. Switch off “Always notify” in the stand-in\./,
  );
  await looksRight(opened, "08h-full-silence-caught");
  // What the sample wrote is there, and nothing else.
  expect((await ground.tool.control.stats()).written).toBe(written);

  await ground.tool.control.notify("as asked");
  await page.getByRole("button", { name: "Start the move" }).click();
  await untilStatus(made, "migration_completed");
  const { silence } = await made.ask<WizardReport>("GET", "/report");
  expect(silence).toMatchObject({ records: 6, messages: 0 });
  const done = await browser.openWizard(made, { screen: "done" });
  await done.page
    .getByText("0 messages measured: before the move we wrote 6 test records to Acme Desk")
    .waitFor();
  await looksRight(done, "10g-done-silence-measured");
});
