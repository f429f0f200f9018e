import type { WizardMatching } from "@portage/contract/wizard";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useBrowser } from "./browser.ts";
import { useWizardFixture, type WizardImportUnderTest } from "./wizard-fixture.ts";
import { looksRight } from "./looks-right.ts";
import { createTwoTools } from "./two-tools.ts";

const none = { organizations: 0, contacts: 0, groups: 0, comments: 0, attachments: 0, articles: 0 };
const hostile = '<img src=x onerror="document.title=1">Robin & Sample</b>';
const firsts = ["Alex", "Kim", "Sam", "Chris", "Dana", "Eli", "Fran", "Gray", "Jess", "Kai", "Lee", "Max"];
const person = (name: string, email: string) => ({ name, email, active: true });
const both = firsts.map((first) => person(`${first} Example`, `${first.toLowerCase()}@acme.example`));
const here = [
  ...both,
  person("Robin Sample", "robin@old.example"),
  person("Helpdesk", "help@old.example"),
  person("Jamie Example", "jamie@old.example"),
  person(hostile, "hostile@old.example"),
  person("Noor Example", "noor@old.example"),
];
const there = [
  ...both,
  person("Robin Sample", "robin.sample@acme.example"),
  person("Helpdesk", "inbox@acme.example"),
  person("Support inbox", "support@acme.example"),
];
const rowsOf = (people: readonly object[]) => ({
  users: Object.fromEntries(people.map((each, index) => [String(index + 1), each])),
});
const tools = createTwoTools(
  { counts: { ...none, users: here.length, tickets: 12 }, rows: rowsOf(here) },
  { counts: { ...none, users: there.length, tickets: 0 }, rows: rowsOf(there) },
);
const fixture = useWizardFixture({ prepare: tools.prepare });
const browser = useBrowser();

const decided = (made: WizardImportUnderTest) => made.ask<WizardMatching>("GET", "/mapping");
const peopleOf = async (made: WizardImportUnderTest) => (await decided(made)).mapping.people;
const saved = (page: Page) => page.getByText("All changes are saved.").waitFor();
const picker = (page: Page, name: string) =>
  page.getByRole("combobox", { name: `Acme Desk person for ${name}` });
const pick = async (page: Page, name: string, whom: string) => {
  await picker(page, name).click();
  await page.getByRole("option", { name: whom }).first().click();
};
const arrived = (page: Page) => page.getByRole("heading", { name: "Anyone left over" }).waitFor();

test("lists open people first, offers the new tool's people, and saves by itself", async () => {
  const made = await tools.connected(fixture);
  const opened = await browser.openWizard(made, { screen: "people" });
  const { page } = opened;
  await arrived(page);
  const lead = (await page.locator(".lead").textContent()) ?? "";
  expect(lead).toContain("Match people so records keep their authors.");
  expect(lead).toContain("13 of your 17 people have their place. Please choose for the other 4.");
  expect(lead).toContain("One match is only likely: please confirm it.");
  expect(await page.getByText("5 of 5 open").count()).toBe(1);
  const likely = page.getByRole("list", { name: "Likely matches to confirm" }).locator("> li");
  await likely.first().waitFor();
  expect(await likely.locator("b").allTextContents()).toEqual(["Robin Sample"]);
  const open = page.getByRole("list", { name: "People to choose for" }).locator("> li");
  await open.first().waitFor();
  expect(await open.locator("b").allTextContents()).toEqual([
    "Helpdesk",
    "Jamie Example",
    hostile,
    "Noor Example",
  ]);
  await looksRight(opened, "05a-people");

  await pick(page, "Jamie Example", "Kim Example");
  await saved(page);
  expect((await peopleOf(made)).choices["15"]).toEqual({ to: "person", id: "2" });
  expect(await open.nth(1).textContent()).toContain("You chose this");
  // The row stays in place while its owner continues.
  expect(await open.count()).toBe(4);
  expect(await page.getByText("4 of 5 open").count()).toBe(1);
  expect(await page.locator(".lead").textContent()).toContain("14 of your 17 people have their place.");
  // Only a likely match is accepted: a name of one word may be anyone's.
  await page.getByRole("button", { name: "Confirm the one likely match" }).click();
  await page.getByText("Matched one person. 3 people are left to choose for.").waitFor();
  expect(await likely.textContent()).toContain("You chose this");
  expect(await open.first().textContent()).toContain("Please choose");
  expect(await page.getByText("3 of 5 open").count()).toBe(1);
  expect(await page.locator(".lead").textContent()).not.toContain("only likely");
  await saved(page);
  const byNow = (await peopleOf(made)).choices;
  expect([byNow["14"], byNow["16"], byNow["17"]]).toEqual([undefined, undefined, undefined]);
  await looksRight(opened, "05a-people-likely");

  await open.getByRole("button", { name: "Same person as inbox@acme.example" }).click();
  await picker(page, "Noor Example").fill("suppo");
  await page.getByRole("option", { name: /Support inbox/ }).click();
  await pick(page, hostile, "No person; keep only the name");
  await page.getByText("All chosen").waitFor();
  await saved(page);
  const { choices } = await peopleOf(made);
  expect(choices).toMatchObject({
    14: { to: "person", id: "14" },
    16: { to: "nobody" },
    17: { to: "person", id: "15" },
  });
  expect(Object.keys(choices)).toHaveLength(17);
  expect(await page.title()).toBe("Match your team · Acme Desk");

  // Nothing is left to decide: the sample can start from here.
  await page.getByText("Nothing is left to decide").waitFor();
  await page.getByRole("button", { name: "Run the free sample" }).waitFor();
  await page.getByText("17 people are matched").click();
  await page.getByRole("list", { name: "People who are matched" }).locator("> li").first().waitFor();
  await looksRight(opened, "05a-people-matched");
  await page.getByLabel("Find a person").fill("noor");
  await expect
    .poll(() => page.getByRole("list", { name: "People who are matched" }).locator("> li").count())
    .toBe(1);
  await page.getByLabel("Find a person").fill("");
  await page
    .locator("select")
    .and(page.getByLabel("Show", { exact: true }))
    .selectOption("exact");
  await expect
    .poll(() => page.getByRole("list", { name: "People who are matched" }).locator("> li").count())
    .toBe(12);
  await page.getByRole("button", { name: "Continue to fields" }).click();
  await page.getByRole("heading", { level: 1, name: "Match your fields" }).waitFor();
});

