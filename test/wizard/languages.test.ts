import { join } from "node:path";
import { languageCodes } from "@portage/contract/languages";
import { expect, test } from "vitest";
import { keysOf, readCatalogues } from "../../checks/wizard-texts.ts";
import { type OpenedWizard, useBrowser } from "./browser.ts";
import { eachScreen, plainTexts, screensByState, shownKeys } from "./language-screens.ts";
import { axe, axeNarrow, shoot, sidewaysScroll } from "./looks.ts";
import { someRecords } from "./moves.ts";
import { useWizardFixture, type WizardImportUnderTest } from "./wizard-fixture.ts";

const fixture = useWizardFixture({ runs: { tool: { counts: someRecords, hostile: true } } });
const browser = useBrowser();
const keys = new Set(
  Object.values(readCatalogues(join(import.meta.dirname, "../.."), "wizard")).flatMap((each) => keysOf(each)),
);
const translations = languageCodes.filter((code) => code !== "en");

/** Visits the screens in a pseudo-language: complete, in the right direction, as wide as the window. */
const readPseudo = async (
  opened: OpenedWizard,
  made: WizardImportUnderTest,
  screens: readonly string[],
  language: "en-XA" | "en-XB",
) => {
  const { page, watch } = opened;
  await eachScreen(fixture, opened, made, screens, async (screen) => {
    const html = page.locator("html");
    expect(await html.getAttribute("dir"), screen).toBe(language === "en-XB" ? "rtl" : "ltr");
    // The proof looks at each of them in every way.
    const found = language === "en-XA" ? await axeNarrow(page) : await axe(page);
    expect(found, screen).toEqual([]);
    expect(await sidewaysScroll(page, 320), screen).toBe(0);
    expect(await page.locator("main h1:not(.vh)").textContent(), screen).not.toMatch(/^[ -~]*$/);
    if (language === "en-XA") expect.soft(await plainTexts(page, "main"), screen).toEqual([]);
    if (language === "en-XB") await shoot(page, `language-${language}-${screen}`, { schemes: ["light"] });
  });
  return watch.violations();
};

// Longer, and from right to left: one of them each, by chance. The proof shows both.
const pseudo = ["en-XA", "en-XB"] as const;
const offset = Math.floor(Math.random() * pseudo.length);
test.each(
  Object.entries(screensByState).map(
    ([state, made], index) => [state, pseudo[(offset + index) % pseudo.length] ?? "en-XA", made] as const,
  ),
)("an import that is %s, in the pseudo-language %s", async (_, language, { screens, make }) => {
  const made = await make(fixture);
  const opened = await browser.openWizard(made, { language });
  expect(await readPseudo(opened, made, screens, language)).toEqual([]);
});

// A language each, all of them together: the proof `npm run prove:languages` shows every state in every language, and looks closer.
test.each(
  Object.entries(screensByState).map(
    ([state, made], index) => [state, translations[index % translations.length] ?? "", made] as const,
  ),
)(
  "an import that is %s, in %s: nothing in English, no key, as wide as the window",
  async (_, language, { screens, make }) => {
    const made = await make(fixture);
    const english = new Map<string, readonly string[]>();
    const first = await browser.openWizard(made, { language: "en" });
    await eachScreen(fixture, first, made, screens, async (screen) => {
      // "In Acme Desk" is the same in German.
      const texts = await plainTexts(first.page, "body");
      english.set(
        screen,
        texts.filter((text) => text.split(" ").length > 3),
      );
    });
    expect([...english.values()].flat().length).toBeGreaterThan(20);
    const opened = await browser.openWizard(made, { language });
    const { page, watch } = opened;
    await eachScreen(fixture, opened, made, screens, async (screen) => {
      const where = `${language} ${screen}`;
      expect(await page.locator("html").getAttribute("lang"), where).toBe(language);
      const shown = new Set(await plainTexts(page, "body"));
      expect
        .soft(
          english.get(screen)?.filter((text) => shown.has(text)),
          where,
        )
        .toEqual([]);
      expect(await shownKeys(page, keys), where).toEqual([]);
      expect.soft(await sidewaysScroll(page, 320), where).toBe(0);
      await shoot(page, `language-${language}-${screen}`, { schemes: ["light"] });
    });
    expect(watch.errors).toEqual([]);
  },
);

test("a language is chosen by keyboard in the footer, and remembered", async () => {
  const made = await fixture.newImport();
  const { page, context } = await browser.openWizard(made);
  const choice = page.locator("footer select");
  await choice.focus();
  await page.keyboard.type("Fr");
  await expect.poll(() => page.locator("html").getAttribute("lang")).toBe("fr");
  expect(await choice.locator("option:checked").textContent()).toBe("Français");
  expect(
    await choice.locator("option").evaluateAll((all) => all.map((each) => each.getAttribute("lang"))),
  ).toEqual([...languageCodes]);
  await page.reload();
  await page.locator("main h1:not(.vh)").waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("fr");
  const { value } = (await context.cookies()).find(({ name }) => name === "portage-language") ?? {};
  expect(value).toBe("fr");
  // A page of the server, which runs no wizard.
  await page.goto(`${fixture.url}/imports/${made.id}/${"0".repeat(32)}`);
  expect(await page.locator("html").getAttribute("lang")).toBe("fr");
  expect(await page.locator("h1").textContent()).toBe("Nous ne trouvons pas ce transfert");
  expect(await axe(page)).toEqual([]);
});
