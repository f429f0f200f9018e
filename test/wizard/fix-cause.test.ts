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
const normal = { priority: "Normal", priorityKind: "normal" };
const blocker = { priority: "Blocker", priorityKind: "urgent" };
/**
 * Of 40 tickets 30 lack a field, three have a priority that the new tool refuses, two a field that it refuses, and four
 * are of a type that it wants a field for.
 */
const orders = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => [
    `${index + 1}`,
    index % 4 === 0
      ? {
          subject: `Question ${index + 1}`,
          type: index >= 16 && index < 32 ? "incident" : "question",
          ...(index < 12 ? blocker : normal),
          customFields: index >= 32 ? { legacy: `L-${index + 1}` } : {},
        }
      : {
          subject: `Order ${index + 1}`,
          type: "order",
          ...normal,
          customFields: { order: `A-${index + 1}` },
        },
  ]),
);
const tools = createTwoTools(
  {
    counts: { ...none, users: 3, tickets: 40 },
    rows: { tickets: orders },
    customFields: [field("order", "Order number"), field("legacy", "Legacy code")],
  },
  {
    counts: { ...none, users: 3, tickets: 0 },
    customFields: [
      field("code", "Legacy code"),
      {
        ...field("region", "Region"),
        type: "choice",
        required: true,
        options: [
          { value: "r1", label: "North" },
          { value: "r2", label: "South" },
        ],
      },
    ],
    requires: {
      tickets: [
        { label: "Order number", ofType: "order", error: "missing_custom_field" },
        { label: "Region", ofType: "incident", error: "required_empty" },
      ],
    },
    refuses: {
      tickets: [
        { error: "rejected", field: "priority", value: "urgent" },
        { error: "unknown_field", label: "Legacy code" },
      ],
    },
    words: {
      priority: [
        { value: "low", label: "Low", kind: "low" },
        { value: "normal", label: "Normal", kind: "normal" },
        { value: "urgent", label: "Urgent", kind: "urgent" },
      ],
    },
  },
);
const fixture = useWizardFixture({
  runs: true,
  prepare: tools.prepare,
  env: { STAND_IN_CREATES_FIELDS: "true" },
});
const browser = useBrowser();

interface Ticket {
  readonly priority: string;
  readonly customFields: Readonly<Record<string, unknown>>;
}

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
      streams: {
        ...suggested.streams,
        tickets: { ...tickets, fields: { ...tickets?.fields, order: { as: "nothing" } } },
      },
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
  const failedIn = (streams: WizardReport["streams"]) =>
    Object.fromEntries(
      (streams.find(({ stream }) => stream === "tickets")?.failed ?? []).map(({ code, count: of }) => [
        code,
        of,
      ]),
    );
  const count = 30;
  expect(failedIn(before)).toEqual({
    missing_custom_field: count,
    rejected: 3,
    unknown_field: 2,
    required_empty: 4,
  });
  const rows = await ticketsIn();
  const opened = await browser.openWizard(made, { screen: "done" });
  const { page } = opened;
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

  /** Saves the fix: exactly these records are tried again, and what was there stays as it is. */
  const mend = async (number: number) => {
    const there = await ticketsIn();
    const { writes } = await tools.destination.control.stats();
    await panel.getByRole("button", { name: `Save and try these ${number} again` }).click();
    await page.waitForURL(/\/move$/);
    await untilStatus(made, "migration_completed");
    const stats = await tools.destination.control.stats();
    expect((stats.writes["tickets"]?.items ?? 0) - (writes["tickets"]?.items ?? 0)).toBe(number);
    expect(stats.duplicates).toBe(0);
    const now = await ticketsIn();
    expect(now.size).toBe(there.size + number);
    for (const [id, row] of there) expect(now.get(id)).toEqual(row);
    return [...now].flatMap(([id, row]) => (there.has(id) ? [] : [(row as { record: Ticket }).record]));
  };
  const fixNext = async (number: number, kind: RegExp) => {
    await page.getByRole("button", { name: `Fix it for all ${number}…` }).click();
    await panel.getByRole("radio", { name: kind }).check();
  };
  const cell = (name: RegExp) => panel.getByRole("cell", { name }).first();

  await panel.getByRole("radio", { name: /^Create a field/ }).check();
  await mend(count);
  expect(await chosen()).toEqual({ as: "create" });
  expect(failedIn(await found())).toEqual({ rejected: 3, unknown_field: 2, required_empty: 4 });

  await page.waitForURL(/\/done$/);
  const priority = async () =>
    (await made.ask<WizardMatching>("GET", "/mapping")).mapping.streams["tickets"]?.words["priority"];
  const matched = await priority();
  await fixNext(3, /^Match a value differently/);
  await panel.getByLabel("Value in Stand-in").selectOption({ label: "Priority: Blocker" });
  await panel.getByLabel("Value in Acme Desk").selectOption({ label: "Low" });
  await panel.getByText("On 3 of them, nothing saved yet").waitFor();
  await cell(/^Urgent$/).waitFor({ timeout: 15_000 });
  await cell(/^Low$/).waitFor({ timeout: 15_000 });
  await looksRight(opened, "10-done-fix-match");
  expect(await priority()).toEqual(matched);
  const blockers = await mend(3);
  expect(blockers.map((record) => record.priority)).toEqual(["low", "low", "low"]);
  expect(await priority()).toEqual({ ...matched, Blocker: { to: "low", kind: "low" } });
  expect(failedIn(await found())).toEqual({ unknown_field: 2, required_empty: 4 });

  await page.waitForURL(/\/done$/);
  await fixNext(4, /^Fill a field that Acme Desk requires/);
  await panel.getByLabel("Value for “Region”").selectOption({ label: "North" });
  await panel.getByText("On 3 of them, nothing saved yet").waitFor();
  await cell(/^North$/).waitFor({ timeout: 15_000 });
  await looksRight(opened, "10-done-fix-fill");
  const filled = await mend(4);
  expect(filled.map((record) => record.customFields["region"])).toEqual(["r1", "r1", "r1", "r1"]);
  expect(failedIn(await found())).toEqual({ unknown_field: 2 });

  await page.waitForURL(/\/done$/);
  // What is the same for all that are left is said once.
  await page.locator(".left-row").first().waitFor();
  expect(await page.locator(".left-row small").count()).toBe(0);
  expect(await page.getByText("The stand-in did not take it.").count()).toBe(1);
  await fixNext(2, /^Leave a field behind/);
  await panel.getByLabel("Field", { exact: true }).selectOption({ label: "Legacy code" });
  await panel.getByText("On 2 of them, nothing saved yet").waitFor();
  await cell(/^L-\d+$/).waitFor({ timeout: 15_000 });
  await looksRight(opened, "10-done-fix-leave");
  const left = await mend(2);
  expect(left.map((record) => record.customFields)).toEqual([{ region: "r1" }, { region: "r1" }]);
  expect((await found()).find(({ stream }) => stream === "tickets")).toMatchObject({
    written: 40,
    failed: [],
  });
});
