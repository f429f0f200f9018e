import { setTimeout as sleep } from "node:timers/promises";
import type { WizardProgress } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { useBrowser } from "./browser.ts";
import { useWizardFixture, type WizardImportUnderTest } from "./wizard-fixture.ts";
import { looksRight } from "./looks-right.ts";
import { someRecords, underWay, untilStatus } from "./moves.ts";

const fixture = useWizardFixture({
  runs: { tool: { counts: { ...someRecords, tickets: 300, comments: 400 }, pageSize: 10, largeText: 2_000 } },
});
const browser = useBrowser();
/** Slow enough that a move is still running when the test looks. */
const slow = () => fixture.tool.control.setWeather({ latencyMs: 2_500 });
const fast = () => fixture.tool.control.setWeather({ latencyMs: 0 });
const slowlyUnderWay = async () => {
  await fast();
  const made = await underWay(fixture);
  const doneSoFar = async () =>
    (await made.ask<WizardProgress>("GET", "/progress")).progress?.done ?? Number.POSITIVE_INFINITY;
  while ((await doneSoFar()) < 40) await sleep(20);
  await slow();
  return made;
};
const reconnect = async (made: WizardImportUnderTest) => {
  const { control, account, url: instanceUrl } = fixture.tool;
  const { token } = await control.newToken(account);
  await made.ask("PUT", "/connections/source", { settings: { instanceUrl, token } });
};

test("a running move: live, paused and resumed; it survives a closed page, and ends by itself", async () => {
  const made = await slowlyUnderWay();
  const opened = await browser.openWizard(made);
  const { page, context } = opened;
  await page.getByRole("heading", { level: 1, name: "Moving to Acme Desk" }).waitFor();
  await page.getByRole("heading", { name: "By kind" }).waitFor();
  await page.getByText("held back").waitFor();
  await page.waitForFunction(() => /^\d+% moved · Acme Desk$/.test(document.title), undefined);
  expect(await page.locator("p[role=status]").allTextContents()).toEqual([
    expect.stringMatching(/^\d+% moved, (about .+ left|time left not known yet)\.$/),
  ]);
  await looksRight(opened, "09-full-running");
  await page.getByRole("button", { name: "Pause" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Resume" }).waitFor();
  expect(await page.title()).toBe("Paused · Acme Desk");
  await page.getByRole("heading", { level: 1, name: "The move is paused" }).waitFor();
  await looksRight(opened, "09-full-paused");
  // Nothing runs, so the page must not say so.
  await context.setOffline(true);
  await page.getByText(/^This page lost its connection at /).waitFor();
  expect(await page.getByText("keeps running", { exact: false }).count()).toBe(0);
  await context.setOffline(false);
  await page.close();
  const again = await context.newPage();
  await again.goto(`${fixture.url}/imports/${made.id}`);
  await again.getByRole("button", { name: "Resume" }).click();
  await again.getByRole("button", { name: "Pause" }).waitFor();
  await fast();
  await again.getByRole("heading", { level: 1, name: "Your data is in Acme Desk" }).waitFor();
});

test("a stream without a count: shows how many so far, and no percentage", async () => {
  const made = await slowlyUnderWay();
  await fixture.db.pool.query(
    "update partitions set expected = null where import_id = $1 and stream = 'comments'",
    [made.id],
  );
  const opened = await browser.openWizard(made);
  const { page } = opened;
  await page.getByText("We don't know yet how many there are in all.").first().waitFor();
  await page.waitForFunction(() => /^\d+ records? so far · Acme Desk$/.test(document.title), undefined);
  expect(await page.locator("p[role=status]").textContent()).toMatch(/^\d+ records? so far\. We don't know/);
  const bar = page.getByRole("progressbar", { name: "Whole move" });
  expect(await bar.getAttribute("aria-valuenow")).toBeNull();
  expect(await page.locator(".hero-num").textContent()).not.toContain("%");
  // With reduced motion nothing moves; otherwise the bar shows activity.
  const moving = () =>
    page.evaluate(() => document.getAnimations().filter((each) => each.playState === "running").length);
  expect(await moving()).toBe(0);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await expect.poll(moving).toBeGreaterThan(0);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await looksRight(opened, "09-full-uncounted");
  await fast();
  await page.getByRole("heading", { level: 1, name: "Your data is in Acme Desk" }).waitFor();
});

test("a lost connection, a dead API and a dead worker: the page says what is true and recovers by itself", async () => {
  const made = await slowlyUnderWay();
  const opened = await browser.openWizard(made);
  const { page, context } = opened;
  await page.getByRole("heading", { name: "By kind" }).waitFor();
  const notLive = page.getByText(/^This page lost its connection at .*Your move keeps running\.$/);
  await context.setOffline(true);
  await notLive.waitFor();
  await looksRight(opened, "09-full-not-live", { mayComplain: true });
  await context.setOffline(false);
  await notLive.waitFor({ state: "detached" });

  await fixture.engine.replaceApi(15_000);
  await page.getByRole("heading", { level: 1, name: "Moving to Acme Desk" }).waitFor();
  await notLive.waitFor({ state: "detached" });

  await fixture.engine.replaceWorker(0, 1_000);
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Moving to Acme Desk");
  expect(await page.getByText(/failed/i).count()).toBeLessThanOrEqual(1);
  await looksRight(opened, "09-full-worker-killed", { mayComplain: true });
  await fast();
  await page.getByRole("heading", { level: 1, name: "Your data is in Acme Desk" }).waitFor();
  expect((await fixture.tool.control.stats()).duplicates).toBe(0);
});

test("a sign-in that expires during the move: the page offers a new one, then continues by itself", async () => {
  const made = await slowlyUnderWay();
  const opened = await browser.openWizard(made);
  const { page } = opened;
  await page.getByRole("heading", { name: "By kind" }).waitFor();
  await fixture.tool.control.expire(fixture.tool.account);
  const signInNotice = page.getByText("asks for a new sign-in");
  await signInNotice.waitFor();
  expect(await page.title()).toBe("Waiting for your sign-in · Acme Desk");
  await page.getByRole("heading", { level: 1, name: "Waiting for your sign-in" }).waitFor();
  expect(await page.getByText("keeps running").count()).toBe(0);
  await looksRight(opened, "09-full-sign-in-needed");
  await reconnect(made);
  await fast();
  await signInNotice.waitFor({ state: "detached" });
  await page.getByRole("heading", { level: 1, name: "Your data is in Acme Desk" }).waitFor();
});

test("stop: asks first, then returns to where it can start again; stop and undo ends in an undo", async () => {
  const made = await slowlyUnderWay();
  const opened = await browser.openWizard(made);
  const { page } = opened;
  await page.getByRole("button", { name: "Stop…" }).click();
  await page.getByRole("alertdialog").waitFor();
  await looksRight(opened, "09-full-stop");
  await page.keyboard.press("Escape");
  await page.getByRole("alertdialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Stop…" }).click();
  await page.getByRole("button", { name: "Stop the move" }).click();
  await fast();
  await page.getByText("The last move was stopped").waitFor();
  await page.getByText("Both accounts still connected").waitFor();
  await looksRight(opened, "08-full-stopped");
  await slow();
  await page.getByRole("button", { name: "Start the move" }).click();
  await page.getByRole("button", { name: "Stop and undo…" }).click();
  await page.getByRole("button", { name: "Stop and undo", exact: true }).click();
  await fast();
  await page.getByRole("heading", { level: 1, name: /Undoing the move|The move is undone/ }).waitFor();
  await untilStatus(made, "migration_cleaned");
  expect((await fixture.tool.control.stats()).duplicates).toBe(0);
});
