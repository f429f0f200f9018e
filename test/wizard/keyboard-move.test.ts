import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useBrowser } from "./browser.ts";
import { byKeyboard } from "./by-keyboard.ts";
import { useWizardFixture } from "./wizard-fixture.ts";

const counts = { users: 3, organizations: 2, contacts: 4, groups: 1, tickets: 12, comments: 10, articles: 2 };
const fixture = useWizardFixture({ runs: { tool: { counts: { ...counts, attachments: 2 } } } });
const browser = useBrowser();

const arrive = (page: Page, title: string | RegExp) =>
  page.getByRole("heading", { level: 1, name: title }).waitFor();

test("from the start to the end, and back again, by keyboard alone", async () => {
  const made = await fixture.newImport();
  const { page } = await browser.openWizard(made);
  const { press, tabTo, type } = byKeyboard(page);
  const button = (name: string | RegExp) => page.getByRole("button", { name });
  const link = (name: string | RegExp) => page.getByRole("link", { name });
  const { url, control } = fixture.tool;
  const connect = async () => {
    await type("Address", url);
    await type("Token", (await control.newAccount()).token);
    await press(button("Check connection"));
  };

  await press(link(/^Start$/));
  await arrive(page, "Connect your Stand-in");
  await connect();
  await press(link("Yes, continue"));
  await arrive(page, "Connect your Stand-in");
  await connect();
  await press(link(/^Continue$/));

  await arrive(page, "Choose what to move");
  const articles = page.getByRole("checkbox", { name: /^Articles/ });
  await articles.waitFor();
  await expect.poll(() => page.getByText("Counting…").count()).toBe(0);
  await press(articles, "Space");
  expect(await articles.isChecked()).toBe(false);
  await page.keyboard.press("Space");
  expect(await articles.isChecked()).toBe(true);
  await press(button("Continue to matching"));

  await arrive(page, "Match your team");
  await page.getByRole("heading", { name: "Anyone left over" }).waitFor();
  await press(button("Continue to fields"));
  await arrive(page, "Match your fields");
  await press(button("Run the free sample"));

  await arrive(page, "Your sample is ready. Take a look.");
  const records = page.getByRole("region", { name: "Records to choose from" });
  await press(records.getByRole("button").nth(1));
  await page.locator("#compared").getByRole("table").first().waitFor();
  await press(link("Looks good, continue"));
  await arrive(page, "Ready to move everything");
  await press(button("Start the move"));

  await arrive(page, "Your data is in Acme Desk");
  await tabTo(link("Download report"));
  await press(link("Undo…"));
  await arrive(page, "Undo the whole move?");
  await press(page.getByRole("checkbox", { name: /^I understand/ }), "Space");
  await press(button("Undo the move"));
  await arrive(page, "The move is undone");
});
