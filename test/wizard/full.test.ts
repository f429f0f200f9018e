import type { WizardPreflight, WizardSchedule } from "@portage/contract/wizard";
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { basic } from "../support/partners.ts";
import { useBrowser } from "./browser.ts";
import { useWizardFixture, type WizardImportUnderTest } from "./wizard-fixture.ts";
import { looksRight } from "./looks-right.ts";
import { someRecords, untilStatus, withSample } from "./moves.ts";

const fixture = useWizardFixture({
  runs: { tool: { counts: someRecords, hostile: true, largeText: 2_000 } },
});
const browser = useBrowser();

const decide = async ({ id, partnerToken }: WizardImportUnderTest, what: "accept" | "reject") => {
  const answer = await fetch(`${fixture.url}/api/v2.1/imports/${id}/payment/${what}`, {
    method: "POST",
    headers: { authorization: basic(partnerToken) },
  });
  expect(answer.status).toBe(200);
};

type Opened = Awaited<ReturnType<typeof browser.openWizard>>;

test("sponsored: checks, the estimate, and the start; two people can't start it twice", async () => {
  const made = await withSample(fixture);
  const one = await browser.openWizard(made, { screen: "full" });
  const other = await browser.openWizard(made, { screen: "full" });
  const { page } = one;
  await page.getByRole("heading", { name: "Ready to move everything" }).waitFor();
  await page.getByText("Both accounts still connected").waitFor();
  expect(await page.getByText("Acme Desk pays for this move").count()).toBe(1);
  expect(await page.getByText("Customer emails are held back").count()).toBe(1);
  await looksRight(one, "08a-full-sponsored");
  await other.page.getByText("Both accounts still connected").waitFor();
  // By keyboard, and both at the same moment.
  const press = async ({ page: at }: Opened) => {
    await at.getByRole("button", { name: "Start the move" }).focus();
    await at.keyboard.press("Enter");
  };
  await Promise.all([press(one), press(other)]);
  for (const each of [one, other]) {
    await each.page.waitForURL(/\/(move|done)$/);
    await each.page.getByRole("heading", { level: 1, name: /Moving to|Your data is in/ }).waitFor();
  }
  const { rows } = await fixture.db.pool.query<{ n: number }>(
    "select count(*)::int as n from runs where import_id = $1 and kind = 'full'",
    [made.id],
  );
  expect(rows[0]?.n).toBeLessThanOrEqual(1);
  await untilStatus(made, "migration_completed");
});

