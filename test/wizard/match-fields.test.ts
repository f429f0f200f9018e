import type { CustomField } from "@portage/connector-kit";
import type { WizardImport, WizardMatching } from "@portage/contract/wizard";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useBrowser } from "./browser.ts";
import { useWizardFixture, type WizardImportUnderTest } from "./wizard-fixture.ts";
import { looksRight } from "./looks-right.ts";
import { createTwoTools } from "./two-tools.ts";

const none = { organizations: 0, contacts: 0, groups: 0, comments: 0, attachments: 0, articles: 0 };
const hostile = '<script>document.title="owned"</script>';
const field = (key: string, label: string, type: CustomField["type"], options?: readonly string[]) => ({
  key,
  label,
  type,
  required: false,
  writable: true,
  ...(options && { options: options.map((value) => ({ value: value.toLowerCase(), label: value })) }),
});
const ticket = {
  subject: "Brake lever feels loose after service",
  status: "Pending",
  statusKind: "pending",
  priority: "Normal",
  priorityKind: "normal",
  customFields: { order: "A-1042", store: "harbor", model: "city 3", cost: 12, note: hostile },
};
const tools = createTwoTools(
  {
    counts: { ...none, users: 3, tickets: 12 },
    rows: { tickets: { 1: ticket, 2: { subject: hostile } } },
    customFields: [
      field("order", "Order number", "text"),
      field("store", "Store", "choice", ["Harbor", "Hill", "Park"]),
      field("model", "Bike model", "choice", ["City 3", "Tour 1"]),
      field("cost", "Internal cost", "number"),
      field("note", hostile, "text"),
    ],
  },
  {
    counts: { ...none, users: 3, tickets: 0 },
    customFields: [
      field("ref", "Order number", "text"),
      field("a", "Store place", "choice", ["Harbor", "Hill"]),
      field("b", "Place store", "choice", ["Harbor", "Hill"]),
      field("product", "Model of bike", "choice", ["City 3", "Tour 2"]),
    ],
    words: {
      status: [
        { value: "new", label: "New", kind: "new" },
        { value: "open", label: "Open", kind: "open" },
        { value: "waiting", label: "Waiting on customer", kind: "pending" },
        { value: "closed", label: "Closed", kind: "closed" },
      ],
      priority: [
        { value: "low", label: "Low", kind: "low" },
        { value: "medium", label: "Medium", kind: "normal" },
        { value: "critical", label: "Critical", kind: "urgent" },
      ],
    },
  },
);
const fixture = useWizardFixture({ prepare: tools.prepare });
const browser = useBrowser();

const streamOf = async (made: WizardImportUnderTest) =>
  (await made.ask<WizardMatching>("GET", "/mapping")).mapping.streams["tickets"];
const saved = (page: Page) => page.getByText("All changes are saved.").waitFor();
const card = (page: Page, name: string | RegExp) => page.getByRole("region", { name });
const arrived = (page: Page) => page.getByText("As you matched it").first().waitFor();

