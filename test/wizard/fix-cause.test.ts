import type { CustomField } from "@portage/connector-kit";
import type { WizardMatching, WizardReport } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { useBrowser } from "./browser.ts";
import { looksRight } from "./looks-right.ts";
import { untilStatus } from "./moves.ts";
import { createTwoTools } from "./two-tools.ts";
import { useWizardFixture } from "./wizard-fixture.ts";

const none = { organizations: 0, contacts: 0, groups: 0, comments: 0, attachments: 0, articles: 0 };
const field = (key: string, label: string): CustomField => ({
  key,
  label,
  type: "text",
  required: false,
  writable: true,
});
const orders = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => [
    `${index + 1}`,
    index % 4 === 0
      ? { subject: `Question ${index + 1}`, type: "question", customFields: {} }
      : { subject: `Order ${index + 1}`, type: "order", customFields: { order: `A-${index + 1}` } },
  ]),
);
const tools = createTwoTools(
  {
    counts: { ...none, users: 3, tickets: 40 },
    rows: { tickets: orders },
    customFields: [field("order", "Order number")],
  },
  {
    counts: { ...none, users: 3, tickets: 0 },
    customFields: [],
    requires: { tickets: { label: "Order number", ofType: "order" } },
  },
);
const fixture = useWizardFixture({
  runs: true,
  prepare: tools.prepare,
  env: { STAND_IN_CREATES_FIELDS: "true" },
});
const browser = useBrowser();

const ticketsIn = async () => {
  const rows = new Map<string, unknown>();
  for await (const row of tools.destination.control.dump("tickets")) rows.set(row.id, row);
  return rows;
};

test("a cause is mended once: shown on its records first, then exactly those are tried again", async () => {
  const made = await tools.connected(fixture);
  await made.ask("POST", "/mapping/facts");
  const matching = await made.ask<WizardMatching>("GET", "/mapping");
  const suggested = matching.suggested ?? matching.mapping;
  const tickets = suggested.streams["tickets"];
  // The customer had left the field behind.
  await made.ask("PUT", "/mapping", {
    based: 0,
    mapping: {
      ...suggested,
      streams: { ...suggested.streams, tickets: { ...tickets, fields: { order: { as: "nothing" } } } },
    },
  });
  await made.ask("POST", "/runs", { kind: "sample" });
  await untilStatus(made, "sample_completed");
  await made.ask("POST", "/ask-full");
  await untilStatus(made, "in_preparation");
  await made.ask("POST", "/runs", { kind: "full" });
  const found = async () => (await made.ask<WizardReport>("GET", "/report")).streams;
  await untilStatus(made, "migration_completed");
  const before = await found();
  const cause = before.find(({ stream }) => stream === "tickets")?.failed[0];
  expect(cause).toMatchObject({ code: "missing_custom_field" });
  const count = cause?.count ?? 0;
  expect(count).toBe(30);
  const rows = await ticketsIn();
  const opened = await browser.openWizard(made, { screen: "done" });
  const { page } = opened;
  // What is the same for all of them is said once.
  await page.locator(".left-row").first().waitFor();
  expect(await page.locator(".left-row small").count()).toBe(0);
  expect(await page.getByText("The stand-in did not take it.").count()).toBe(1);
  await page.getByRole("button", { name: `Fix it for all ${count}…` }).click();
  const panel = page.getByRole("region", { name: "Fix this for all of them" });
  await panel.getByRole("radio", { name: /^Create a field that Acme Desk lacks/ }).check();
  await panel.getByText("On 3 of them, nothing saved yet").waitFor();
  await panel
    .getByRole("cell", { name: /^A-\d+$/ })
    .first()
    .waitFor();
  await looksRight(opened, "10-done-fix-create");
  // By now nothing is saved, and nothing was written.
  expect(await ticketsIn()).toEqual(rows);
  const chosen = async () =>
    (await made.ask<WizardMatching>("GET", "/mapping")).mapping.streams["tickets"]?.fields["order"];
  expect(await chosen()).toEqual({ as: "nothing" });

  await panel.getByRole("radio", { name: /^Choose one person/ }).check();
  await panel.getByRole("combobox", { name: "Person" }).click();
  await page.getByRole("option").first().click();
  await panel.getByText("This fix changes none of these records").waitFor();
  await looksRight(opened, "10-done-fix-person");

  // While the next person's preview is not there, the one before is not shown for it.
  const { promise: gate, resolve: answer } = Promise.withResolvers<void>();
  let asked = 0;
  await page.route("**/report/fix-preview", async (route) => {
    asked += 1;
    await gate;
    await route.continue();
  });
  await panel.getByRole("combobox", { name: "Person" }).click();
  await page.getByRole("option").nth(1).click();
  await expect.poll(() => panel.getByText("This fix changes none of these records").count()).toBe(0);
  await expect.poll(() => asked).toBe(1);
  answer();
  await panel.getByText("This fix changes none of these records").waitFor();
  await page.unroute("**/report/fix-preview");

  await panel.getByRole("radio", { name: /^Create a field/ }).check();
  const { writes } = await tools.destination.control.stats();
  await panel.getByRole("button", { name: `Save and try these ${count} again` }).click();
  await page.waitForURL(/\/move$/);
  await untilStatus(made, "migration_completed");
  expect(await chosen()).toEqual({ as: "create" });
  const stats = await tools.destination.control.stats();
  expect((stats.writes["tickets"]?.items ?? 0) - (writes["tickets"]?.items ?? 0)).toBe(count);
  expect(stats.duplicates).toBe(0);
  const now = await ticketsIn();
  expect(now.size).toBe(rows.size + count);
  for (const [id, row] of rows) expect(now.get(id)).toEqual(row);
  expect((await found()).find(({ stream }) => stream === "tickets")).toMatchObject({
    written: 40,
    failed: [],
  });
});
