import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { Icon } from "./icon.tsx";
import "./styles/match.css";

interface MatchRowProps {
  readonly from: ReactNode;
  /** Select or Combobox, with a name that says what it is for. */
  readonly to: ReactNode;
  /** How sure we are (StatusWord), and why. */
  readonly note?: ReactNode;
  /** Nobody has decided yet. */
  readonly open?: boolean;
}

/** Who or what goes where: what stands in a row of a list with the class `pairs`. */
export const MatchCells = ({ from, to, note }: Omit<MatchRowProps, "open">) => (
  <>
    <div className="who">{from}</div>
    <Icon of={ArrowRight} className="arrow flip" />
    <div>{to}</div>
    {note !== undefined && <div className="sug">{note}</div>}
  </>
);

/** The same as a row. Stands in a `<ul className="pairs">`. */
export const MatchRow = ({ open, ...cells }: MatchRowProps) => (
  <li className={classNames(open && "ask")}>
    <MatchCells {...cells} />
  </li>
);

const initials = (name: string): string =>
  [...name.matchAll(/(?:^|\s)(\p{L})/gu)]
    .map(([, letter = ""]) => letter)
    .filter((_, index, all) => index === 0 || index === all.length - 1)
    .join("")
    .toUpperCase();

/** A person, by name and address. */
export const Person = ({ name, detail }: { name: string; detail?: ReactNode }) => (
  <>
    <span className="avatar" aria-hidden="true">
      {initials(name)}
    </span>
    <div>
      <b>{name}</b>
      {detail !== undefined && <div className="hint clip">{detail}</div>}
    </div>
  </>
);