test("a start is planned, shown in its time zone, changed and cancelled; a missed one says why", async () => {
  const made = await withSample(fixture);
  const opened = await browser.openWizard(made, { screen: "full" });
  const { page } = opened;
  // As for a tool with a limit on requests: that of these tests has none, so that its moves take no time.
  await page.route("**/preflight", async (route) => {
    const response = await route.fetch();
    const json = (await response.json()) as WizardPreflight;
    const estimate = json.estimate && { ...json.estimate, durationMs: 50 * 3_600_000 };
    await route.fulfill({ response, json: { ...json, estimate } });
  });
  await page.reload();
  await page.getByText("Both accounts still connected").waitFor();
  const plan = page.getByRole("region", { name: "A later start" });
  // By keyboard.
  await plan.getByRole("button", { name: "Start it later" }).focus();
  await page.keyboard.press("Enter");
  // The focus goes with each step: no keyboard is left at the top of the page.
  const isFocused = async (place: Locator) => {
    await expect.poll(() => place.evaluate((element) => element === document.activeElement)).toBe(true);
  };
  await isFocused(plan.getByRole("radio", { name: /Tonight/ }));
  expect(await plan.getByRole("radio", { name: /Tonight/ }).isChecked()).toBe(true);
  await plan.getByRole("radio", { name: /On the weekend/ }).focus();
  await page.keyboard.press("Space");
  const zone = plan.getByLabel("Time zone");
  expect(await zone.inputValue()).toBe("America/New_York");
  await plan.getByText(/^It takes about 50 h and ends around Monday, .*: after the weekend\.$/).waitFor();
  await zone.fill("UTC");
  await page.getByRole("option", { name: "UTC", exact: true }).waitFor();
  await zone.fill("Europe/Berl");
  await page.getByRole("option", { name: "Europe/Berlin" }).click();
  await looksRight(opened, "08a-full-plan");
  await plan.getByRole("button", { name: "Plan the start" }).click();
  await plan.getByText(/^Starts on Saturday, .* at 8:00 AM \(Europe\/Berlin\)$/).waitFor();
  await isFocused(plan.getByRole("button", { name: "Change the time" }));
  await looksRight(opened, "08a-full-planned");
  const { schedule } = await made.ask<WizardSchedule>("GET", "/schedule");
  expect(schedule).toMatchObject({ state: "planned", timeZone: "Europe/Berlin" });
  await page.reload();
  await plan.getByText(/^Starts on Saturday/).waitFor();
  await plan.getByRole("button", { name: "Change the time" }).click();
  await isFocused(plan.getByRole("radio", { name: "At another time" }));
  await plan.getByRole("button", { name: "Back" }).click();
  await isFocused(plan.getByRole("button", { name: "Change the time" }));
  await plan.getByRole("button", { name: "Change the time" }).click();
  await plan.getByRole("radio", { name: "At another time" }).check();
  await plan.getByLabel("Day and time").fill("2020-01-01T08:00");
  await plan.getByText("Choose a time within the next 14 days.").first().waitFor();
  await plan.getByRole("radio", { name: /Tonight/ }).check();
  await plan.getByRole("button", { name: "Plan the start" }).click();
  await plan.getByText(/^Starts on .* at 10:00 PM \(Europe\/Berlin\)$/).waitFor();
  await fixture.db.pool.query(
    "update scheduled_starts set state = 'missed', missed_because = 'source_sign_in' where import_id = $1",
    [made.id],
  );
  await page.reload();
  await plan.getByText(/^It didn't start on /).waitFor();
  await plan.getByText(/A sign-in had expired/).waitFor();
  await looksRight(opened, "08a-full-missed");
  await plan.getByRole("button", { name: "Dismiss" }).click();
  await isFocused(plan.getByRole("button", { name: "Start it later" }));
  expect((await made.ask<WizardSchedule>("GET", "/schedule")).schedule).toBeNull();
});

test("the partner decides: asked, waiting, and the page shows a yes by itself", async () => {
  const made = await withSample(fixture, { partner: { payer: "partner_decides" } });
  const opened = await browser.openWizard(made, { screen: "full" });
  const { page } = opened;
  await page.getByText("Both accounts still connected").waitFor();
  await looksRight(opened, "08-full-ask");
  await page.getByRole("button", { name: "Ask Acme Desk to pay" }).click();
  await page.getByRole("heading", { level: 1, name: "Waiting for Acme Desk" }).waitFor();
  await looksRight(opened, "08b-full-waiting");
  await decide(made, "accept");
  await page.getByRole("button", { name: "Start the move" }).waitFor();
  expect(await page.title()).toBe("Move everything · Acme Desk");
});

test("the partner decides: after a no without prices the page offers no payment, and always a next step", async () => {
  const made = await withSample(fixture, { partner: { payer: "partner_decides" } });
  await made.ask("POST", "/ask-full");
  const opened = await browser.openWizard(made, { screen: "full" });
  const { page } = opened;
  await page.getByRole("heading", { level: 1, name: "Waiting for Acme Desk" }).waitFor();
  await decide(made, "reject");
  await page.getByText("Acme Desk declined").waitFor();
  expect(await page.getByRole("button", { name: "Start the move" }).count()).toBe(0);
  await page.getByText("Both accounts still connected").waitFor();
  await page.getByText("There is no way to pay for the move on this page.").waitFor();
  expect(await page.getByText("pay for it yourself").count()).toBe(0);
  await page.getByText("Ask the person who gave you the link to this page how to go on.").waitFor();
  await looksRight(opened, "08c-full-declined");
  await decide(made, "accept");
  await page.getByRole("button", { name: "Start the move" }).waitFor();
});

test("after a no, the page links to the partner's help and application", async () => {
  const branding = { helpUrl: "https://help.acme.example/", returnUrl: "https://desk.acme.example/" };
  const made = await withSample(fixture, { partner: { payer: "partner_decides", branding } });
  await made.ask("POST", "/ask-full");
  await decide(made, "reject");
  const { page } = await browser.openWizard(made, { screen: "full" });
  const link = (name: string) => page.getByRole("link", { name }).getAttribute("href");
  expect(await link("Ask Acme Desk how to go on")).toBe(branding.helpUrl);
  expect(await link("Go to Acme Desk")).toBe(branding.returnUrl);
});

test("shows blockers first, with the fix, and prevents the start", async () => {
  const made = await withSample(fixture);
  const { rows } = await fixture.db.pool.query<{ account: string }>(
    "select account_id as account from connections where import_id = $1 and side = 'source'",
    [made.id],
  );
  expect(rows).toHaveLength(1);
  await fixture.tool.control.expire(fixture.tool.account);
  const opened = await browser.openWizard(made, { screen: "full" });
  const { page } = opened;
  await page.getByText("1 to fix").waitFor();
  expect(await page.getByRole("button", { name: "Start the move" }).getAttribute("aria-disabled")).toBe(
    "true",
  );
  for (const unchecked of [
    "Both accounts still connected",
    "All of it can be undone",
    "emails are held back",
  ])
    expect(await page.getByText(unchecked).count()).toBe(0);
  await looksRight(opened, "08-full-blocked");
});
