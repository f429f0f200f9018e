import type { RowCollector } from "./collect-rows.ts";
import type { TableRow } from "./csv-rows.ts";
import type { StoredFile } from "./file-store.ts";
import type { RowIndex, RowRange } from "./row-index.ts";
import type { RecordMaker } from "./to-record.ts";

/** Compares the keys of some rows with those of all rows before and after them. */
export const settleKeys = async (
  rows: RowCollector,
  { from, to }: RowRange,
  { file, index, maker }: { file: StoredFile; index: RowIndex; maker: RecordMaker },
): Promise<void> => {
  const rowsWith = (keys: readonly string[], range: RowRange, isMeant: (row: TableRow) => boolean) => {
    const wanted = new Set(keys);
    return index.findFirst(file, keys, range, (row) => {
      const key = maker.idOf(row);
      return key !== null && wanted.has(key) && isMeant(row) ? key : null;
    });
  };
  const isRecord = (row: TableRow) => maker.make(row, index.width).kind === "record";
  const before = { from: 0, to: from };
  rows.leaveOut(await rowsWith(rows.recordKeys(), before, isRecord));
  rows.disown((await rowsWith(rows.problemKeys(), before, () => true)).keys());
  rows.disown(
    (await rowsWith(rows.problemKeys(), { from: to, to: Number.POSITIVE_INFINITY }, isRecord)).keys(),
  );
};
