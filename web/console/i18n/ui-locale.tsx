import { type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { LocaleProvider, type UiStrings } from "../../ui/locale.tsx";

/** Supplies the components' texts; dates and numbers are those of the browser's locale. */
export const UiLocale = ({ children }: { children: ReactNode }) => {
  const { t } = useTranslation("shell");
  const speech = useMemo(
    () => ({
      words: t("ui", { returnObjects: true }) as UiStrings,
      // The words around them are English: "2. Nov." would read as a mistake between them.
      locale: navigator.languages.find((each) => /^en\b/i.test(each)) ?? "en",
    }),
    [t],
  );
  return <LocaleProvider speech={speech}>{children}</LocaleProvider>;
};
