import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import "./styles/match.css";

interface MatchCellsProps {
  readonly from: ReactNode;
  /** Select or Combobox, with its own accessible name. */
  readonly to: ReactNode;
  /** The confidence (StatusWord) and its reason. */
  readonly note?: ReactNode;
}

/** One match: the content of a row in a list with the class `pairs`. */
export const MatchCells = ({ from, to, note }: MatchCellsProps) => (
  <>
    <div className="who">{from}</div>
    <Icon of={ArrowRight} className="arrow flip" />
    <div>{to}</div>
    {note !== undefined && <div className="sug">{note}</div>}
  </>
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
