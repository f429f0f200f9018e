import { type ReactNode, useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { SpeechProvider, type Words } from "../../ui/words.tsx";
import { english, type Language, languages, pseudoLanguages } from "./languages.ts";

export const useLanguage = (): Language => {
  const { i18n } = useTranslation("shell");
  return [...languages, ...pseudoLanguages].find(({ code }) => code === i18n.language) ?? english;
};

/** Gives the components their words, and the page its language and direction. */
export const Speech = ({ children }: { children: ReactNode }) => {
  const { t } = useTranslation("shell");
  const { code, dir } = useLanguage();
  useEffect(() => {
    document.documentElement.lang = code;
    document.documentElement.dir = dir;
  }, [code, dir]);
  const speech = useMemo(
    () => ({ words: t("ui", { returnObjects: true }) as Words, locale: code }),
    [t, code],
  );
  return <SpeechProvider speech={speech}>{children}</SpeechProvider>;
};
