import type { ReactNode } from "react";
import "./styles/match.css";
import { Tile } from "./tile.tsx";

interface Side {
  readonly tool: string;
  readonly caption: ReactNode;
}

interface PairedField {
  readonly key: string;
  /** Left out for the title of the record. */
  readonly name?: string;
  readonly before: ReactNode;
  readonly after: ReactNode;
  readonly changed: boolean;
  /** Why the values differ. */
  readonly reason?: { readonly text: ReactNode; readonly isLost: boolean } | undefined;
}

interface BeforeAfterProps {
  /** The accessible name. */
  readonly caption: string;
  readonly before: Side;
  readonly after: Side;
  readonly fields: readonly PairedField[];
}

const marked = (value: ReactNode, changed: boolean) => (changed ? <mark>{value}</mark> : value);

/** The same record before and after the move, field by field: both sides of a field are in one row. */
export const BeforeAfter = ({ caption, before, after, fields }: BeforeAfterProps) => (
  <table className="duo" role="table">
    <caption className="vh">{caption}</caption>
    <thead role="rowgroup">
      <tr role="row">
        {[before, after].map(({ tool, caption: text }, index) => (
          <th key={tool} scope="col" role="columnheader" className="cap">
            <Tile name={tool} size="s" brand={index === 1} />
            <span>{text}</span>
          </th>
        ))}
      </tr>
    </thead>
    <tbody role="rowgroup">
      {fields.map(({ key, name, before: was, after: is, changed, reason }) => (
        <tr key={key} role="row" className={name === undefined ? "subj" : undefined}>
          {name !== undefined && (
            <th scope="row" role="rowheader">
              {name}
            </th>
          )}
          <td role="cell">{marked(was, changed)}</td>
          <td role="cell">
            {marked(is, changed)}
            {reason && <span className={reason.isLost ? "why lost" : "why"}>{reason.text}</span>}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
