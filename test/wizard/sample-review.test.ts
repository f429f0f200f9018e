import type {
  WizardImport,
  WizardSample,
  WizardSampleChanges,
  WizardSampleRecords,
} from "@portage/contract/wizard";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useBrowser } from "./browser.ts";
import { useWizardFixture } from "./wizard-fixture.ts";
import { looksRight } from "./looks-right.ts";
import { someRecords, untilStatus, withSample } from "./moves.ts";

const fixture = useWizardFixture({ runs: { tool: { counts: someRecords, pageSize: 50, largeText: 2_000 } } });
const browser = useBrowser();
const title = { level: 1, name: "Your sample is ready. Take a look." } as const;

/** Replaces every text, id and address, as if a tool attacked its reader. */
const evil = `"><img src=x onerror="window.harmed=1"><script>window.harmed=1</script><svg/onload=window.harmed=1>\u202e`;

/** As a tool reports a field that it can't hold. */
const changed: WizardSampleChanges = {
  streams: [
    {
      stream: "tickets",
      label: "Tickets",
      changes: [
        {
          field: "dueAt",
          label: "Due",
          change: "cleared",
          why: "It knows no such day.",
          count: 3,
          example: { id: "12", address: "https://old.example/12" },
        },
      ],
    },
  ],
};

/** One import for all tests that only read. */
let looked: ReturnType<typeof withSample> | undefined;
const toLookAt = () => (looked ??= withSample(fixture));

const listed = (page: Page) => page.locator(".recs li");

test("each record with its state, links to both tools, and field by field; by keyboard alone", async () => {
  const made = await toLookAt();
  const opened = await browser.openWizard(made);
  const { page } = opened;
  await page.getByRole("heading", title).waitFor();
  await listed(page).first().waitFor();
  await page.getByRole("heading", { name: "Good to know" }).waitFor();
  await page.getByText("access to").waitFor();
  await page.getByText(/\d+ things?, no record is lost|No record is lost/).waitFor();
  // The page names a field, or does not mention fields.
  expect(await page.getByText(/had a field/).count()).toBe(0);
  const { counts } = await made.ask<WizardSample>("GET", "/sample");
  const tickets = counts
    .filter(({ stream }) => stream === "tickets")
    .reduce((sum, { records }) => sum + records, 0);
  expect(await listed(page).count()).toBe(tickets);
  await page.getByText(/\d+ of \d+ tickets are in Acme Desk\./).waitFor();
  await looksRight(opened, "07-sample-review");

  const { origin } = new URL(fixture.tool.url);
  const links = await page.locator("main a[target=_blank]").evaluateAll((all) =>
    all.map((link) => ({
      origin: new URL((link as HTMLAnchorElement).href).origin,
      rel: (link as HTMLAnchorElement).rel,
    })),
  );
  expect(links.length).toBeGreaterThan(tickets);
  expect(links.filter((link) => link.origin !== origin || !link.rel.includes("noopener"))).toEqual([]);

  const second = listed(page).nth(1).getByRole("button");
  const named = await second.locator("bdi").textContent();
  await second.focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction((text) => document.querySelector("#compared h2")?.textContent === text, named);
  expect(await second.getAttribute("aria-pressed")).toBe("true");
  expect(await page.locator("table.cmp tbody tr").count()).toBeGreaterThan(4);
  await page.getByRole("combobox", { name: "Kind of record" }).selectOption("comments");
  await page.getByRole("heading", { name: /sample comments$/ }).waitFor();
});

test("a record's text stays text: no script runs, no element is created, no link leads elsewhere", async () => {
  const made = await toLookAt();
  const { page, context, watch } = await browser.openWizard(made);
  await page.getByRole("heading", title).waitFor();
  const poison = (value: unknown, key = ""): unknown => {
    if (Array.isArray(value)) return value.map((each) => poison(each, key));
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, poison(each, name)]));
    if (/url$|address/i.test(key)) return `javascript:window.harmed=1//${evil}`;
    return typeof value === "string" &&
      !["state", "change", "why", "stream", "next", "kind", "field"].includes(key)
      ? `${value}${evil}`
      : value;
  };
  await context.route(/\/(sample|sample\/records|sample\/changes|warnings)(\?|$)/, async (route) => {
    const answer = await route.fetch();
    const answered: unknown = route.request().url().endsWith("/sample/changes")
      ? changed
      : await answer.json();
    const body = poison(answered) as object;
    await route.fulfill({ response: answer, json: body });
  });
  await page.reload();
  await listed(page).first().waitFor();
  await page.getByText("onerror").first().waitFor();
  const known = page.getByRole("list", { name: "Good to know" });
  await known.getByText(/^Due.*was left empty$/).waitFor();
  expect(await known.innerText()).toMatch(/3 ticket[\s\S]*It knows no such day\. For example #12/);
  await page.locator("table.cmp").waitFor();
  const found = await page.evaluate(() => ({
    harmed: (window as unknown as { harmed?: number }).harmed ?? 0,
    made: document.querySelectorAll("main img[src=x], main script, main [onerror], main [onload]").length,
    links: [...document.querySelectorAll("main a[href]")].filter(
      (link) => !/^https?:|^\//.test(link.getAttribute("href") ?? ""),
    ).length,
  }));
  expect(found).toEqual({ harmed: 0, made: 0, links: 0 });
  expect(await watch.violations()).toEqual([]);
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  ).toBe(0);
});

