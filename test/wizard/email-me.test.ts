import { expect, test } from "vitest";
import { useBrowser } from "./browser.ts";
import { useWizardFixture, type WizardImportUnderTest } from "./wizard-fixture.ts";
import { axe, axeDark, shoot, sidewaysScroll, sidewaysScrollAt200Percent } from "./looks.ts";

const fixture = useWizardFixture({
  env: { SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "moves@portage.example" },
});
const browser = useBrowser();

const moving = async (): Promise<WizardImportUnderTest> => {
  const made = await fixture.newImport();
  await fixture.db.pool.query(
    "update imports set status = 'migration_in_progress', live_run = 'full' where id = $1",
    [made.id],
  );
  return made;
};
const notices = async (made: WizardImportUnderTest) =>
  (await made.ask<{ notices: unknown }>("GET", "")).notices;

test("email by keyboard alone: a wrong address, a right one, another one, stopped", async () => {
  const made = await moving();
  const { page, watch } = await browser.openWizard(made, { screen: "move" });
  const ask = page.getByRole("button", { name: "Email me when it is done" });
  await ask.focus();
  await page.keyboard.press("Enter");
  const field = page.getByLabel("Your email address");
  await field.waitFor();
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.type("<b>jo</b>");
  await page.keyboard.press("Enter");
  await page.getByText("Enter an email address such as").waitFor();
  expect(await field.getAttribute("aria-invalid")).toBe("true");
  expect(await axe(page)).toEqual([]);
  await shoot(page, "08b-email-wrong");
  await field.fill("alice.customer@example.com");
  await page.keyboard.press("Enter");
  await page.getByText("We email a…@example.com when it is done").waitFor();
  expect(await notices(made)).toEqual({ email: "a…@example.com" });
  expect(await page.content()).not.toContain("alice");
  const change = page.getByRole("button", { name: "Change the address" });
  expect(await change.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await axe(page)).toEqual([]);
  expect(await axeDark(page)).toEqual([]);
  expect(await sidewaysScroll(page, 320)).toBe(0);
  expect(await sidewaysScrollAt200Percent(page)).toBe(0);
  await shoot(page, "08b-email-set");
  await change.press("Enter");
  await page.getByLabel("Your email address").fill("bob@example.org");
  await page.keyboard.press("Enter");
  await page.getByText("We email b…@example.org").waitFor();
  await page.getByRole("button", { name: "Stop the emails" }).press("Enter");
  await ask.waitFor();
  expect(await notices(made)).toEqual({ email: null });
  expect(watch.foreign).toEqual([]);
  expect(await watch.violations()).toEqual([]);
});

test.each([
  [
    "the sample is copied",
    "Email me when the sample is ready",
    "status = 'sample_in_progress', live_run = 'sample'",
  ],
  [
    "the partner decides",
    "Email me when Acme Desk has answered",
    "status = 'sample_completed', sample_copy = 'all', asked = true",
  ],
])("offers it while %s", async (_, name, change) => {
  const made = await fixture.newImport({ partner: { payer: "partner_decides" } });
  await fixture.db.pool.query(`update imports set ${change} where id = $1`, [made.id]);
  const { page } = await browser.openWizard(made);
  await page.getByRole("button", { name }).click();
  await page.getByLabel("Your email address").fill("alice.customer@example.com");
  await page.getByRole("button", { name: "Email me", exact: true }).click();
  await page.getByText("We email a…@example.com when").waitFor();
  expect(await notices(made)).toEqual({ email: "a…@example.com" });
  expect(await axe(page)).toEqual([]);
  expect(await sidewaysScroll(page, 320)).toBe(0);
});
