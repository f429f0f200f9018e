import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, onTestFailed } from "vitest";
import type { OpenedWizard } from "../browser.ts";
import { axe, axeNarrow, shoot } from "../looks.ts";
import { patienceMs } from "../../support/patience.ts";

/** The names and the view of a story's customer. */
export interface StoryPage extends OpenedWizard {
  /** The names of the old tool and of the partner. */
  readonly source: string;
  readonly partner: string;
  /** Waits for the title of a screen. */
  arrive(title: string | RegExp): Promise<void>;
  /** Takes wide and narrow screenshots of the screen and checks its accessibility. */
  look(name: string): Promise<void>;
  /** Also for a state in progress: it may end during the check. */
  say(what: string): void;
}

/** Waits for something that the page reads from a tool; retries a slow tool with the page's own button. */
export const persist = async (page: Page, wanted: Locator): Promise<void> => {
  const again = page.getByRole("button", { name: /^(Try|Check) again$/ });
  const giveUpAt = performance.now() + patienceMs;
  while (!(await wanted.isVisible())) {
    if (performance.now() > giveUpAt) throw new Error("The tool did not answer within the patience.");
    await wanted.or(again).first().waitFor();
    if (!(await wanted.isVisible())) await again.first().click();
    await page.waitForTimeout(500);
  }
};

const folder = join(import.meta.dirname, "../../../artifacts/story");

export const tellStory = (
  opened: OpenedWizard,
  { story, ...names }: { readonly story: string; readonly source: string; readonly partner: string },
): StoryPage => {
  const { page, watch } = opened;
  const startedAt = performance.now();
  const say = (what: string) => {
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    process.stdout.write(`${story}, ${seconds} s: ${what}\n`);
  };
  onTestFailed(async () => {
    await page.screenshot({ path: join(folder, `${story}-failed.png`), fullPage: true });
  });
  return {
    ...opened,
    ...names,
    say,
    arrive: async (title) => {
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
    },
    look: async (name) => {
      await shoot(page, `${story}-${name}`, { folder, schemes: ["light"] });
      expect.soft(await axe(page), name).toEqual([]);
      expect.soft(await axeNarrow(page), `${name}, narrow`).toEqual([]);
      expect.soft(await watch.violations(), name).toEqual([]);
      expect.soft(watch.foreign, name).toEqual([]);
      say(name);
    },
  };
};
