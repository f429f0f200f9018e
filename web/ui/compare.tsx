import type { ReactNode } from "react";
import "./styles/match.css";
import "./styles/review.css";
import "./styles/table.css";

export interface ComparedField {
  readonly key: string;
  readonly name: ReactNode;
  readonly before: ReactNode;
  readonly after: ReactNode;
  /** Same; changed by the customer's matching; or lost. */
  readonly change: "same" | "matched" | "lost";
  /** Why the values differ. */
  readonly reason?: ReactNode;
  /** A button or link to fix the difference. */
  readonly action?: ReactNode;
}

interface CompareProps {
  readonly caption: string;
  readonly heads: { readonly name: string; readonly before: string; readonly after: string };
  readonly fields: readonly ComparedField[];
}

const After = ({ after, change, reason, action }: ComparedField) => (
  <>
    {change === "same" && action}
    {change === "matched" ? <mark>{after}</mark> : after}
    {reason !== undefined && <span className={change === "lost" ? "why lost" : "why"}>{reason}</span>}
    {change !== "same" && action}
  </>
);

/** One record in the source and in the destination, field by field. */
export const Compare = ({ caption, heads, fields }: CompareProps) => (
  <table className="table cmp" role="table">
    <caption className="vh">{caption}</caption>
    <thead role="rowgroup">
      <tr role="row">
        <th scope="col" role="columnheader">
          {heads.name}
        </th>
        <th scope="col" role="columnheader">
          {heads.before}
        </th>
        <th scope="col" role="columnheader">
          {heads.after}
        </th>
      </tr>
    </thead>
    <tbody role="rowgroup">
      {fields.map((field) => (
        <tr key={field.key} role="row">
          <th scope="row" role="rowheader">
            {field.name}
          </th>
          <td role="cell" data-l={heads.before}>
            {field.before}
          </td>
          <td role="cell" data-l={heads.after}>
            <After {...field} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
