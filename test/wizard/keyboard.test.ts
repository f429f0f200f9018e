import { expect, test } from "vitest";
import { useBrowser } from "./browser.ts";
import { useWizardFixture } from "./wizard-fixture.ts";
import { axe, shoot, sidewaysScroll } from "./looks.ts";

const fixture = useWizardFixture();
const browser = useBrowser();
const branding = { helpUrl: "https://help.acme.example/", privacyUrl: "https://acme.example/privacy" };

const focused = (page: Awaited<ReturnType<typeof browser.open>>["page"]) =>
  page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");

test("the keyboard follows the reading order of the page", async () => {
  const made = await fixture.newImport({ partner: { branding } });
  const { page } = await browser.openWizard(made);
  const order: string[] = [];
  for (let press = 0; press < 6; press += 1) {
    await page.keyboard.press("Tab");
    order.push(await focused(page));
  }
  expect(order).toEqual([
    "Skip to content",
    "AAcme Desk, start of the move",
    "Get help",
    "Start",
    "How we handle your data (opens in a new tab)",
    "Privacy",
  ]);
});

test("navigation focuses the new screen's title, and going back restores the position", async () => {
  const made = await fixture.newImport();
  const { page } = await browser.openWizard(made, { height: 400 });
  await page.evaluate(() => window.scrollTo(0, 250));
  await page.waitForFunction(() => (history.state as { scrollY?: number } | null)?.scrollY === 250);
  await page.getByRole("link", { name: "Start", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/imports/${made.id}/connect`);
  await page.waitForFunction(() => document.activeElement?.tagName === "H1");
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  expect(await page.locator("[aria-current=step]").textContent()).toContain("Connect");
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: /^Move from/ }).waitFor();
  await page.waitForFunction(() => document.activeElement?.tagName === "H1");
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
});

test.each(["en-XA", "en-XB"])("in %s nothing is cut off, and nothing scrolls sideways", async (language) => {
  const made = await fixture.newImport({ partner: { branding } });
  const { page } = await browser.openWizard(made, { language });
  expect(await page.locator("html").getAttribute("lang")).toBe(language);
  expect(await page.locator("html").getAttribute("dir")).toBe(language === "en-XB" ? "rtl" : "ltr");
  expect(await axe(page)).toEqual([]);
  expect(await sidewaysScroll(page, 320)).toBe(0);
  await shoot(page, `01-start-${language}`);
  await page.getByRole("combobox").selectOption("en");
  await page.getByRole("heading", { level: 1, name: "Move from Redmine to Acme Desk" }).waitFor();
});
