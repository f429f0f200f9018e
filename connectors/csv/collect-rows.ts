import type { FamilyRecord, Unreadable } from "@portage/connector-kit";
import type { TableRow } from "./csv-rows.ts";
import type { RecordMaker, RowProblem } from "./to-record.ts";

/** A row that can't be used, as it is reported. */
export interface ReportedRow extends Pick<RowProblem, "row" | "column"> {
  readonly unreadable: Unreadable;
}

/** The id of a row that has no key, or one that another row has. */
export const positionOf = (row: number): string => `row-${row}`;

/**
 * Collects the records of some rows, and the rows that can't be used, repeated keys among them. A key belongs to the first record
 * that has it, or else to the first row: all others are known by their position, so that each row has its own outcome.
 */
export const createRowCollector = (maker: RecordMaker, width: number) => {
  const records = new Map<string, FamilyRecord>();
  const problems: RowProblem[] = [];
  /** The rows of the records, by key. */
  const recordRows = new Map<string, number>();
  /** The keys of all rows. */
  const named = new Set<string>();
  /** The unusable rows that their keys belong to. */
  const owners = new Map<string, RowProblem>();
  const report = (row: number, before: number) =>
    problems.push({
      kind: "unreadable",
      row,
      column: maker.keyColumn,
      key: null,
      code: "key_twice",
      message: `Row ${row} has the same key as row ${before}. Give it another one, delete it, or choose a key column without repetitions.`,
    });
  const takeRecord = (record: FamilyRecord, row: number) => {
    const before = recordRows.get(record.id);
    if (before !== undefined) {
      report(row, before);
      return;
    }
    recordRows.set(record.id, row);
    records.set(record.id, record);
    owners.delete(record.id);
    named.add(record.id);
  };
  const takeProblem = (problem: RowProblem) => {
    problems.push(problem);
    const { key } = problem;
    if (key === null || named.has(key)) return;
    named.add(key);
    owners.set(key, problem);
  };
  const reported = (problem: RowProblem): ReportedRow => {
    const { row, column, key, code, message } = problem;
    const isOwner = key !== null && owners.get(key) === problem;
    return { row, column, unreadable: { id: isOwner ? key : positionOf(row), code, message } };
  };
  return {
    take(row: TableRow): void {
      const made = maker.make(row, width);
      if (made.kind === "unreadable") takeProblem(made);
      if (made.kind === "record") takeRecord(made.record, row.row);
    },
    /** Keys that records of earlier rows have already. */
    leaveOut(earlier: ReadonlyMap<string, number>): void {
      for (const [key, before] of earlier) {
        report(recordRows.get(key) ?? 0, before);
        records.delete(key);
      }
    },
    /** Keys of unusable rows that belong to another row. */
    disown(keys: Iterable<string>): void {
      for (const key of keys) owners.delete(key);
    },
    recordKeys: (): readonly string[] => [...recordRows.keys()],
    problemKeys: (): readonly string[] => [...owners.keys()],
    records,
    problems: (): readonly ReportedRow[] => problems.map(reported),
    /** How many rows were usable or not; blank ones are neither. */
    count: () => records.size + problems.length,
  };
};

export type RowCollector = ReturnType<typeof createRowCollector>;
