import type { ReactNode } from "react";
import { Icon, type LucideIcon } from "../../ui/icon.tsx";
import type { Tone } from "../../ui/tone.ts";
import { unbroken } from "../../ui/unbroken.tsx";

interface BigMessageProps {
  readonly icon: LucideIcon;
  readonly tone: Tone;
  readonly title: string;
  readonly lead: string;
  readonly children?: ReactNode;
}

/** A full-page message. */
export const BigMessage = ({ icon, tone, title, lead, children }: BigMessageProps) => (
  <>
    <div className="center">
      <span className={`bigic is-${tone}`}>
        <Icon of={icon} />
      </span>
      <h1 tabIndex={-1}>{unbroken(title)}</h1>
      <p className="lead">{lead}</p>
    </div>
    {children}
  </>
);
