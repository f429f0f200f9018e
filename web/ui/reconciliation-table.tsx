import { Check, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { Icon } from "./icon.tsx";
import "./styles/done.css";
import "./styles/table.css";
import { useFormats } from "./use-formats.ts";

export interface ReconRow {
  readonly key: string;
  readonly name: ReactNode;
  readonly counts: readonly number[];
  readonly addsUp: boolean;
}

/** A kind of record that did not move; no total includes it. */
export interface LeftRow {
  readonly key: string;
  readonly name: ReactNode;
  /** Null: not counted. */
  readonly count: number | null;
  readonly note: string;
}

interface ReconProps {
  readonly caption: string;
  /** Column heads: the first column, each column of counts, and the last, which says whether a row adds up. */
  readonly heads: { readonly name: string; readonly counts: readonly string[]; readonly check: string };
  readonly words: { readonly addsUp: string; readonly differs: string; readonly uncounted: string };
  readonly rows: readonly ReconRow[];
  readonly total?: ReconRow;
  readonly left?: readonly LeftRow[];
  /** The column of counts that should be zero. */
  readonly alarm?: number;
}

const Line = ({
  row,
  heads,
  words,
  alarm,
}: { row: ReconRow } & Pick<ReconProps, "heads" | "words" | "alarm">) => {
  const formats = useFormats();
  return (
    <tr role="row">
      <th scope="row" role="rowheader">
        {row.name}
      </th>
      {row.counts.map((count, index) => (
        <td
          key={heads.counts[index]}
          role="cell"
          className={classNames("r num", index === alarm && count > 0 && "bad font-semibold")}
          data-l={heads.counts[index]}
        >
          {formats.count(count)}
        </td>
      ))}
      <td role="cell" className="chk">
        <span className={row.addsUp ? "word is-ok" : "word is-warn"}>
          <Icon of={row.addsUp ? Check : TriangleAlert} />
          {row.addsUp ? words.addsUp : words.differs}
        </span>
      </td>
    </tr>
  );
};

const LeftLine = ({ row, heads, words }: { row: LeftRow } & Pick<ReconProps, "heads" | "words">) => {
  const formats = useFormats();
  return (
    <tr role="row" className="left">
      <th scope="row" role="rowheader">
        {row.name}
      </th>
      <td role="cell" className="r num" data-l={heads.counts[0]}>
        {row.count === null ? words.uncounted : formats.count(row.count)}
      </td>
      <td role="cell" className="note" colSpan={heads.counts.length}>
        {row.note}
      </td>
    </tr>
  );
};

/** The reconciliation table, by kind: each row says whether it adds up. On a phone each row is a card. */
export const ReconciliationTable = ({ caption, heads, words, rows, total, left, alarm = -1 }: ReconProps) => (
  <table className="table recon" role="table">
    <caption className="vh">{caption}</caption>
    <thead role="rowgroup">
      <tr role="row">
        <th scope="col" role="columnheader">
          {heads.name}
        </th>
        {heads.counts.map((head) => (
          <th key={head} scope="col" role="columnheader" className="r">
            {head}
          </th>
        ))}
        <th scope="col" role="columnheader">
          {heads.check}
        </th>
      </tr>
    </thead>
    <tbody role="rowgroup">
      {rows.map((row) => (
        <Line key={row.key} row={row} heads={heads} words={words} alarm={alarm} />
      ))}
    </tbody>
    {total && (
      <tfoot role="rowgroup">
        <Line row={total} heads={heads} words={words} alarm={alarm} />
        {left?.map((row) => (
          <LeftLine key={row.key} row={row} heads={heads} words={words} />
        ))}
      </tfoot>
    )}
  </table>
);
