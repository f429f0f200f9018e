import type { WizardChoices } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { useBrowser } from "./browser.ts";
import { useWizardFixture, type WizardImportUnderTest } from "./wizard-fixture.ts";
import { looksRight } from "./looks-right.ts";
import { createSideTools } from "./side-tools.ts";

const tools = createSideTools({
  counts: { tickets: 1_243, comments: 310, contacts: 57, users: 4, articles: 0, groups: 3 },
});
const fixture = useWizardFixture({ prepare: tools.prepare });
const browser = useBrowser();

const ready = async (destination = "stand-in"): Promise<WizardImportUnderTest> => {
  const made = await fixture.newImport({
    partner: { destinationTool: destination },
    body: { source_tool: "stand-in" },
  });
  for (const side of ["source", "destination"] as const) {
    const { token } = await tools.standIn.control.newAccount();
    const settings = { instanceUrl: tools.standIn.url, token };
    await made.ask("PUT", `/connections/${side}`, { settings });
  }
  return made;
};
const choices = (made: WizardImportUnderTest) => made.ask<WizardChoices>("GET", "/choices");

test("shows the records, their counts and dependencies; saves the choice for the matching", async () => {
  const made = await ready();
  const { page, watch } = await browser.openWizard(made, { screen: "choose" });
  await page.locator(".ents .c", { hasText: "1,243" }).waitFor();
  await page.locator(".ents .c", { hasText: "Counting" }).first().waitFor({ state: "detached" });
  await looksRight({ page, watch }, "04-choose", { mayComplain: true });
  const box = (name: string) => page.getByRole("checkbox", { name, exact: true });
  expect(await box("Comments").isChecked()).toBe(true);
  await box("Tickets").uncheck();
  expect(await box("Comments").isChecked()).toBe(false);
  await box("Comments").check();
  expect(await box("Tickets").isChecked()).toBe(true);
  await box("Contacts").uncheck();
  await page.getByText(/arrive without them/).waitFor();
  await page.getByRole("radio", { name: /Pick a date/ }).check();
  await page.getByText("Choose a day in the past.").waitFor();
  await page.getByLabel("Only what changed since").fill("2025-03-04");
  await page.locator(".facts dd", { hasText: /^(about )?[\d,]+ of 1,243$/ }).waitFor();
  // Comments of tickets that stay behind stay with them.
  const amounts = await page.locator(".sum .facts.num > div").allInnerTexts();
  expect(amounts.find((line) => line.startsWith("Comments"))).toMatch(/about [\d,]+ of /);
  await page.getByText("about 20 tickets, with what belongs to them").waitFor();
  await looksRight({ page, watch }, "04-choose-changed", { mayComplain: true });
  await page.getByRole("button", { name: "Continue to matching" }).click();
  await page.waitForURL(/\/people$/);
  const { selection, revision } = await choices(made);
  expect(revision).toBe(1);
  expect(selection.streams).not.toContain("contacts");
  expect(selection.streams).toContain("tickets");
  expect(selection.changedFrom).toBe("2025-03-04T05:00:00.000Z");
  expect(await watch.violations()).toEqual([]);
  expect(watch.errors).toEqual([]);
});

test("chooses by date, status, group and tag; the counts and the list of what stays follow", async () => {
  const made = await ready();
  const { page, watch } = await browser.openWizard(made, { screen: "choose" });
  await page.locator(".ents .c", { hasText: "1,243" }).waitFor();
  const stays = page.getByRole("region", { name: "What won't move" });
  await stays.getByText("Nothing: all that we found moves.").waitFor();
  await page.getByText("Choose more precisely").click();
  const status = page.getByRole("group", { name: "Status", exact: true });
  await status.getByRole("radio", { name: "Only these" }).check();
  const go = page.getByRole("button", { name: "Continue to matching" });
  expect(await go.getAttribute("aria-disabled")).toBe("true");
  const statuses = page.getByRole("group", { name: "Status: Only these" });
  const chosen = (await statuses.getByRole("checkbox").count()) > 0;
  expect(chosen).toBe(true);
  await statuses.getByRole("checkbox").first().check();
  await page.getByLabel("Created from").fill("2015-01-01");
  await page.getByLabel("Created until").fill("2014-01-01");
  await page.getByText("The last day is before the first.").waitFor();
  await page.getByLabel("Created until").fill("");
  await page.locator(".facts dd", { hasText: /^(about )?[\d,]+ of 1,243$/ }).waitFor();
  await stays.getByText("Outside of your choice, or belongs to something that is.").first().waitFor();
  await page.getByRole("checkbox", { name: "Contacts", exact: true }).uncheck();
  await stays.getByText("You left them out.").waitFor();
  await looksRight({ page, watch }, "04-choose-precise", { mayComplain: true });
  await go.click();
  await page.waitForURL(/\/people$/);
  const { selection } = await choices(made);
  expect(selection.statuses).toMatchObject({ mode: "only", values: [expect.any(String)] });
  expect(selection.createdFrom).toBe("2015-01-01T05:00:00.000Z");
  expect(selection.createdBefore).toBeNull();
  await page.goBack();
  // What was saved is open, and can be taken back.
  await page.getByRole("group", { name: "Status: Only these" }).waitFor();
  await page
    .getByRole("group", { name: "Status", exact: true })
    .getByRole("radio", { name: "All", exact: true })
    .check();
  await go.click();
  await page.waitForURL(/\/people$/);
  expect((await choices(made)).selection.statuses).toBeNull();
  expect(await watch.violations()).toEqual([]);
  expect(watch.errors).toEqual([]);
});