test("each field shows its confidence; fields that need a decision come first, with an example record", async () => {
  const made = await tools.connected(fixture);
  const opened = await browser.openWizard(made, { screen: "fields" });
  const { page } = opened;
  await arrived(page);
  const fields = card(page, "Tickets: custom fields");
  const rows = fields.locator("ul.maps > li");
  const row = (label: string) => rows.filter({ has: page.locator("b").filter({ hasText: label }) });
  expect(await rows.first().locator("b").textContent()).toBe("Store");
  expect(await rows.first().textContent()).toContain("Please choose");
  expect(await row("Order number").textContent()).toContain("Exact match");
  expect(await row("Bike model").textContent()).toContain("Likely match");
  expect(await row("Internal cost").textContent()).toContain("Kept as a note");
  expect(await row("Order number").textContent()).toContain("A-1042");
  expect(await row(hostile).locator("b").textContent()).toBe(hostile);
  const preview = card(page, "Preview");
  await preview.getByText("Waiting on customer").or(preview.getByText("waiting")).first().waitFor();
  await looksRight(opened, "05b-fields");

  await page.getByLabel("Acme Desk field for Store").first().selectOption({ label: "Store place" });
  await saved(page);
  expect((await streamOf(made))?.fields["store"]).toMatchObject({ as: "field", to: "a" });
  expect(await rows.first().textContent()).toContain("You chose this");
  await preview.getByText("Now in “Store place”.").waitFor();
  // The value that the new tool does not have.
  await rows.first().getByText("One of 3 values has no counterpart.").click();
  await page.getByLabel("In Acme Desk, “Park” becomes").first().selectOption("hill");
  await saved(page);
  expect((await streamOf(made))?.fields["store"]).toMatchObject({ options: { park: "hill" } });

  await page.getByLabel("Acme Desk field for Internal cost").first().selectOption("nothing");
  await saved(page);
  expect((await streamOf(made))?.fields["cost"]).toEqual({ as: "nothing" });
  await page.getByLabel("Status “Pending” becomes").first().selectOption("open");
  await saved(page);
  expect((await streamOf(made))?.words["status"]?.["Pending"]).toEqual({ to: "open", kind: "open" });
  await looksRight(opened, "05b-fields-chosen");
  expect(await page.title()).toBe("Match your fields · Acme Desk");
});

test("choosing a taken field moves the assignment, and no field has two sources", async () => {
  const made = await tools.connected(fixture);
  const { page } = await browser.openWizard(made, { screen: "fields" });
  await arrived(page);
  await page
    .getByLabel("Acme Desk field for Internal cost")
    .first()
    .selectOption({ label: "Order number (now filled from “Order number”)" });
  await saved(page);
  expect((await streamOf(made))?.fields).toMatchObject({
    cost: { as: "field", to: "ref" },
    order: { as: "note" },
  });
});

test("one record in full, another one, and one by its address", async () => {
  const made = await tools.connected(fixture);
  const opened = await browser.openWizard(made, { screen: "preview" });
  const { page } = opened;
  await page
    .getByRole("cell", { name: /Brake lever feels loose/ })
    .first()
    .waitFor();
  const table = page.getByRole("table");
  expect(await table.textContent()).toContain("Now in “Model of bike”.");
  await looksRight(opened, "05c-preview");
  await page.getByRole("button", { name: "Next record" }).click();
  await page
    .getByRole("row", { name: /^Subject/ })
    .filter({ hasText: hostile })
    .waitFor();
  await page.getByLabel("Look at another record").fill(`${tools.source.url}/show/tickets/1`);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Tickets 1" }).waitFor();
  // An unreachable tool is no fault of the address: the customer can retry.
  await tools.source.control.setWeather({ faults: { error: 1 } });
  await page.getByLabel("Look at another record").fill(`${tools.source.url}/show/tickets/2`);
  await page.keyboard.press("Enter");
  await page.getByText("The preview can't be shown now.").waitFor();
  await tools.source.control.setWeather({ faults: {} });
  await page.getByRole("button", { name: "Show it" }).click();
  await page.getByRole("heading", { name: "Tickets 2" }).waitFor();
  await page.getByLabel("Look at another record").fill("https://elsewhere.example/tickets/1");
  await page.keyboard.press("Enter");
  await page.getByText("This isn't the address of a record in your Stand-in.").waitFor();
  await looksRight(opened, "05c-preview-address", { mayComplain: true });
  expect(await page.title()).toBe("Check one record · Acme Desk");
  expect((await tools.destination.control.stats()).written).toBe(0);
});

test("the sample starts with the saved matching", async () => {
  const made = await tools.connected(fixture);
  const { page } = await browser.openWizard(made, { screen: "fields" });
  await arrived(page);
  await page.getByRole("button", { name: "Run the free sample" }).click();
  await page.waitForURL(`**/imports/${made.id}/sample`);
  expect((await made.ask<WizardMatching>("GET", "/mapping")).revision).toBe(1);
  expect((await made.ask<WizardImport>("GET", "")).status.code).toBe("sample_in_progress");
});
