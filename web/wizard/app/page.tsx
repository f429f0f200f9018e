import { type ReactNode, useEffect } from "react";
import { classNames } from "../../ui/class-names.ts";
import { useImport } from "../api/queries.ts";

interface PageProps {
  /** How things stand, first words of the window's title: "46% moved". */
  readonly title: string;
  /** 640 px for one form, 820 for reports, all of it for things side by side. */
  readonly width?: "narrow" | "mid" | "wide";
  readonly children: ReactNode;
}

/** What every screen is: one main part and a title that begins with the state. */
export const Page = ({ title, width = "wide", children }: PageProps) => {
  const { partner } = useImport();
  useEffect(() => {
    document.title = `${title} · ${partner.name}`;
  }, [title, partner.name]);
  return (
    <main id="main" className={classNames("wz-main", width !== "wide" && width)}>
      {children}
    </main>
  );
};

interface PageHeadProps {
  readonly eyebrow?: ReactNode;
  readonly title: ReactNode;
  readonly lead?: ReactNode;
}

export const PageHead = ({ eyebrow, title, lead }: PageHeadProps) => (
  <div className="head">
    {eyebrow !== undefined && <div className="eyebrow">{eyebrow}</div>}
    <h1 tabIndex={-1}>{title}</h1>
    {lead !== undefined && <p className="lead">{lead}</p>}
  </div>
);
