import type { WizardReport } from "@portage/contract/wizard";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { useBrowser } from "./browser.ts";
import { looksRight } from "./looks-right.ts";
import { someRecords, untilStatus, withSample } from "./moves.ts";
import { useWizardFixture } from "./wizard-fixture.ts";

const fixture = useWizardFixture({
  runs: { tool: { counts: { ...someRecords, tickets: 12, comments: 12, contacts: 6 }, hostile: false } },
  env: { STAND_IN_SILENCE: "log", CANARY_WAIT_SECONDS: "0" },
});
const browser = useBrowser();

test("silence is measured before the move: a message stops it and says what to do; then 0 messages, and it starts", async () => {
  const made = await withSample(fixture);
  const { written } = await fixture.tool.control.stats();
  await fixture.tool.control.notify("always");
  const opened = await browser.openWizard(made, { screen: "full" });
  const { page } = opened;
  await page.getByText("Before we copy anything, we write a few test records to Acme Desk").waitFor();
  await looksRight(opened, "08g-full-silence-to-measure");
  await page.getByRole("button", { name: "Start the move" }).click();
  await page.getByText("Acme Desk sent a message about our test records").waitFor();
  const row = page.getByRole("listitem").filter({ hasText: "sent a message about our test records" });
  expect(await row.textContent()).toMatch(
    /Your records weren't copied, and the test records are gone\. .*“.*”\. Switch off “Always notify” in the stand-in\./,
  );
  expect(await page.getByText("Ready, 1 note").count()).toBe(1);
  await looksRight(opened, "08h-full-silence-caught");
  // What the sample wrote is there, and nothing else.
  expect((await fixture.tool.control.stats()).written).toBe(written);

  await fixture.tool.control.notify("as asked");
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

test("a worker that is killed while test records are there leaves none: its successor finds and removes them", async () => {
  const made = await withSample(fixture);
  const { control } = fixture.tool;
  const before = (await control.stats()).written;
  await control.setWeather({ latencyMs: 400 });
  await made.ask("POST", "/ask-full");
  await made.ask("POST", "/runs", { kind: "full" });
  while ((await control.stats()).written < before + 2) await sleep(20);
  await fixture.engine.replaceWorker(0, 0);
  await control.setWeather({ latencyMs: 0 });
  await untilStatus(made, "migration_completed");
  for (const stream of ["contacts", "groups", "tickets", "comments"])
    for await (const { record } of control.dump(stream))
      expect(JSON.stringify(record)).not.toMatch(/canary-|Portage Silence/);
  const { rows } = await fixture.db.pool.query<{ removed: boolean }>(
    "select removed_at is not null as removed from silence_checks where import_id = $1",
    [made.id],
  );
  expect(rows.every(({ removed }) => removed)).toBe(true);
  expect(await made.ask<WizardReport>("GET", "/report")).toMatchObject({
    silence: { records: 6, messages: 0 },
  });
});
