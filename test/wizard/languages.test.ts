import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type OpenedWizard, useBrowser } from "./browser.ts";
import { useWizardFixture, type WizardImportUnderTest } from "./wizard-fixture.ts";
import { axe, axeNarrow, shoot, sidewaysScroll } from "./looks.ts";
import { moved, someRecords, withSample } from "./moves.ts";

const ground = useWizardFixture({ runs: { tool: { counts: someRecords, hostile: true } } });
const browser = useBrowser();

const settled = async (page: Page) => {
  await page.locator("main h1:not(.vh)").waitFor();
  await expect.poll(() => page.locator(".skeleton, [aria-busy=true]").count()).toBe(0);
};

/**
 * Three plain words in a row, in a language whose letters all have accents: a text without a translation. Foreign texts
 * are marked: texts of records and names are isolated, and texts of a tool's connector have lang=en.
 */
const plainTexts = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.querySelector("main") as Element, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode())
      if (/[a-z]{2,} [a-z]{2,} [a-z]{2,}/i.test(text.nodeValue ?? ""))
        if (!text.parentElement?.closest("bdi, [lang=en]")) found.push(text.nodeValue?.trim() ?? "");
    return found;
  });

/** Visits the screens in one language: complete, in the right direction, as wide as the window. */
const readScreens = async (
  { page, watch }: OpenedWizard,
  made: WizardImportUnderTest,
  screens: readonly string[],
  language: string,
) => {
  for (const screen of screens) {
    await page.goto(`${ground.url}/imports/${made.id}/${screen}`);
    await settled(page);
    const html = page.locator("html");
    expect(await html.getAttribute("dir"), screen).toBe(language === "en-XB" ? "rtl" : "ltr");
    expect(await axe(page), screen).toEqual([]);
    expect(await axeNarrow(page), screen).toEqual([]);
    expect(await sidewaysScroll(page, 320), screen).toBe(0);
    expect(await page.locator("main h1:not(.vh)").textContent(), screen).not.toMatch(/^[ -~]*$/);
    if (language === "en-XA") expect.soft(await plainTexts(page), screen).toEqual([]);
    if (language === "en-XB") await shoot(page, `language-${language}-${screen}`, { schemes: ["light"] });
  }
  return watch.violations();
};

const states: readonly [
  string,
  readonly string[],
  () => Promise<WizardImportUnderTest> | WizardImportUnderTest,
][] = [
  ["new", ["start", "connect"], () => ground.newImport()],
  [
    "sampled",
    ["destination", "choose", "people", "fields", "preview", "sample", "review", "full"],
    () => withSample(ground),
  ],
  ["moved", ["done", "undo"], () => moved(ground)],
];

test.each(states)(
  "an import that is %s, in a longer language and in one that runs from right to left",
  async (_, screens, make) => {
    const made = await make();
    for (const language of ["en-XA", "en-XB"]) {
      const opened = await browser.openWizard(made, { language });
      expect(await readScreens(opened, made, screens, language)).toEqual([]);
    }
  },
);
