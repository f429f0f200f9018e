import type { CustomField } from "@portage/connector-kit";
import { readFileSync } from "node:fs";
import type { WizardDestinationPeople, WizardMatching } from "@portage/contract/wizard";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useBrowser } from "./browser.ts";
import { useWizardFixture } from "./wizard-fixture.ts";
import { looksRight } from "./looks-right.ts";
import { createTwoTools } from "./two-tools.ts";

const none = { organizations: 0, contacts: 0, groups: 0, comments: 0, attachments: 0, articles: 0 };
const people = 5_000;
const manyFields = 400;
const maxRows = 500;

const fields = (prefix: string): readonly CustomField[] =>
  Array.from({ length: manyFields }, (_, index) => ({
    key: `${prefix}${index}`,
    label: `Field ${prefix} ${index + 1}`,
    type: "text" as const,
    required: false,
    writable: true,
  }));
const tools = createTwoTools(
  { counts: { ...none, users: people, tickets: 30 }, customFields: fields("old"), pageSize: 1_000 },
  { counts: { ...none, users: 3, tickets: 0 }, customFields: fields("new") },
);
const fixture = useWizardFixture({ prepare: tools.prepare });
const browser = useBrowser();

const rowNodes = (page: Page) => page.locator(".vlist > ul > li").count();
const longest = (page: Page) =>
  page.evaluate(() =>
    Math.max(...[...document.querySelectorAll(".vlist > ul")].map((list) => list.clientHeight)),
  );

test("5,000 people: searched by the server, scrolled to the end, and matched at once", async () => {
  const made = await tools.connected(fixture);
  const opened = await browser.openWizard(made, { screen: "people" });
  const { page } = opened;
  await page.getByRole("heading", { name: "Anyone left over" }).waitFor();
  const list = page.getByRole("region", { name: "People to choose for" });
  await list.waitFor();
  expect(await rowNodes(page)).toBeLessThanOrEqual(maxRows);
  await looksRight(opened, "05a-people-5000");
  const total = Number(await list.locator("li").first().getAttribute("aria-setsize"));
  expect(total).toBeGreaterThan(4_000);
  let most = 0;
  await expect
    .poll(
      async () => {
        await list.evaluate((box) => box.scrollTo(0, box.scrollHeight));
        most = Math.max(most, await rowNodes(page));
        return Number(await list.locator("li").last().getAttribute("data-index")) + 1;
      },
      { interval: 50 },
    )
    .toBe(total);
  expect(most).toBeLessThanOrEqual(maxRows);
  console.log(`${total} people, at most ${most} rows in the page, ${await longest(page)} px high`);
  const lastName = (await list.locator("li").last().locator("b").first().textContent()) ?? "";
  await list.evaluate((box) => box.scrollTo(0, 0));
  await page.getByLabel("Find a person").fill(lastName);
  await expect.poll(() => page.locator(".pairs > li").count()).toBeLessThan(40);
  await page.getByLabel("Assign their records to one person").check();
  await page.getByRole("combobox", { name: "Default person" }).click();
  await page.getByRole("option").first().click();
  await page.getByText("All changes are saved.").waitFor();
  expect((await made.ask<WizardMatching>("GET", "/mapping")).mapping.people.unmatched).toBe("default");
}, 600_000);

