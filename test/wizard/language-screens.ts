import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { OpenedWizard } from "./browser.ts";
import { moved, withSample } from "./moves.ts";
import type { useWizardFixture, WizardImportUnderTest } from "./wizard-fixture.ts";

type Fixture = ReturnType<typeof useWizardFixture>;

/** Every screen, by the state of an import that shows it. */
export const screensByState: Readonly<
  Record<
    string,
    {
      readonly screens: readonly string[];
      readonly make: (fixture: Fixture) => Promise<WizardImportUnderTest> | WizardImportUnderTest;
    }
  >
> = {
  new: { screens: ["start", "connect"], make: (fixture) => fixture.newImport() },
  sampled: {
    screens: ["destination", "choose", "people", "fields", "preview", "sample", "review", "full"],
    make: withSample,
  },
  moved: { screens: ["done", "undo"], make: moved },
};

const settled = async (page: Page) => {
  await page.locator("main h1:not(.vh)").waitFor();
  await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
};

/** Opens each screen in turn, and hands it over once everything is loaded. */
export const eachScreen = async (
  fixture: Fixture,
  { page }: OpenedWizard,
  made: WizardImportUnderTest,
  screens: readonly string[],
  look: (screen: string) => Promise<void>,
): Promise<void> => {
  for (const screen of screens) {
    await page.goto(`${fixture.url}/imports/${made.id}/${screen}`);
    await settled(page);
    await look(screen);
  }
};

/**
 * Texts of several plain words. Foreign texts are left out, because they are marked: texts of records and names are
 * isolated, and texts of a tool's connector have lang=en.
 */
export const plainTexts = (page: Page, within: "main" | "body"): Promise<readonly string[]> =>
  page.evaluate((place) => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.querySelector(place) as Element, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode())
      if (/[a-z]{2,} [a-z]{2,} [a-z]{2,}/i.test(text.nodeValue ?? ""))
        if (!text.parentElement?.closest("bdi, body [lang=en], script, style, noscript"))
          found.push(text.nodeValue?.trim() ?? "");
    return found;
  }, within);

/** Keys that are shown in place of their text. */
export const shownKeys = async (page: Page, keys: ReadonlySet<string>): Promise<readonly string[]> => {
  const words = await page.evaluate(() => document.body.innerText.split(/\s+/));
  return words.filter((word) => word.includes(".") && keys.has(word));
};
