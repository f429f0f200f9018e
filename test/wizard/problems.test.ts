import { expect, test } from "vitest";
import { basic } from "../support/partners.ts";
import { useBrowser } from "./browser.ts";
import { useWizardFixture, type WizardImportUnderTest } from "./wizard-fixture.ts";
import { axe, shoot, sidewaysScroll } from "./looks.ts";

const fixture = useWizardFixture();
const browser = useBrowser();

const cancel = (made: WizardImportUnderTest) =>
  fetch(`${fixture.url}/api/v2.1/imports/${made.id}/cancel`, {
    method: "POST",
    headers: { authorization: basic(made.partnerToken) },
  });

test("a session that ended while the page was open asks to open the link again", async () => {
  const made = await fixture.newImport();
  const { page, context, watch } = await browser.openWizard(made);
  await context.clearCookies();
  await page.reload();
  expect(await page.locator("h1").textContent()).toBe("Open your link again");
  const again = await browser.openWizard(made);
  await again.context.clearCookies();
  // The page itself notices with its next request.
  await again.page.evaluate(() => {
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  });
  await again.page.getByRole("heading", { level: 1, name: "Open your link again" }).waitFor();
  expect(await axe(again.page)).toEqual([]);
  expect(await sidewaysScroll(again.page, 320)).toBe(0);
  await shoot(again.page, "12b-expired");
  expect(watch.foreign).toEqual([]);
});

test("a move that was cancelled while the page was open says where all data is now", async () => {
  const branding = { returnUrl: "https://acme.example/settings/import", helpEmail: "help@acme.example" };
  const made = await fixture.newImport({ partner: { branding } });
  const { page } = await browser.openWizard(made);
  expect((await cancel(made)).status).toBe(200);
  await page.evaluate(() => {
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  });
  await page.getByRole("heading", { level: 1, name: /^This move was canceled/ }).waitFor();
  expect(await page.title()).toBe("Canceled · Acme Desk");
  expect(await page.getByText("Redmine: unchanged.").count()).toBe(1);
  expect(await page.getByText("Acme Desk: nothing of this move is in it.").count()).toBe(1);
  expect(await page.getByText("Here: your sign-ins are erased.").count()).toBe(1);
  expect(await axe(page)).toEqual([]);
  expect(await sidewaysScroll(page, 320)).toBe(0);
  await shoot(page, "12c-canceled");
});

test("a move that was cancelled during the copy says what stays, and when the sign-ins are erased", async () => {
  const made = await fixture.newImport();
  await fixture.db.pool.query(
    "update imports set status = 'migration_in_progress', live_run = 'full', sample_copy = 'all' where id = $1",
    [made.id],
  );
  const { page } = await browser.openWizard(made);
  expect((await cancel(made)).status).toBe(200);
  await page.evaluate(() => {
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  });
  await page.getByText("Acme Desk: the copying is being stopped.").waitFor();
  await page.getByText("Here: your sign-ins are erased as soon as the copying has stopped.").waitFor();
});

test("without a connection the page says so, and recovers by itself", async () => {
  const made = await fixture.newImport();
  const { page, context } = await browser.open();
  await page.route("**/wizard/api/imports/*", (route) => route.abort("internetdisconnected"));
  await page.goto(made.link);
  await page.getByRole("heading", { level: 1, name: "We can't reach the server" }).waitFor();
  expect(await axe(page)).toEqual([]);
  await shoot(page, "12d-offline");
  await page.unroute("**/wizard/api/imports/*");
  await page.getByRole("heading", { level: 1, name: "Move from Redmine to Acme Desk" }).waitFor();
  await context.close();
});

test("reports an internal error as ours, with what support needs", async () => {
  const made = await fixture.newImport();
  const { page } = await browser.open();
  await page.route("**/wizard/api/imports/*", (route) =>
    route.fulfill({
      status: 500,
      contentType: "application/json",
      body: JSON.stringify({ error: { code: "internal", message: "x", request_id: "req-42" } }),
    }),
  );
  await page.goto(made.link);
  await page.getByRole("heading", { level: 1, name: "Something went wrong on our side" }).waitFor();
  await page.getByText("Details for support").click();
  expect(await page.getByText("req-42").count()).toBe(1);
  expect(await axe(page)).toEqual([]);
  await shoot(page, "12e-unexpected");
});

test("redirects an unknown address to the fitting screen", async () => {
  const made = await fixture.newImport();
  const { page } = await browser.openWizard(made, { screen: "done" });
  expect(new URL(page.url()).pathname).toBe(`/imports/${made.id}/start`);
});
