import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Mark } from "./mark.tsx";

/** A screen before there is a session: one narrow form. */
export const Outside = ({ title, children }: { title: string; children: ReactNode }) => {
  const { t } = useTranslation("shell");
  useEffect(() => {
    document.title = `${title} · ${t("product")}`;
  }, [title, t]);
  return (
    <main id="main" className="c-narrow">
      <p className="mark">
        <Mark />
        {t("product")}
      </p>
      <h1 tabIndex={-1}>{title}</h1>
      {children}
    </main>
  );
};
