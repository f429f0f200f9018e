import { type ReactNode, useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { LocaleProvider, type UiStrings } from "../../ui/locale.tsx";
import { english, type Language, languages, pseudoLanguages } from "./languages.ts";

export const useLanguage = (): Language => {
  const { i18n } = useTranslation("shell");
  return [...languages, ...pseudoLanguages].find(({ code }) => code === i18n.language) ?? english;
};

/** Supplies the components' texts, and sets the page's language and direction. */
export const UiLocale = ({ children }: { children: ReactNode }) => {
  const { t } = useTranslation("shell");
  const { code, dir } = useLanguage();
  useEffect(() => {
    document.documentElement.lang = code;
    document.documentElement.dir = dir;
  }, [code, dir]);
  const speech = useMemo(
    () => ({ words: t("ui", { returnObjects: true }) as UiStrings, locale: code }),
    [t, code],
  );
  return <LocaleProvider speech={speech}>{children}</LocaleProvider>;
};
