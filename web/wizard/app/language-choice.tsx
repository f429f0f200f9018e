import { useTranslation } from "react-i18next";
import { keepInCookie, keepLanguage, offeredLanguages } from "../i18n/languages.ts";
import { useLanguage } from "../i18n/ui-locale.tsx";
import { browserStorage } from "./browser-storage.ts";

/** Shown only if there is more than one language. */
export const LanguageChoice = () => {
  const { t, i18n } = useTranslation("shell");
  const language = useLanguage();
  const storage = browserStorage();
  const offered = offeredLanguages({ storage });
  if (offered.length < 2) return null;
  const choose = (code: string) => {
    const chosen = offered.find((each) => each.code === code);
    if (!chosen) return;
    keepLanguage(storage, chosen);
    keepInCookie(document, chosen);
    void i18n.changeLanguage(code);
  };
  return (
    <label className="lang">
      <span className="vh">{t("language")}</span>
      <select value={language.code} onChange={(event) => choose(event.target.value)}>
        {offered.map(({ code, name }) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
};
