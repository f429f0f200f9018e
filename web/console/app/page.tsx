import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";

interface PageProps {
  /** Also the window's title. */
  readonly title: string;
  readonly crumbs?: ReactNode;
  /** Beside the title: a state. */
  readonly beside?: ReactNode;
  /** At the end of the title's line: actions. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The base of every screen: one `main` with one `h1`. */
export const Page = ({ title, crumbs, beside, actions, children }: PageProps) => {
  const { t } = useTranslation("shell");
  useEffect(() => {
    document.title = `${title} · ${t("product")}`;
  }, [title, t]);
  return (
    <main id="main" className="c-main">
      {crumbs}
      <div className="c-head">
        <h1 tabIndex={-1}>{title}</h1>
        {beside}
        {actions !== undefined && <div className="push">{actions}</div>}
      </div>
      {children}
    </main>
  );
};