test("an unchanged choice saves nothing; an empty choice can't continue, and says why", async () => {
  const made = await ready();
  const { page } = await browser.openWizard(made, { screen: "choose" });
  await page.locator(".ents .c", { hasText: "1,243" }).waitFor();
  for (const box of await page.getByRole("checkbox").all())
    if ((await box.isEnabled()) && (await box.isChecked())) await box.uncheck();
  const go = page.getByRole("button", { name: "Continue to matching" });
  expect(await go.getAttribute("aria-disabled")).toBe("true");
  await page.getByText("Choose at least one.").waitFor();
  await page.reload();
  await go.click();
  await page.waitForURL(/\/people$/);
  expect((await choices(made)).revision).toBe(0);
});

test("two people at once: the second sees both choices and picks one", async () => {
  const made = await ready();
  const first = await browser.openWizard(made, { screen: "choose" });
  const second = await browser.openWizard(made, { screen: "choose" });
  for (const { page } of [first, second]) await page.locator(".ents .c", { hasText: "1,243" }).waitFor();
  const clear = (page: typeof first.page, name: string) =>
    page.getByRole("checkbox", { name, exact: true }).uncheck();
  const next = (page: typeof first.page) =>
    page.getByRole("button", { name: "Continue to matching" }).click();
  await clear(first.page, "Contacts");
  await clear(second.page, "Comments");
  await next(first.page);
  await first.page.waitForURL(/\/people$/);
  await next(second.page);
  const { page, watch } = second;
  await page.getByRole("alert").waitFor();
  expect(await page.getByRole("alert").textContent()).toMatch(/Someone else changed this meanwhile/);
  expect(await page.getByRole("alert").textContent()).toMatch(/Different: .*Contacts/);
  await looksRight({ page, watch }, "04-choose-conflict", { mayComplain: true });
  expect((await choices(made)).selection.streams).not.toContain("contacts");
  await page.getByRole("button", { name: "Keep theirs" }).click();
  expect(await page.getByRole("checkbox", { name: "Contacts", exact: true }).isChecked()).toBe(false);
  expect(await page.getByRole("checkbox", { name: "Comments", exact: true }).isChecked()).toBe(true);
  await clear(page, "Groups");
  await next(page);
  await page.waitForURL(/\/people$/);
  const { selection, revision } = await choices(made);
  expect(revision).toBe(2);
  expect(selection.streams).not.toContain("groups");
  expect(selection.streams).not.toContain("contacts");
});

test("says which records the new tool can't hold, with their count, and disables them", async () => {
  const made = await ready();
  const { page, watch } = await browser.open();
  await page.route("**/choices", async (route) => {
    const answer = await route.fetch();
    const json = (await answer.json()) as WizardChoices;
    const streams = json.streams.map((each) =>
      each.name === "articles"
        ? { ...each, moves: "not_taken", count: 48, state: "counted", label: "<b>Macros</b>" }
        : each,
    );
    await route.fulfill({ response: answer, json: { ...json, streams } });
  });
  await page.goto(`${made.link}?screen=choose`);
  const row = page.locator(".ents li", { hasText: "<b>Macros</b>" });
  await row.waitFor();
  expect(await row.textContent()).toContain("48 found.");
  expect(await row.getByRole("checkbox").isDisabled()).toBe(true);
  await looksRight({ page, watch }, "04-choose-cannot", { mayComplain: true });
});

test("promises only what the copies of tickets and comments keep", async () => {
  const made = await ready();
  const { page } = await browser.open();
  const lacking = { backdates: false, keepsAuthor: false };
  const dropped = { createdAt: "It dates them by their arrival." };
  let isLacking = false;
  await page.route("**/choices", async (route) => {
    const answer = await route.fetch();
    const json = (await answer.json()) as WizardChoices;
    const kinds = json.kinds.map((kind) => ({ ...kind, ...(isLacking && { ...lacking, dropped }) }));
    await route.fulfill({ response: answer, json: { ...json, kinds } });
  });
  await page.goto(`${made.link}?screen=choose`);
  const said = (name: string) =>
    page.locator(".ents li", { has: page.getByRole("checkbox", { name, exact: true }) }).locator(".d");
  await said("Tickets").waitFor();
  expect(await said("Tickets").textContent()).toBe("Keeps dates, tags, and status.");
  expect(await said("Comments").textContent()).toBe(
    "Public replies and private notes, with their authors and times.",
  );
  isLacking = true;
  await page.reload();
  const loss = "It dates them by their arrival. Acme Desk doesn't keep who wrote them.";
  await said("Tickets").waitFor();
  expect(await said("Tickets").textContent()).toBe(`Keeps tags and status. ${loss}`);
  expect(await said("Comments").textContent()).toBe(`Public replies and private notes. ${loss}`);
});
