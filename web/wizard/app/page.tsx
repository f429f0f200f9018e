import { type ReactNode, useEffect } from "react";
import { classNames } from "../../ui/class-names.ts";
import { unbroken } from "../../ui/unbroken.tsx";
import { useImport } from "../api/queries.ts";

interface PageProps {
  /** The state, which begins the window's title: "46% moved". */
  readonly title: string;
  /** 640 px for one form, 820 for reports, full width for columns side by side. */
  readonly width?: "narrow" | "mid" | "wide";
  readonly children: ReactNode;
}

/** The base of every screen: one `main` and a window title that begins with the state. */
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
    <h1 tabIndex={-1}>{unbroken(title)}</h1>
    {lead !== undefined && <p className="lead">{lead}</p>}
  </div>
);
