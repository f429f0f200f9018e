import { CircleX, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Icon, type LucideIcon } from "./icon.tsx";
import "./styles/review.css";

type WarningTone = "bad" | "warn" | "info";

export interface ShownWarning {
  readonly key: string;
  readonly tone: WarningTone;
  readonly title: ReactNode;
  /** An example, or the fix. */
  readonly text?: ReactNode;
  /** Belongs to it, such as a form: below the text. */
  readonly below?: ReactNode;
  /** "14 tickets" */
  readonly count?: ReactNode;
}

const icons: Readonly<Record<WarningTone, LucideIcon>> = { bad: CircleX, warn: TriangleAlert, info: Info };

/** Warnings, one line per cause. The caller puts the worst first. */
export const Warnings = ({ warnings, label }: { warnings: readonly ShownWarning[]; label: string }) => (
  <ul className="warns" aria-label={label}>
    {warnings.map(({ key, tone, title, text, below, count }) => (
      <li key={key} className={`is-${tone}`}>
        <Icon of={icons[tone]} />
        <b>{title}</b>
        <span className="n num">{count}</span>
        {text !== undefined && <p>{text}</p>}
        {below !== undefined && <div className="below">{below}</div>}
      </li>
    ))}
  </ul>
);
