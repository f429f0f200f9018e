import type { FamilyRecord } from "@portage/connector-kit";
import type { TableRow } from "./csv-rows.ts";
import type { RecordMaker, RowProblem } from "./to-record.ts";

/** Collects the records of some rows, and the rows that can't be used, repeated keys among them. */
export const createRowCollector = (maker: RecordMaker, width: number) => {
  const records = new Map<string, FamilyRecord>();
  const problems: RowProblem[] = [];
  /** The row of each key. */
  const seen = new Map<string, number>();
  const report = (row: number, before: number) =>
    problems.push({
      kind: "unreadable",
      row,
      column: maker.keyColumn,
      unreadable: {
        id: `row-${row}`,
        code: "key_twice",
        message: `Row ${row} has the same key as row ${before}. Give it another one, delete it, or choose a key column without repetitions.`,
      },
    });
  return {
    take(row: TableRow): void {
      const made = maker.make(row, width);
      if (made.kind === "unreadable") problems.push(made);
      if (made.kind !== "record") return;
      const before = seen.get(made.record.id);
      if (before !== undefined) {
        report(row.row, before);
        return;
      }
      seen.set(made.record.id, row.row);
      records.set(made.record.id, made.record);
    },
    /** Keys that rows before the collected ones have already: the first row wins. */
    leaveOut(earlier: ReadonlyMap<string, number>): void {
      for (const [key, before] of earlier) {
        report(seen.get(key) ?? 0, before);
        records.delete(key);
      }
    },
    seen: seen as ReadonlyMap<string, number>,
    records,
    problems,
  };
};
