import type { CustomField } from "@portage/connector-kit";
import type { WizardMatching } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { useBrowser } from "./browser.ts";
import { byKeyboard } from "./by-keyboard.ts";
import { looksRight } from "./looks-right.ts";
import { untilStatus } from "./moves.ts";
import { createTwoTools } from "./two-tools.ts";
import { useWizardFixture } from "./wizard-fixture.ts";

const none = { organizations: 0, contacts: 0, groups: 0, comments: 0, attachments: 0, articles: 0 };
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
  customFields: { order: "A-1042", model: "city 3", cost: 12, helper: "2" },
};
const tools = createTwoTools(
  {
    counts: { ...none, users: 3, tickets: 12 },
    rows: { tickets: { 1: ticket } },
    customFields: [
      field("order", "Order number", "text"),
      field("model", "Bike model", "choice", ["City 3", "Tour 1"]),
      field("cost", "Internal cost", "number"),
      field("helper", "Helped by", "person"),
    ],
  },
  { counts: { ...none, users: 3, tickets: 0 }, customFields: [field("ref", "Order number", "text")] },
);
const fixture = useWizardFixture({
  runs: true,
  prepare: tools.prepare,
  env: { STAND_IN_CREATES_FIELDS: "true" },
});
const browser = useBrowser();

const fieldsThere = async () => {
  const { url, account, control } = tools.destination;
  const { token } = await control.newToken(account);
  const answer = await fetch(`${url}/fields/tickets`, { headers: { authorization: `Bearer ${token}` } });
  return ((await answer.json()) as readonly CustomField[]).map(({ label }) => label);
};

test("a missing field is created before the sample, is in the report, and goes with the undo", async () => {
  const made = await tools.connected(fixture);
  const opened = await browser.openWizard(made, { screen: "fields" });
  const { page } = opened;
  const card = page.getByRole("region", { name: "Tickets: custom fields" });
  const row = (label: string) =>
    card.locator("ul.maps > li").filter({ has: page.locator("b").filter({ hasText: label }) });
  await row("Bike model").waitFor();
  expect(await row("Order number").textContent()).toContain("Exact match");
  expect(await row("Bike model").textContent()).toContain("New field");
  expect(await row("Bike model").textContent()).toContain("We create it before the sample");
  // A kind of field that the tool can't get is not offered, and the tool's words say why.
  expect(await row("Helped by").textContent()).toContain("The stand-in has no fields for people.");
  const optionsFor = (label: string) =>
    card.getByLabel(`Acme Desk field for ${label}`).locator("option").allTextContents();
  expect(await optionsFor("Helped by")).not.toContain("Create the field “Helped by” in Acme Desk");
  expect(await optionsFor("Internal cost")).toContain("Create the field “Internal cost” in Acme Desk");
  await looksRight(opened, "05b-fields-create");

  // By keyboard: the next entry of the list, and back.
  const picker = card.getByLabel("Acme Desk field for Internal cost");
  await byKeyboard(page).press(picker, "ArrowDown");
  await page.getByText("All changes are saved.").waitFor();
  const choice = async () =>
    (await made.ask<WizardMatching>("GET", "/mapping")).mapping.streams["tickets"]?.fields["cost"];
  expect(await choice()).toEqual({ as: "note" });
  await picker.press("ArrowUp");
  await expect.poll(choice).toEqual({ as: "create" });

  await made.ask("POST", "/runs", { kind: "sample" });
  await untilStatus(made, "sample_completed");
  const created = await fieldsThere();
  expect(created).toEqual(expect.arrayContaining(["Order number", "Bike model", "Internal cost"]));
  expect(created).not.toContain("Helped by");
  await made.ask("POST", "/ask-full");
  await untilStatus(made, "in_preparation");
  await made.ask("POST", "/runs", { kind: "full" });
  await untilStatus(made, "migration_completed");
  expect(await fieldsThere()).toEqual(created);

  const done = await browser.openWizard(made, { screen: "done" });
  const list = done.page.getByRole("list", { name: "New fields in Acme Desk" });
  await list.waitFor();
  expect(await list.textContent()).toContain("We created “Bike model”");
  await looksRight(done, "10-done-created");

  await done.page.goto(done.page.url().replace(/done$/, "undo"));
  await done.page.getByText("Will be removed from Acme Desk").waitFor();
  await done.page.getByText(/^The fields that we created: .*“Bike model”/).waitFor();
  await looksRight(done, "11a-undo-fields");
  await done.page.getByRole("checkbox").check();
  await done.page.getByRole("button", { name: "Undo the move" }).click();
  await done.page.getByText(/^The \d+ fields that we had created are removed$/).waitFor();
  await looksRight(done, "11c-undo-fields");
  expect(await fieldsThere()).toEqual(["Order number"]);
});
