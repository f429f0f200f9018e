import type { CustomField } from "@portage/connector-kit";
import type { WizardPerson, WizardSourcePeople } from "@portage/contract/wizard";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useBrowser } from "./browser.ts";
import { useWizardFixture } from "./wizard-fixture.ts";
import { createTwoTools } from "./two-tools.ts";

const none = { organizations: 0, contacts: 0, groups: 0, comments: 0, attachments: 0, articles: 0 };
const fields = (prefix: string): readonly CustomField[] =>
  Array.from({ length: 120 }, (_, index) => ({
    key: `${prefix}.${index}`,
    label: `Field ${prefix} ${index + 1}`,
    type: "text" as const,
    required: false,
    writable: true,
  }));
const tools = createTwoTools(
  { counts: { ...none, users: 700, tickets: 30 }, customFields: fields("old"), pageSize: 1_000 },
  {
    counts: { ...none, users: 3, tickets: 0 },
    words: {
      status: [{ value: "open", label: "Open", kind: "open" }],
      priority: [{ value: "low", label: "Low", kind: "low" }],
    },
  },
);
const fixture = useWizardFixture({ prepare: tools.prepare });
const browser = useBrowser();

/** The focused element is in this row, and visible. */
const ledTo = async (page: Page, row: string) => {
  await page.waitForFunction((selector) => document.activeElement?.closest(selector) != null, row);
  const seen = await page.evaluate(() => {
    const { top, bottom } = (document.activeElement ?? document.body).getBoundingClientRect();
    return top >= 0 && bottom <= window.innerHeight;
  });
  expect(seen).toBe(true);
};

test("a fragment leads to its row: of options, of fields, and of people on a later page", async () => {
  const made = await tools.connected(fixture);
  const { page } = await browser.openWizard(made, { screen: "fields" });
  await page.getByText("As you matched it").first().waitFor();
  const at = `${fixture.url}/imports/${made.id}`;
  const open = async (path: string) => {
    await page.goto("about:blank");
    await page.goto(`${at}/${path}`);
  };
  await open("fields#tickets.priority");
  await ledTo(page, ".vals > .meant");
  expect(await page.locator(".vals > .meant h3").textContent()).toBe("Priority");

  await open("fields#tickets.customFields.old.111");
  await ledTo(page, ".maps > li.meant");
  expect(await page.locator(".maps > li.meant b").textContent()).toBe("Field old 112");
  expect(await page.locator(".vlist > ul > li").count()).toBeLessThan(100);

  const pageAfter = (after: string | null) =>
    made.ask<WizardSourcePeople>(
      "GET",
      `/mapping/people?side=source&show=open&limit=200${after === null ? "" : `&after=${after}`}`,
    );
  const far: WizardPerson[] = [];
  let next: string | null = null;
  do {
    const listed: WizardSourcePeople = await pageAfter(next);
    far.push(...listed.people.map(({ person }) => person));
    ({ next } = listed);
  } while (next !== null);
  expect(far.length).toBeGreaterThan(400);
  const last = far.at(-1);
  await open(`people#${encodeURIComponent(last?.id ?? "")}`);
  await ledTo(page, ".pairs > li.meant");
  expect(await page.locator(".pairs > li.meant b").textContent()).toBe(last?.name);

  // Decided people are in the other list.
  await page.locator(".pairs > li.meant").getByRole("combobox").click();
  await page.getByRole("option", { name: "No person; keep only the name" }).click();
  await page.getByText("All changes are saved.").waitFor();
  await open(`people#${encodeURIComponent(last?.id ?? "")}`);
  await ledTo(page, "details .meant");

  // An unknown fragment leads nowhere and does no harm.
  await open("fields#%E0%A4%A");
  await page.getByText("As you matched it").first().waitFor();
});
