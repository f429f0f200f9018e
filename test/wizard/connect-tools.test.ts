import { expect, test } from "vitest";
import { useBrowser } from "./browser.ts";
import { looksRight } from "./looks-right.ts";
import { useWizardFixture } from "./wizard-fixture.ts";

const fixture = useWizardFixture();
const browser = useBrowser();

/** Each tool's own form: its labels, in order, and where the key is. */
const forms: readonly (readonly [string, string, readonly string[], RegExp])[] = [
  ["zendesk", "Zendesk", ["Zendesk address", "Your email address", "API token"], /Add API token/],
  ["freshdesk", "Freshdesk", ["Freshdesk address", "API key"], /View API key/],
  ["intercom", "Intercom", ["Intercom address", "Access token"], /Developer Hub/],
  [
    "znuny",
    "Znuny / OTRS",
    ["Znuny or OTRS address", "Agent's login", "Agent's password", "Web service", "Znuny's time zone"],
    /GenericTicketConnectorREST\.yml/,
  ],
];

test.each(forms)("the connect screen of %s", async (tool, title, labels, where) => {
  const made = await fixture.newImport({ body: { source_tool: tool } });
  const opened = await browser.openWizard(made, { screen: "connect" });
  const { page } = opened;
  expect(await page.locator("h1").textContent()).toBe(`Connect your ${title}`);
  const folded = page.locator("summary").getByText("More settings", { exact: true });
  if ((await folded.count()) > 0) await folded.click();
  for (const label of labels) await page.getByLabel(label, { exact: true }).waitFor();
  expect(await page.locator("main").textContent()).toMatch(where);
  await looksRight(opened, `02-connect-${tool}`);
});
