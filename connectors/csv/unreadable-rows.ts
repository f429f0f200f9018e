import type { Unreadable } from "@portage/connector-kit";
import { createRowCollector, positionOf } from "./collect-rows.ts";
import type { StoredFile } from "./file-store.ts";
import type { RowIndex } from "./row-index.ts";
import { settleKeys } from "./settle-keys.ts";
import type { RecordMaker } from "./to-record.ts";

interface Table {
  readonly file: StoredFile;
  readonly index: RowIndex;
  readonly maker: RecordMaker;
}

/** The unusable rows that these ids belong to, by their key or, without one, by their position. */
const ownRows = async ({ file, index, maker }: Table, ids: ReadonlySet<string>) => {
  const found = new Map<string, Unreadable>();
  for await (const rows of index.read(file, [...ids]))
    for (const row of rows) {
      const id = maker.idOf(row) ?? positionOf(row.row);
      if (!ids.has(id) || found.has(id)) continue;
      const made = maker.make(row, index.width);
      if (made.kind === "unreadable") found.set(id, { id, code: made.code, message: made.message });
    }
  return found;
};

/** What became of a row that was known by its position, and has a key. */
const rowWithKey = async (table: Table, id: string): Promise<Unreadable | null> => {
  const number = Number(/^row-(\d{1,10})$/.exec(id)?.[1]);
  const row = Number.isInteger(number) ? await table.index.rowAt(table.file, number) : null;
  if (!row) return null;
  const alone = createRowCollector(table.maker, table.index.width);
  alone.take(row);
  await settleKeys(alone, { from: number, to: number + 1 }, table);
  const [problem] = alone.problems();
  if (problem?.unreadable.id === id) return problem.unreadable;
  if (alone.count() === 0) return null;
  return {
    id,
    code: "id_changed",
    message: `Row ${number} has a key of its own now. Bring over changes: that copies it.`,
    elsewhere: true,
  };
};

/** Of ids without a record, the rows that are there and can't be used, or are known by another id. */
export const unreadableRows = async (
  table: Table,
  ids: readonly string[],
): Promise<readonly Unreadable[]> => {
  const own = await ownRows(table, new Set(ids));
  const found: Unreadable[] = [];
  for (const id of ids) {
    const reported = own.get(id) ?? (await rowWithKey(table, id));
    if (reported) found.push(reported);
  }
  return found;
};