test("a list that was filled in with a spreadsheet decides many at once, and says which rows it can't follow", async () => {
  const made = await tools.connected(fixture);
  const opened = await browser.openWizard(made, { screen: "people" });
  const { page } = opened;
  await page.getByText("Match in a spreadsheet").click();
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download the list" }).click();
  const file = await (await downloading).path();
  const [heads = "", ...rows] = readFileSync(file, "utf8").trimEnd().split("\r\n");
  expect(rows).toHaveLength(people);
  const open = rows.filter((row) => row.endsWith(","));
  const given = open.slice(0, 30);
  const { people: there } = await made.ask<WizardDestinationPeople>(
    "GET",
    "/mapping/people?side=destination",
  );
  const [first] = there;
  const lines = given.map((row, index) => `${row}${index < 28 ? `id:${first?.id}` : "who@nowhere.example"}`);
  const chooser = page.getByRole("button", { name: "Choose the filled-in list" });
  const send = async (name: string, text: string, encoding: BufferEncoding = "utf8") => {
    await page.locator("input[type=file]").setInputFiles({
      name,
      mimeType: "text/csv",
      buffer: Buffer.from(text, encoding),
    });
  };
  await send("people.csv", [heads, ...lines, ""].join("\r\n"));
  await page.getByText("28 choices from people.csv are taken over.").waitFor();
  expect(await page.getByText("2 rows need another look:").count()).toBe(1);
  expect(await page.getByText("Nobody in Acme Desk is “who@nowhere.example”.").count()).toBe(2);
  await looksRight(opened, "05c-people-file");
  const saved = async () => (await made.ask<WizardMatching>("GET", "/mapping")).mapping.people.choices;
  const idOf = (row: string) => row.split(",")[0]?.replace("id:", "") ?? "";
  const now = await saved();
  for (const row of given.slice(0, 28)) expect(now[idOf(row)]).toEqual({ to: "person", id: first?.id });
  for (const row of given.slice(28)) expect(now[idOf(row)]).toBeUndefined();
  await send("holiday.csv", "a,b\n1,2\n");
  await page.getByText("holiday.csv can't be read.").waitFor();
  expect(await saved()).toEqual(now);
  // As Excel saves what it took for a number, in the letters of Windows.
  const [, , email] = rows.find((row) => row.includes("@"))?.split(",") ?? [];
  await send("windows.csv", `id;email;match\r\n3,60001E+11;${email};Zoë\r\n;;\r\n`, "latin1");
  await page.getByText("Nobody in Acme Desk is “Zoë”.").waitFor();
  expect(await page.getByText("One row needs another look:").count()).toBe(1);
  expect(await page.getByText("If letters look wrong, save the file as “CSV UTF-8”").count()).toBe(1);
  const [row = ""] = given.slice(28);
  await page.route("**/mapping", (route) => route.abort("internetdisconnected"));
  await send("late.csv", `${heads}\r\n${row}nobody\r\n`);
  await page.getByText("One choice from late.csv is filled in, but not saved.").waitFor();
  await send("later.csv", `${heads}\r\n${row}nobody\r\n`);
  await page.getByText("later.csv isn't read yet: your earlier changes aren't saved.").waitFor();
  expect(await saved()).toEqual(now);
  await page.unroute("**/mapping");
  await expect.poll(saved).toEqual({ ...now, [idOf(row)]: { to: "nobody" } });
  expect(await chooser.isEnabled()).toBe(true);
});

test("400 fields: found, filtered, and decided at once", async () => {
  const made = await tools.connected(fixture);
  const opened = await browser.openWizard(made, { screen: "fields" });
  const { page } = opened;
  await page.getByText("As you matched it").first().waitFor();
  expect(await rowNodes(page)).toBeLessThanOrEqual(maxRows);
  const card = page.getByRole("region", { name: "Tickets: custom fields" });
  await looksRight(opened, "05b-fields-400");
  await card.getByLabel("Find a field").fill("old 399");
  await expect.poll(() => card.locator(".maps > li").count()).toBe(1);
  await page.getByRole("combobox", { name: "Acme Desk field for Field old 399" }).click();
  await page.getByRole("combobox", { name: "Acme Desk field for Field old 399" }).fill("new 7");
  await page.getByRole("option", { name: "Field new 7", exact: true }).click();
  await page.getByText("All changes are saved.").waitFor();
  const fieldsNow = async () =>
    (await made.ask<WizardMatching>("GET", "/mapping")).mapping.streams["tickets"]?.fields;
  expect((await fieldsNow())?.["old398"]).toMatchObject({ as: "field", to: "new6" });
  await card.getByLabel("Find a field").fill("");
  await card.getByRole("button", { name: /^Leave behind the \d+ unused$/ }).click();
  await page.getByText("All changes are saved.").waitFor();
  await expect
    .poll(async () => Object.values((await fieldsNow()) ?? {}).filter(({ as }) => as === "nothing").length)
    .toBeGreaterThanOrEqual(manyFields - 5);
});
