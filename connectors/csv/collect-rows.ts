import type { FamilyRecord } from "@portage/connector-kit";
import type { TableRow } from "./csv-rows.ts";
import type { RecordMaker, RowProblem } from "./to-record.ts";

/** Collects the records of some rows, and the rows that can't be used, repeated keys among them. */
export const createRowCollector = (maker: RecordMaker, width: number) => {
  const records: FamilyRecord[] = [];
  const problems: RowProblem[] = [];
  const seen = new Map<string, number>();
  const take = (row: TableRow): void => {
    const made = maker.make(row, width);
    if (made.kind === "unreadable") problems.push(made);
    if (made.kind !== "record") return;
    const before = seen.get(made.record.id);
    if (before === undefined) {
      seen.set(made.record.id, row.row);
      records.push(made.record);
      return;
    }
    problems.push({
      kind: "unreadable",
      row: row.row,
      column: maker.keyColumn,
      unreadable: {
        id: `row-${row.row}`,
        code: "key_twice",
        message: `Row ${row.row} has the same key as row ${before}. Give it another one, delete it, or choose a key column without repetitions.`,
      },
    });
  };
  return { take, records, problems };
};
