import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ConsoleLink } from "./navigation.tsx";

interface PagesProps {
  /** Null: this is the first. */
  readonly first: string | null;
  /** Null: this is the last. */
  readonly next: string | null;
  readonly children?: ReactNode;
}

/** From page to page. Earlier ones are behind the browser's own way back. */
export const Pages = ({ first, next, children }: PagesProps) => {
  const { t } = useTranslation("shell");
  if (first === null && next === null && children === undefined) return null;
  return (
    <footer className="between">
      <span className="dim num">{children}</span>
      {(first !== null || next !== null) && (
        <nav className="row" aria-label={t("pages")}>
          {first !== null && (
            <ConsoleLink className="btn secondary sm" to={first}>
              {t("first")}
            </ConsoleLink>
          )}
          {next !== null && (
            <ConsoleLink className="btn secondary sm" to={next}>
              {t("next")}
            </ConsoleLink>
          )}
        </nav>
      )}
    </footer>
  );
};
