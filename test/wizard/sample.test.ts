import type { WizardImport } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { useBrowser } from "./browser.ts";
import { useWizardFixture, type WizardImportUnderTest } from "./wizard-fixture.ts";
import { looksRight } from "./looks-right.ts";
import { someRecords, untilStatus } from "./moves.ts";

const fixture = useWizardFixture({ runs: { tool: { counts: someRecords, pageSize: 10, largeText: 2_000 } } });
const browser = useBrowser();
/** Slow enough that a sample is still running when the test looks. */
const slow = (latencyMs = 400) => fixture.tool.control.setWeather({ latencyMs });
const fast = () => fixture.tool.control.setWeather({ latencyMs: 0 });
const copying = { level: 1, name: "Copying your free sample" } as const;
const done = { level: 1, name: "Your sample is ready. Take a look." } as const;
const ready = { level: 1, name: "Ready to copy your free sample" } as const;

const connected = async () => {
  await fast();
  const made = await fixture.newImport();
  await fixture.connectBoth(made);
  return made;
};

/** An import with a slow sample in progress. */
const slowlyUnderWay = async () => {
  const made = await connected();
  await slow();
  await made.ask("POST", "/runs", { kind: "sample" });
  return made;
};

const runsOf = async (made: WizardImportUnderTest) => {
  const { rows } = await fixture.db.pool.query<{ kind: string }>(
    "select kind from runs where import_id = $1",
    [made.id],
  );
  return rows;
};

test("ready, started by keyboard, live, survives a reload, ends at the review; announcements stay calm", async () => {
  const made = await connected();
  const opened = await browser.openWizard(made, { screen: "sample" });
  const { page } = opened;
  await page.goto(`${fixture.url}/imports/${made.id}/sample`);
  await page.getByRole("heading", ready).waitFor();
  await page.getByText("access to").waitFor();
  // Nothing ran, so nothing was counted.
  expect(await page.getByText("duplicates found").count()).toBe(0);
  await looksRight(opened, "06-sample-ready");
  await slow();
  const start = page.getByRole("button", { name: "Run the free sample" });
  for (let presses = 0; presses < 40; presses += 1) {
    if (await start.evaluate((button) => button === document.activeElement)) break;
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Enter");
  await page.getByRole("heading", copying).waitFor();
  const steps = page.getByRole("list", { name: "Steps of the sample" });
  await steps.getByText(/^\d+ tickets compared so far$/).waitFor();
  await page.reload();
  await page.getByRole("heading", copying).waitFor();
  await page.getByRole("heading", { name: "Your records" }).waitFor();
  // Looking takes its time.
  await slow(5_000);
  await page.evaluate(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    const region = document.querySelector("p[role=status]");
    if (region)
      new MutationObserver(() => said.push(region.textContent)).observe(region, {
        characterData: true,
        childList: true,
        subtree: true,
      });
  });
  await looksRight(opened, "06-sample-choosing");
  await slow();
  // The customer's own records: picked by their titles, then with a link to the copy.
  const picked = page.locator(".feed li");
  await picked.filter({ hasText: "not copied yet" }).first().waitFor();
  await steps.getByText(/picked; \d+ records with what belongs to them\. Covers (all )?\d+/).waitFor();
  await picked
    .filter({ has: page.getByRole("link", { name: /^See it in Acme Desk/ }) })
    .first()
    .waitFor();
  await slow(5_000);
  await looksRight(opened, "06-sample-running");
  const said = await page.evaluate(() => (window as unknown as { said: string[] }).said);
  expect(said.length).toBeLessThanOrEqual(11);
  await fast();
  await page.getByRole("heading", done).waitFor();
  // It announces the final result, not an earlier state.
  await page.getByText(/^(\d+) of \1 tickets are in Acme Desk\./).waitFor();
  expect(await runsOf(made)).toEqual([{ kind: "sample" }]);
});

test("two tabs start it at once: one sample, and both show it", async () => {
  const made = await connected();
  const one = await browser.openWizard(made);
  const other = await one.context.newPage();
  for (const page of [one.page, other]) {
    await page.goto(`${fixture.url}/imports/${made.id}/sample`);
    await page.getByRole("heading", ready).waitFor();
  }
  await slow();
  // Found first, then pressed at the same moment: the second button may be gone by then.
  const buttons = await Promise.all(
    [one.page, other].map((page) =>
      page.getByRole("button", { name: "Run the free sample" }).elementHandle(),
    ),
  );
  await Promise.all(buttons.map((button) => button?.evaluate((found) => (found as HTMLElement).click())));
  for (const page of [one.page, other]) await page.getByRole("heading", copying).waitFor();
  // The pages know before the worker does.
  await expect.poll(() => runsOf(made)).toHaveLength(1);
  await fast();
  for (const page of [one.page, other]) await page.getByRole("heading", done).waitFor();
  expect(await runsOf(made)).toHaveLength(1);
});

