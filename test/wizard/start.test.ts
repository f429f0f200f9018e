import type { WizardImport } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { useBrowser } from "./browser.ts";
import { useWizardFixture } from "./wizard-fixture.ts";
import { looksRight } from "./looks-right.ts";
import { axe, axeDark, shoot, sidewaysScroll, sidewaysScrollAt200Percent } from "./looks.ts";

const fixture = useWizardFixture();
const browser = useBrowser();

const branding = {
  helpUrl: "https://help.acme.example/",
  privacyUrl: "https://acme.example/privacy",
};

test("the start screen: its text, its look, and no requests to other hosts", async () => {
  const made = await fixture.newImport({ partner: { branding } });
  const { page, watch } = await browser.openWizard(made);
  expect(new URL(page.url()).pathname).toBe(`/imports/${made.id}/start`);
  expect(await page.title()).toBe("Move from Redmine · Acme Desk");
  expect(await page.locator("h1").allTextContents()).toEqual(["Move from Redmine to Acme Desk"]);
  // Redmine has no customer records, so the page promises none.
  expect(await page.locator(".lead").textContent()).toMatch(
    /^Bring your tickets and conversations with you\./,
  );
  expect(await page.locator(".never h3").allTextContents()).toEqual([
    "Email your customers",
    "Change or delete anything in Redmine",
    "Create duplicates",
    "Leave you stuck",
  ]);
  expect(await watch.layoutShift()).toBe(0);
  expect(await axe(page)).toEqual([]);
  expect(await axeDark(page)).toEqual([]);
  expect(await sidewaysScroll(page, 320)).toBe(0);
  expect(await sidewaysScrollAt200Percent(page)).toBe(0);
  await shoot(page, "01-start");
  expect(watch.foreign).toEqual([]);
  expect(await watch.violations()).toEqual([]);
  expect(watch.errors).toEqual([]);
});

test("the start screen with another partner's name and color", async () => {
  const made = await fixture.newImport({
    partner: { name: "Acme CRM", branding: { ...branding, color: "#c2410c" } },
  });
  const opened = await browser.openWizard(made);
  expect(await opened.page.locator("h1").allTextContents()).toEqual(["Move from Redmine to Acme CRM"]);
  await looksRight(opened, "01b-start-other-brand");
});

const promisedBy = async (kinds: (real: WizardImport["kinds"]) => WizardImport["kinds"]) => {
  const made = await fixture.newImport();
  const { page } = await browser.open();
  await page.route(`**/wizard/api/imports/${made.id}`, async (route) => {
    const answer = await route.fetch();
    const json = (await answer.json()) as WizardImport;
    await route.fulfill({ response: answer, json: { ...json, kinds: kinds(json.kinds) } });
  });
  await page.goto(made.link);
  await page.locator(".never h3").first().waitFor();
  return {
    lead: (await page.locator(".lead").textContent()) ?? "",
    lines: await page.locator(".never h3").allTextContents(),
  };
};

test.each([
  ["silence", { silent: false }, "Email your customers"],
  ["removal", { removable: false }, "Leave you stuck"],
] as const)("the start screen drops a line if one stream lacks %s", async (_, lacks, line) => {
  const { lines } = await promisedBy(
    (real) => real?.map((kind) => (kind.name === "tickets" ? { ...kind, ...lacks } : kind)) ?? null,
  );
  expect(lines).toHaveLength(3);
  expect(lines).not.toContain(line);
});

test("the start screen promises nothing for a tool that declares nothing", async () => {
  const { lead, lines } = await promisedBy(() => null);
  expect(lead).toMatch(/^Bring your data with you\./);
  expect(lines).toEqual(["Change or delete anything in Redmine", "Create duplicates"]);
});