test("assigns all remaining people to one person, once the customer names them", async () => {
  const made = await tools.connected(fixture);
  const opened = await browser.openWizard(made, { screen: "people" });
  const { page } = opened;
  await arrived(page);
  const likely = page.getByRole("list", { name: "Likely matches to confirm" });
  await likely.getByRole("button", { name: "Yes, same person" }).click();
  await likely.getByText("You chose this").waitFor();
  await page.getByLabel("Assign their records to one person").check();
  await page.getByRole("combobox", { name: "Default person" }).click();
  await page.getByRole("option", { name: /Support inbox/ }).click();
  await saved(page);
  expect(await peopleOf(made)).toMatchObject({ unmatched: "default", defaultId: "15" });
  const [option, below] = await Promise.all(
    [
      page.getByLabel("Assign their records to one person"),
      page.getByRole("combobox", { name: "Default person" }),
    ].map((each) => each.boundingBox()),
  );
  const after = await page.getByLabel("Keep only the name").boundingBox();
  expect(below?.y ?? 0).toBeGreaterThan(option?.y ?? 0);
  expect(below?.y ?? 0).toBeLessThan(after?.y ?? 0);
  await page.setViewportSize({ width: 390, height: 844 });
  await saved(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await looksRight(opened, "05a-people-default");
  await page.reload();
  await arrived(page);
  expect(await page.getByRole("combobox", { name: "Default person" }).count()).toBe(1);
});

test("by keyboard alone", async () => {
  const made = await tools.connected(fixture);
  const { page } = await browser.openWizard(made, { screen: "people" });
  await arrived(page);
  await picker(page, "Jamie Example").waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
  for (let presses = 0; presses < 30 && !(await focused()).includes("Jamie Example"); presses += 1)
    await page.keyboard.press("Tab");
  expect(await focused()).toBe("Acme Desk person for Jamie Example");
  await page.keyboard.type("dana");
  await page.getByRole("option", { name: /Dana Example/ }).waitFor();
  await expect.poll(() => page.getByRole("option").count()).toBe(1);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await saved(page);
  expect((await peopleOf(made)).choices["15"]).toEqual({ to: "person", id: "5" });
  expect(await focused()).toBe("Acme Desk person for Jamie Example");
});

test("two at a time: merges independent changes, and asks about conflicts", async () => {
  const made = await tools.connected(fixture);
  const one = await browser.openWizard(made, { screen: "people" });
  const two = await browser.openWizard(made, { screen: "people" });
  for (const { page } of [one, two]) await picker(page, "Jamie Example").waitFor();
  await pick(one.page, "Jamie Example", "Kim Example");
  await saved(one.page);
  await pick(two.page, "Noor Example", "Sam Example");
  await two.page.getByText(/^Someone else changed one thing meanwhile/).waitFor();
  await saved(two.page);
  expect((await peopleOf(made)).choices).toMatchObject({
    15: { to: "person", id: "2" },
    17: { to: "person", id: "3" },
  });

  // The first page does not know of this change yet.
  await pick(one.page, "Noor Example", "Alex Example");
  const asked = one.page.getByRole("alert").filter({ hasText: "Someone else changed the same things" });
  await asked.waitFor();
  expect(await asked.textContent()).toContain("Noor Example");
  await looksRight(one, "05a-people-conflict", { mayComplain: true });
  expect((await peopleOf(made)).choices["17"]).toEqual({ to: "person", id: "3" });
  await one.page.getByRole("button", { name: "Keep mine" }).click();
  await saved(one.page);
  expect((await peopleOf(made)).choices["17"]).toEqual({ to: "person", id: "1" });

  await pick(two.page, "Noor Example", "Eli Example");
  await two.page.getByRole("button", { name: "Take theirs" }).click();
  await saved(two.page);
  expect((await peopleOf(made)).choices["17"]).toEqual({ to: "person", id: "1" });
  expect(await picker(two.page, "Noor Example").inputValue()).toBe("Alex Example");
});
