import type { Locator, Page } from "playwright-core";

const maxTabs = 200;

/** Actions by keyboard only: nothing here clicks or sets the focus directly. */
export const byKeyboard = (page: Page) => {
  const hasFocus = async (wanted: Locator) => (await wanted.and(page.locator(":focus")).count()) > 0;
  const tabTo = async (wanted: Locator): Promise<void> => {
    await wanted.first().waitFor();
    for (let tabs = 0; tabs < maxTabs; tabs += 1) {
      if (await hasFocus(wanted)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`No Tab leads to ${String(wanted)}.`);
  };
  return {
    tabTo,
    press: async (wanted: Locator, key: "Enter" | "Space" | "ArrowDown" = "Enter"): Promise<void> => {
      await tabTo(wanted);
      await page.keyboard.press(key);
    },
    type: async (label: string, text: string): Promise<void> => {
      await tabTo(page.getByLabel(label, { exact: true }));
      await page.keyboard.type(text);
    },
  };
};
