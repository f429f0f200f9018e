import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const wizardFolder = join(import.meta.dirname, "../../artifacts/wizard");
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Axe {
  run(options: { readonly runOnly?: readonly string[] }): Promise<AxeResults>;
}

const violationsOn = async (page: Page, options: Parameters<Axe["run"]>[0]): Promise<readonly string[]> => {
  if (await page.evaluate(() => !("axe" in window))) await page.evaluate(axeSource);
  const { violations } = await page.evaluate(
    (given) => (window as unknown as { axe: Axe }).axe.run(given),
    options,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(" ")} ${node.failureSummary ?? ""}`),
  );
};

/** The violations that axe finds by WCAG 2.2 AA and best practices, one line each; should be empty. */
export const axe = (page: Page): Promise<readonly string[]> => violationsOn(page, {});

/** The browser resizes before the page has the size. */
const settle = async (page: Page): Promise<void> => {
  const width = page.viewportSize()?.width;
  for (let tries = 0; tries < 2_000; tries += 1) {
    const isThere = await page.evaluate(
      (wanted) => document.fonts.ready.then(() => window.innerWidth === (wanted ?? window.innerWidth)),
      width,
    );
    if (isThere) return;
    await page.waitForTimeout(50);
  }
  throw new Error(`The window did not become ${width} pixels wide.`);
};

const sizes = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];

/** The same on a phone, which shows other elements. */
export const axeNarrow = async (page: Page): Promise<readonly string[]> => {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await settle(page);
  const found = await axe(page);
  if (before) await page.setViewportSize(before);
  return found;
};

/** What colours decide, in the dark ones: nothing else can differ. */
export const axeDark = async (page: Page): Promise<readonly string[]> => {
  await page.emulateMedia({ colorScheme: "dark" });
  const found = await violationsOn(page, { runOnly: ["color-contrast", "link-in-text-block"] });
  await page.emulateMedia({ colorScheme: "light" });
  return found;
};

interface Shots {
  readonly folder?: string;
  readonly schemes?: readonly ("light" | "dark")[];
}

/** They are for people to look at: in CI they only take time. */
export const areShotsWanted = process.env["CI"] !== "true" || process.env["SCREENSHOTS"] === "true";

/**
 * Screenshots, by default under artifacts/wizard/: wide and phone, light and dark. In CI only with SCREENSHOTS=true.
 */
export const shoot = async (
  page: Page,
  name: string,
  { folder = wizardFolder, schemes = ["light", "dark"] }: Shots = {},
): Promise<void> => {
  if (!areShotsWanted) return;
  mkdirSync(folder, { recursive: true });
  const before = page.viewportSize();
  for (const size of sizes)
    for (const scheme of schemes) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme: scheme });
      await settle(page);
      const file = `${name}@${size.width}-${scheme}.png`;
      await page.screenshot({ path: join(folder, file), fullPage: true, animations: "disabled" });
    }
  await page.emulateMedia({ colorScheme: "light" });
  if (before) await page.setViewportSize(before);
};

/** By how many pixels the page is wider than its window at this width; should be 0. */
export const sidewaysScroll = async (page: Page, width = 320): Promise<number> => {
  const before = page.viewportSize();
  await page.setViewportSize({ width, height: 800 });
  await settle(page);
  const over = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  if (before) await page.setViewportSize(before);
  return over;
};

/** The same with text twice as large, by the browser's own setting: readers change that one. */
export const sidewaysScrollAt200Percent = async (page: Page, width = 640): Promise<number> => {
  const client = await page.context().newCDPSession(page);
  const setLetters = (px: number) =>
    client.send("Page.setFontSizes", { fontSizes: { standard: px, fixed: px } });
  await setLetters(32);
  await page.waitForFunction(() => getComputedStyle(document.documentElement).fontSize === "32px");
  const over = await sidewaysScroll(page, width);
  await setLetters(16);
  await page.waitForFunction(() => getComputedStyle(document.documentElement).fontSize === "16px");
  await client.detach();
  return over;
};
