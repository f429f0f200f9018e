import { createInstance, type i18n as I18n } from "i18next";
import { initReactI18next } from "react-i18next/initReactI18next";
import shell from "./en/shell.json" with { type: "json" };
import { english, type Language, pseudoLanguages } from "./languages.ts";
import type { Catalogue } from "./pseudo.ts";

const catalogues = import.meta.glob<Catalogue>(["./*/*.json", "!./en/shell.json"], {
  import: "default",
});
const bundled = { [`./${english.code}/shell.json`]: () => Promise.resolve<Catalogue>(shell) };

const load = async (code: string, namespace: string): Promise<Catalogue> => {
  const pseudo = pseudoLanguages.some((each) => each.code === code);
  const found = { ...catalogues, ...bundled }[`./${pseudo ? english.code : code}/${namespace}.json`];
  if (!found) throw new Error(`The catalogue ${namespace} does not exist in ${code}.`);
  const catalogue = await found();
  return pseudo ? (await import("./pseudo.ts")).pseudoCatalogue(code, catalogue) : catalogue;
};

/** Creates i18next: the frame's texts are bundled, those of a screen load with the screen. */
export const createI18n = async (language: Language): Promise<I18n> => {
  const i18n = createInstance();
  await i18n
    .use({
      type: "backend",
      init: () => {},
      read: (
        code: string,
        namespace: string,
        done: (error: Error | null, found: Catalogue | null) => void,
      ) => {
        load(code, namespace).then(
          (found) => done(null, found),
          (error: Error) => done(error, null),
        );
      },
    })
    .use(initReactI18next)
    .init({
      lng: language.code,
      // Every catalogue is complete (npm run texts), so English is not loaded beside another language.
      fallbackLng: false,
      load: "currentOnly",
      ns: ["shell"],
      defaultNS: "shell",
      partialBundledLanguages: true,
      resources: { en: { shell } },
      // React escapes already.
      interpolation: { escapeValue: false },
      react: { useSuspense: true },
    });
  return i18n;
};