test("shows the stand-in's own hostile records unchanged", async () => {
  const made = await toLookAt();
  const { records } = await made.ask<WizardSampleRecords>("GET", "/sample/records?stream=tickets&limit=200");
  const odd = records.find((record) => record.title?.includes("<script>"));
  const { page } = await browser.openWizard(made);
  await listed(page).first().waitFor();
  expect(await page.locator("main script").count()).toBe(0);
  if (odd)
    await page
      .getByText(odd.title ?? "", { exact: true })
      .first()
      .waitFor();
});

test("a record by its address: plain error messages beside the field, then it is in the next sample", async () => {
  const made = await withSample(fixture);
  const opened = await browser.openWizard(made);
  const { page } = opened;
  const field = page.getByRole("textbox", { name: /^Its address in / });
  const add = page.getByRole("button", { name: "Add to the sample" });
  await add.click();
  await page.getByText("Paste the address of a record").waitFor();
  expect(await field.evaluate((box) => box === document.activeElement)).toBe(true);
  await field.fill("https://elsewhere.example/tickets/1");
  await add.click();
  await page.getByText("This is not the address of a record in the old tool that is connected.").waitFor();
  expect(await field.inputValue()).toBe("https://elsewhere.example/tickets/1");
  await field.fill(`${fixture.tool.url}/show/tickets/999999`);
  await add.click();
  await page.getByText("There is no such record").waitFor();
  await looksRight(opened, "07-sample-add-error", { mayComplain: true });
  const { records } = await made.ask<WizardSampleRecords>("GET", "/sample/records?stream=tickets&limit=200");
  const taken = new Set(records.map(({ id }) => id));
  const free = Array.from({ length: 60 }, (_, index) => String(index + 1)).find((id) => !taken.has(id));
  expect(free).toBeDefined();
  await field.fill(`${fixture.tool.url}/show/tickets/${free}`);
  await field.press("Enter");
  await page.getByText(`Added: record ${free}.`).waitFor();
  await page.getByRole("button", { name: "Run the sample again with it" }).click();
  await page.getByRole("heading", { level: 1, name: "Ready to run the sample again" }).waitFor();
  await page.getByText("And the 1 record that you added.").waitFor();
  await looksRight(opened, "06-sample-again", { mayComplain: true });
  await page.getByRole("link", { name: "Look at the last sample" }).click();
  await page.getByRole("link", { name: "Run the sample again" }).click();
  await page.getByRole("button", { name: "Run the sample again" }).click();
  await page.getByRole("heading", title).waitFor();
  const { records: after } = await made.ask<WizardSampleRecords>(
    "GET",
    "/sample/records?stream=tickets&limit=200",
  );
  expect(after.find(({ id }) => id === free)).toMatchObject({ why: "added", state: "written" });
  expect((await fixture.tool.control.stats()).duplicates).toBe(0);
});

test("a problem links to its matching, and the sample can run again", async () => {
  const made = await withSample(fixture);
  const { page } = await browser.openWizard(made);
  await page
    .getByRole("button", { name: /^This is wrong ?: Status$/ })
    .first()
    .click();
  await page.waitForURL(/\/fields#tickets\.status$/);
  expect((await made.ask<WizardImport>("GET", "")).status.code).toBe("waiting_for_sample");
  const other = await withSample(fixture);
  const again = await browser.openWizard(other);
  await again.page.getByRole("button", { name: "Change matching and run again" }).click();
  await again.page.waitForURL(/\/people$/);
  expect((await other.ask<WizardImport>("GET", "")).status.code).toBe("waiting_for_sample");
});

test("a customer who returns to the matching starts a new sample from there", async () => {
  const made = await withSample(fixture);
  const { page } = await browser.openWizard(made, { screen: "fields" });
  await page.getByRole("button", { name: "Run the sample again" }).click();
  await page.waitForURL(/\/(sample|review)$/);
  await page.getByRole("heading", title).waitFor();
  const { rows } = await fixture.db.pool.query("select from runs where import_id = $1", [made.id]);
  expect(rows).toHaveLength(2);
});

test("looks good: continues to the full move; undo: asks first, then removes everything", async () => {
  const made = await withSample(fixture);
  const opened = await browser.openWizard(made);
  const { page } = opened;
  await page.getByRole("link", { name: "Looks good, continue" }).click();
  await page.waitForURL(/\/full$/);
  await page.goBack();
  await page.getByRole("button", { name: "Undo the sample…" }).click();
  await page.getByRole("alertdialog").waitFor();
  await looksRight(opened, "07-sample-undo");
  await page.keyboard.press("Escape");
  expect((await made.ask<WizardImport>("GET", "")).status.code).toBe("sample_completed");
  await page.getByRole("button", { name: "Undo the sample…" }).click();
  await page.getByRole("button", { name: "Undo the sample", exact: true }).click();
  await page.waitForURL(/\/undo$/);
  await untilStatus(made, "migration_cleaned");
});
