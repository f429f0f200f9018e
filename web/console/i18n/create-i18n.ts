import { createInstance, type i18n as I18n } from "i18next";
import { initReactI18next } from "react-i18next/initReactI18next";
import { catalogues } from "./catalogues.ts";

/** Creates i18next with all catalogues: the console has one language, so they are small enough. */
export const createI18n = async (): Promise<I18n> => {
  const i18n = createInstance();
  await i18n.use(initReactI18next).init({
    lng: "en",
    fallbackLng: false,
    ns: Object.keys(catalogues),
    defaultNS: "shell",
    resources: { en: catalogues },
    // React escapes already.
    interpolation: { escapeValue: false },
  });
  return i18n;
};
