import { expect, test } from "vitest";
import { useBrowser } from "./browser.ts";
import { useWizardFixture } from "./wizard-fixture.ts";
import { looksRight } from "./looks-right.ts";
import { createTwoTools } from "./two-tools.ts";

const none = { organizations: 0, contacts: 0, groups: 0, comments: 0, attachments: 0, articles: 0 };
const people = {
  1: { name: "Alex Example", email: "alex@old.example" },
  2: { name: "Kim Example", email: null },
};
const tools = createTwoTools(
  { counts: { ...none, users: 2, tickets: 5 }, rows: { users: people } },
  {
    counts: { ...none, users: 2, tickets: 0 },
    rows: { users: { 1: { name: "Robin Sample", email: null } } },
  },
);
const fixture = useWizardFixture({ prepare: tools.prepare });
const browser = useBrowser();

test("says that it reads both tools, and how long a slow read has taken", async () => {
  const made = await tools.connected(fixture);
  await tools.source.control.setWeather({ latencyMs: 2_000 });
  const opened = await browser.openWizard(made, { screen: "people" });
  const { page } = opened;
  await page.getByText("Reading your Stand-in’s fields and people").waitFor();
  await page.getByText(/^This usually takes under a minute/).waitFor();
  await looksRight(opened, "05a-reading");
  await tools.source.control.setWeather({ latencyMs: 0 });
  await page.getByRole("heading", { name: "Anyone left over" }).waitFor();
  expect(await page.getByText("Reading your Stand-in’s fields and people").count()).toBe(0);
});

test("says what to do when a tool does not answer, and a retry continues", async () => {
  const made = await tools.connected(fixture);
  await tools.source.control.setWeather({ faults: { error: 1 } });
  const opened = await browser.openWizard(made, { screen: "fields" });
  const { page } = opened;
  const alert = page.getByRole("alert").filter({ hasText: "We couldn't read Stand-in" });
  await alert.waitFor();
  expect(await alert.textContent()).toContain("Nothing has been copied or changed.");
  expect(await alert.evaluate((element) => element === document.activeElement)).toBe(true);
  await looksRight(opened, "05b-not-read", { mayComplain: true });
  await tools.source.control.setWeather({ faults: {} });
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("As you matched it").first().waitFor();
});

test("without a connection no choice is lost, and the page saves later by itself", async () => {
  const made = await tools.connected(fixture);
  const opened = await browser.openWizard(made, { screen: "people" });
  const { page } = opened;
  await page.getByRole("heading", { name: "Anyone left over" }).waitFor();
  await page.route("**/mapping", (route) => route.abort("internetdisconnected"));
  await page.getByLabel("Keep only the name").check();
  await page.getByText(/^Not saved yet: we can't reach the server/).waitFor();
  await page.getByRole("button", { name: "Continue to fields" }).click();
  expect(await page.locator("h1").textContent()).toBe("Match your team");
  await page.unroute("**/mapping");
  await page.getByText("All changes are saved.").waitFor();
  const { mapping } = await made.ask<{ mapping: { people: { unmatched: string } } }>("GET", "/mapping");
  expect(mapping.people.unmatched).toBe("nobody");
});

test("reads both tools again on request", async () => {
  const made = await tools.connected(fixture);
  const { page } = await browser.openWizard(made, { screen: "people" });
  await page.getByRole("button", { name: "Read both again" }).waitFor();
  const { requests } = await tools.source.control.stats();
  await page.getByRole("button", { name: "Read both again" }).click();
  await expect.poll(async () => (await tools.source.control.stats()).requests).toBeGreaterThan(requests);
  await page.getByRole("heading", { name: "Anyone left over" }).waitFor();
});
