import { LRUCache } from "lru-cache";
import type { StoredFile } from "./file-store.ts";
import { csvRows, type TableRow } from "./csv-rows.ts";
import type { FileChoice } from "./settings.ts";
import type { Opened } from "./open-table.ts";
import { createRowEntries, type Entry, type RowEntries } from "./row-entries.ts";
import { rowsFrom } from "./table.ts";
import type { RecordMaker } from "./to-record.ts";
import { createTextSpool, type TextSpool } from "./xlsx/text-spool.ts";

/** Row numbers. */
export interface RowRange {
  readonly from: number;
  /** The first row after it. */
  readonly to: number;
}

/** Where the rows of a table are, by their keys. */
export interface RowIndex {
  /** The number of columns. */
  readonly width: number;
  /** The rows with these keys, and maybe others. */
  read(file: StoredFile, ids: readonly string[]): AsyncGenerator<readonly TableRow[]>;
  /** By its number; null: there is none. */
  rowAt(file: StoredFile, row: number): Promise<TableRow | null>;
  /** Of these keys those that a row of the range has, with the first such row. `keyOf`: the key of a row that counts, else null. */
  findFirst(
    file: StoredFile,
    ids: readonly string[],
    range: RowRange,
    keyOf: (row: TableRow) => string | null,
  ): Promise<ReadonlyMap<string, number>>;
  close(): void;
}

async function* readRows(
  { place }: Opened,
  file: StoredFile,
  wanted: Iterable<Entry>,
  spool: TextSpool | null,
): AsyncGenerator<readonly TableRow[]> {
  if (spool) {
    for (const { entry, row } of wanted)
      yield [{ row, cells: JSON.parse(spool.get(entry)) as string[], end: 0, fault: null }];
    return;
  }
  if (place.format !== "csv") return;
  let readTo = 0;
  for (const { start, row } of wanted) {
    // Rows close to each other come in one window.
    if (start < readTo) continue;
    for await (const rows of csvRows(file, place, { offset: start, row })) {
      readTo = rows.at(-1)?.end ?? start;
      yield rows;
      break;
    }
  }
}

const indexOf = (opened: Opened, entries: RowEntries, spool: TextSpool | null): RowIndex => {
  let readers = 0;
  let isClosed = false;
  const closeIfUnused = () => {
    if (!isClosed || readers > 0) return;
    spool?.close();
    entries.close();
  };
  async function* read(file: StoredFile, wanted: Iterable<Entry>) {
    readers += 1;
    try {
      yield* readRows(opened, file, wanted, spool);
    } finally {
      readers -= 1;
      closeIfUnused();
    }
  }
  return {
    width: opened.width,
    read: (file, ids) => read(file, entries.find(ids)),
    async rowAt(file, row) {
      const entry = entries.at(row);
      for await (const rows of read(file, entry ? [entry] : []))
        return rows.find((each) => each.row === row) ?? null;
      return null;
    },
    async findFirst(file, ids, { from, to }, keyOf) {
      const found = new Map<string, number>();
      /** A place after which each key is looked for: a row, and its last entry before. */
      type After = readonly [id: string, row: number, entry?: Entry];
      const candidates = (of: readonly After[]) =>
        new Map(
          of.flatMap(([id, row, entry]) => {
            let at = entries.nextOf(id, entry);
            while (at && at.row <= row) at = entries.nextOf(id, at);
            return at && at.row < to ? [[id, at] as const] : [];
          }),
        );
      readers += 1;
      try {
        let open = candidates(ids.map((id) => [id, from - 1]));
        while (open.size > 0) {
          const windows: RowRange[] = [];
          const wanted = [...open.values()].toSorted((a, b) => a.entry - b.entry);
          for await (const rows of read(file, wanted)) {
            windows.push({ from: rows[0]?.row ?? 0, to: rows.at(-1)?.row ?? 0 });
            for (const row of rows) {
              const key = row.row >= from && row.row < to ? keyOf(row) : null;
              if (key !== null && open.has(key) && row.row < (found.get(key) ?? to)) found.set(key, row.row);
            }
          }
          // Those that only had the same hash, or did not count: the next ones, after the rows that were read with them.
          const readTo = ({ row }: Entry) =>
            windows.find((window) => window.from <= row && row <= window.to)?.to ?? row;
          open = candidates(
            [...open].flatMap(([id, at]): After[] => (found.has(id) ? [] : [[id, readTo(at), at]])),
          );
        }
        return found;
      } finally {
        readers -= 1;
        closeIfUnused();
      }
    },
    close() {
      isClosed = true;
      // Readers under way go on.
      closeIfUnused();
    },
  };
};

/** Reads a table once and keeps where its rows are: without it, each lookup would read the file from its start. */
export const buildRowIndex = async (
  opened: Opened,
  choice: FileChoice,
  maker: Pick<RecordMaker, "idOf">,
  { tempFolder, signal, held }: { tempFolder: string; signal: AbortSignal; held?: number },
): Promise<RowIndex> => {
  const { file, place } = opened;
  const entries = createRowEntries({ tempFolder, ...(held === undefined ? {} : { held }) });
  const spool = place.format === "xlsx" ? createTextSpool(tempFolder) : null;
  let start = place.format === "csv" ? place.offset : 0;
  try {
    for await (const rows of await rowsFrom(file, choice, place, tempFolder)) {
      signal.throwIfAborted();
      for (const row of rows) {
        entries.add(maker.idOf(row) ?? `row-${row.row}`, start, row.row);
        spool?.add(JSON.stringify(row.cells));
        start = row.end;
      }
    }
  } catch (error) {
    spool?.close();
    entries.close();
    throw error;
  }
  entries.seal();
  return indexOf(opened, entries, spool);
};

/** The indexes of the tables in use. Callers at the same time share one that is being built. */
export const createRowIndexes = (max = 2, ttlMs = 120_000) => {
  const kept = new LRUCache<string, Promise<RowIndex>>({
    max,
    ttl: ttlMs,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    // An index that failed has nothing to close.
    dispose: (index) => void index.then((built) => built.close()).catch(() => {}),
  });
  return async (key: string, build: () => Promise<RowIndex>): Promise<RowIndex> => {
    for (let known = kept.get(key); known; known = kept.get(key)) {
      // It ends with the caller that began it: then another one builds its own, and gets its own error.
      const index = await known.catch(() => undefined);
      if (index !== undefined) return index;
    }
    const building = build();
    kept.set(key, building);
    building.catch(() => {
      if (kept.get(key) === building) kept.delete(key);
    });
    return building;
  };
};
