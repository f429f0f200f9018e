import type { WizardImport, WizardProgress } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { useBrowser } from "./browser.ts";
import { useWizardFixture, type WizardImportUnderTest } from "./wizard-fixture.ts";
import { looksRight } from "./looks-right.ts";

const counts = {
  users: 3,
  contacts: 40,
  tickets: 400,
  comments: 400,
  attachments: 0,
  articles: 0,
};
const fixture = useWizardFixture({ runs: { tool: { counts, fileBytes: 100, latencyMs: 60 } } });
const browser = useBrowser();

const shown = (made: WizardImportUnderTest) => made.ask<WizardImport>("GET", "");

test("a sign-in that expires during a move: says what happened and what to do, then continues by itself", async () => {
  const made = await fixture.newImport({ body: { start_full: true } });
  const { control, url: instanceUrl } = fixture.tool;
  const source = await control.newAccount();
  const destination = await control.newAccount();
  await made.ask("PUT", "/connections/source", { settings: { instanceUrl, token: source.token } });
  await made.ask("PUT", "/connections/destination", { settings: { instanceUrl, token: destination.token } });
  const moved = async () => (await made.ask<WizardProgress>("GET", "/progress")).progress?.done ?? 0;
  await expect.poll(moved).toBeGreaterThan(20);
  await control.revoke(source.account);
  await expect.poll(async () => (await shown(made)).run?.state).toBe("waiting");
  expect((await shown(made)).sides.source.state).toBe("expired");

  const { page, watch } = await browser.openWizard(made);
  expect(new URL(page.url()).pathname).toBe(`/imports/${made.id}/connect`);
  await page.getByRole("heading", { name: "Paused: Stand-in signed us out" }).waitFor();
  await page.getByText(/Nothing is lost/).waitFor();
  expect(await page.locator(".steps [aria-current]").innerText()).toContain("Move everything");
  await page.getByText(/% moved/).waitFor();
  await page.getByText(/We wait for 7 days/).waitFor();
  await looksRight({ page, watch }, "12a-sign-in-expired", { mayComplain: true });

  const stood = await moved();
  const key = page.getByLabel("Token", { exact: true });
  await key.fill("still-wrong");
  await page.getByRole("button", { name: "Sign in to Stand-in again" }).click();
  await page.getByRole("alert").waitFor();
  expect((await shown(made)).run?.state).toBe("waiting");

  const other = await control.newAccount();
  await key.fill(other.token);
  await page.getByRole("button", { name: "Sign in to Stand-in again" }).click();
  await page.getByText(/the copies come from/).waitFor();

  const { token } = await control.newToken(source.account);
  await key.fill(token);
  await page.getByRole("button", { name: "Sign in to Stand-in again" }).click();
  await page.waitForURL(/\/(move|done)$/);
  await control.setWeather({ latencyMs: 0 });
  await expect.poll(async () => (await shown(made)).status.code).toBe("migration_completed");
  expect(stood).toBeGreaterThan(0);
  const { items } = await made.ask<WizardProgress>("GET", "/progress");
  expect(items["tickets"]).toBe(400);
  expect(items["comments"]).toBe(400);
  expect(await watch.violations()).toEqual([]);
});
