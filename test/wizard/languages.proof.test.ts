// `npm run prove:languages`: every screen in every language, the pseudo-languages included, by axe in light and dark and on a
// phone, as wide as the window at 320 px and with letters twice as large. The screenshots are in artifacts/wizard/.
import { languageCodes } from "@portage/contract/languages";
import { describe, expect, test } from "vitest";
import { useBrowser } from "./browser.ts";
import { eachScreen, screensByState } from "./language-screens.ts";
import { axe, axeDark, axeNarrow, shoot, sidewaysScroll, sidewaysScrollAt200Percent } from "./looks.ts";
import { someRecords } from "./moves.ts";
import { useWizardFixture } from "./wizard-fixture.ts";

const fixture = useWizardFixture({ runs: { tool: { counts: someRecords, hostile: true } } });
const browser = useBrowser();

describe.each(Object.entries(screensByState))("an import that is %s", (_, { screens, make }) => {
  test.each([...languageCodes, "en-XA", "en-XB"])("in %s", async (language) => {
    const made = await make(fixture);
    const opened = await browser.openWizard(made, { language });
    const { page, watch } = opened;
    await eachScreen(fixture, opened, made, screens, async (screen) => {
      await shoot(page, `language-${language}-${screen}`);
      expect.soft(await axe(page), screen).toEqual([]);
      expect.soft(await axeNarrow(page), screen).toEqual([]);
      expect.soft(await axeDark(page), `${screen}, dark`).toEqual([]);
      expect.soft(await sidewaysScroll(page, 320), screen).toBe(0);
      expect.soft(await sidewaysScrollAt200Percent(page), screen).toBe(0);
    });
    expect(await watch.violations()).toEqual([]);
    expect(watch.errors).toEqual([]);
    console.log(`${language}: ${screens.join(", ")}`);
  });
});