test("a lost connection, a dead API and a dead worker: the page says what is true and recovers by itself", async () => {
  const made = await slowlyUnderWay();
  const opened = await browser.openWizard(made);
  const { page, context } = opened;
  await page.getByRole("heading", { name: "Your records" }).waitFor();
  const notLive = page.getByText(/^This page lost its connection at .*Your sample keeps running\.$/);
  await context.setOffline(true);
  await notLive.waitFor();
  await looksRight(opened, "06-sample-not-live", { mayComplain: true });
  await context.setOffline(false);
  await notLive.waitFor({ state: "detached" });
  await fixture.engine.replaceApi(2_000);
  await fixture.engine.replaceWorker(0, 1_000);
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Copying your free sample");
  await fast();
  await page.getByRole("heading", done).waitFor();
  expect((await fixture.tool.control.stats()).duplicates).toBe(0);
});

test("a sign-in that expires during the sample: the page offers a new one, then continues by itself", async () => {
  const made = await slowlyUnderWay();
  const opened = await browser.openWizard(made);
  const { page } = opened;
  await page.getByRole("heading", { name: "Your records" }).waitFor();
  await fixture.tool.control.expire(fixture.tool.account);
  const signInNotice = page.getByText("asks for a new sign-in");
  await signInNotice.waitFor();
  await page.getByRole("link", { name: /^Sign in to / }).waitFor();
  await page.getByRole("heading", { level: 1, name: "Waiting for your sign-in" }).waitFor();
  expect(await page.title()).toBe("Waiting for your sign-in · Acme Desk");
  expect(await page.locator(".spin").count()).toBe(0);
  expect(await page.getByText("keeps running").count()).toBe(0);
  await looksRight(opened, "06-sample-sign-in-needed");
  const { control, account, url: instanceUrl } = fixture.tool;
  const { token } = await control.newToken(account);
  await made.ask("PUT", "/connections/source", { settings: { instanceUrl, token } });
  await fast();
  await page.getByRole("heading", done).waitFor();
});

test("stopped: asks first, then returns to the start; failed: the same, with the reason; both can rerun", async () => {
  const made = await slowlyUnderWay();
  const opened = await browser.openWizard(made);
  const { page } = opened;
  await page.getByRole("button", { name: "Stop…", exact: true }).click();
  await page.getByRole("alertdialog").waitFor();
  await looksRight(opened, "06-sample-stop");
  await page.keyboard.press("Escape");
  await page.getByRole("alertdialog").waitFor({ state: "detached" });
  expect((await made.ask<WizardImport>("GET", "")).status.code).toBe("sample_in_progress");
  await page.getByRole("button", { name: "Stop…", exact: true }).click();
  await page.getByRole("button", { name: "Stop the sample" }).click();
  await fast();
  await page.getByText("The last sample was stopped").waitFor();
  await slow();
  await page.getByRole("button", { name: "Run the free sample" }).click();
  await page.getByRole("heading", copying).waitFor();
  // The page shows the requested run before it exists.
  const fail = () =>
    fixture.db.pool.query(
      "update runs set failure_code = 'given_up', failure_message = 'It is full.' where import_id = $1 and ended_at is null",
      [made.id],
    );
  await expect.poll(async () => (await fail()).rowCount).toBe(1);
  await made.ask("POST", "/runs/stop");
  await fast();
  await page.getByText("The last sample couldn't go on").waitFor();
  await page.getByText("Nothing was lost.").waitFor();
  await page.getByText("What stopped it: It is full.").waitFor();
  await looksRight(opened, "06-sample-failed");
  // A later visitor of the link sees the same.
  const later = await browser.openWizard(made);
  await later.page.getByText("The last sample couldn't go on").waitFor();
  await page.getByRole("button", { name: "Run the free sample" }).click();
  await page.getByRole("heading", done).waitFor();
  expect((await fixture.tool.control.stats()).duplicates).toBe(0);
});

test("stop and undo: asks first, then the undo runs, and nothing of it stays", async () => {
  const made = await slowlyUnderWay();
  const { page } = await browser.openWizard(made);
  await page.getByRole("button", { name: "Stop…", exact: true }).click();
  await page.getByRole("radio", { name: /^Remove it from Acme Desk again/ }).check();
  await page.getByRole("button", { name: "Stop and undo", exact: true }).click();
  await fast();
  const codeOf = async () => (await made.ask<WizardImport>("GET", "")).status.code;
  await expect.poll(codeOf).not.toBe("sample_in_progress");
  const code = await codeOf();
  // If nothing was written yet, there is nothing to undo.
  expect(["waiting_for_sample", "undo_in_progress", "migration_cleaned"]).toContain(code);
  if (code !== "waiting_for_sample") await untilStatus(made, "migration_cleaned");
});
