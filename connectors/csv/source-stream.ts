import type { CustomField, FamilyRecord, FamilyStream, Io, SourceStream } from "@portage/connector-kit";
import { rowSize, type TableRow } from "./csv-rows.ts";
import { fileError } from "./file-error.ts";
import type { FileStore, StoredFile } from "./file-store.ts";
import type { CsvSettings, FileChoice } from "./settings.ts";
import { createRowCollector } from "./collect-rows.ts";
import { type Opened, openTable } from "./open-table.ts";
import { estimateRows, fromCursor, type Place, placeBehind, rowsFrom, toCursor } from "./table.ts";
import { customPrefix } from "./targets.ts";
import { buildRowIndex, createRowIndexes } from "./row-index.ts";
import { settleKeys } from "./settle-keys.ts";
import { createRecordMaker, type RecordMaker } from "./to-record.ts";
import { unreadableRows } from "./unreadable-rows.ts";
import { createParkedReaders, type RowReader } from "./xlsx/parked-readers.ts";

export interface PageLimits {
  readonly rows: number;
  /** Of all cells of a page; a page of long texts has fewer rows. */
  readonly characters: number;
}

export const pageLimits: PageLimits = { rows: 1_000, characters: 4_000_000 };

export interface CsvNeeds {
  readonly files: FileStore;
  readonly tempFolder: string;
  readonly page: PageLimits;
}

const customTypes = {
  text: "text",
  number: "number",
  boolean: "boolean",
  day: "date",
  moment: "moment",
  texts: "choices",
} as const;

const customFieldsOf = ({ columns }: FileChoice): readonly CustomField[] =>
  columns
    .filter(({ field }) => field.startsWith(customPrefix))
    .map(({ field, header, as = "text" }) => ({
      key: field.slice(customPrefix.length),
      label: header,
      type: customTypes[as],
      required: false,
      writable: false,
    }));

/** A family's stream, read from the file that the customer chose for it; empty without a file. */
export const createSourceStream = (
  stream: FamilyStream,
  { files, tempFolder, page }: CsvNeeds,
): SourceStream<FamilyRecord, CsvSettings> => {
  const parked = createParkedReaders();
  const indexes = createRowIndexes();

  const openFile = async ({ settings }: Io<CsvSettings>, { file: id }: FileChoice): Promise<StoredFile> => {
    const file = await files.open(settings.importId, id);
    if (!file)
      throw fileError(
        "file_missing",
        `The file for ${stream.label.toLowerCase()} is missing. Upload it again.`,
      );
    return file;
  };

  const openStart = async (io: Io<CsvSettings>, choice: FileChoice): Promise<Opened> =>
    openTable(stream, await openFile(io, choice), choice);

  /** Only for formats in which seeking is expensive. */
  const spot = (choice: FileChoice, place: Place) =>
    place.format === "xlsx" ? `${choice.file}\n${choice.sheet ?? ""}\n${place.row}` : null;

  const readerAt = async (choice: FileChoice, { file, place }: Opened): Promise<RowReader> => {
    const where = spot(choice, place);
    const waiting = where === null ? null : parked.take(where);
    return waiting ?? { rows: await rowsFrom(file, choice, place, tempFolder), left: [] };
  };

  async function* rowsOf({ rows, left }: RowReader): AsyncGenerator<readonly TableRow[]> {
    if (left.length > 0) yield left;
    // No `for await`: it would close the reader, which the caller may still park.
    for (let next = await rows.next(); !next.done; next = await rows.next()) yield next.value;
  }

  /** Passes the rows of one page on and returns the position of the next page. */
  const takePage = async (
    io: Io<CsvSettings>,
    choice: FileChoice,
    opened: Opened,
    take: (row: TableRow) => void,
  ): Promise<Place | null> => {
    const reader = await readerAt(choice, opened);
    let taken = 0;
    let characters = 0;
    try {
      for await (const rows of rowsOf(reader)) {
        io.signal.throwIfAborted();
        for (const [index, row] of rows.entries()) {
          take(row);
          taken += 1;
          characters += rowSize(row);
          if (taken < page.rows && characters < page.characters) continue;
          const next = placeBehind(opened.place, row);
          const where = spot(choice, next);
          if (where === null) await reader.rows.return(undefined);
          else parked.park(where, { rows: reader.rows, left: rows.slice(index + 1) });
          return next;
        }
      }
      return null;
    } catch (error) {
      await reader.rows.return(undefined).catch(() => {});
      throw error;
    }
  };

  /** Only for the index: an Excel file takes long to open. */
  const indexOf = (io: Io<CsvSettings>, choice: FileChoice, file: StoredFile, maker: RecordMaker) =>
    indexes(JSON.stringify([io.settings.importId, choice, file.size]), async () =>
      buildRowIndex(await openStart(io, choice), choice, maker, { tempFolder, signal: io.signal }),
    );

  return {
    stream,
    // Files have no history: a run reads a later upload as a whole and recognises unchanged records.
    delta: false,
    async readPage(io, { cursor }) {
      const choice = io.settings.files[stream.name];
      if (!choice) return { records: [], next: null };
      const opened = cursor
        ? await openFile(io, choice).then((file) => ({ file, ...fromCursor(cursor, file.size) }))
        : await openStart(io, choice);
      const maker = createRecordMaker(stream, choice, io.settings.timeZone);
      const rows = createRowCollector(maker, opened.width);
      const next = await takePage(io, choice, opened, rows.take);
      // The first page asks only for rows after it, and only if it has an unusable one: its rows are the first.
      const asks =
        maker.keyColumn !== null && (cursor !== null || (next !== null && rows.problemKeys().length > 0));
      if (asks) {
        const { file, place } = opened;
        const index = await indexOf(io, choice, file, maker);
        const range = { from: place.row, to: next?.row ?? Number.POSITIVE_INFINITY };
        await settleKeys(rows, range, { file, index, maker });
      }
      const problems = rows.problems();
      return {
        records: [...rows.records.values()],
        next: next === null ? null : toCursor(next, opened.width, opened.file.size),
        ...(problems.length > 0 ? { unreadable: problems.map(({ unreadable }) => unreadable) } : {}),
      };
    },
    async readByIds(io, ids) {
      const choice = io.settings.files[stream.name];
      if (!choice || ids.length === 0) return [];
      const wanted = new Set(ids);
      const found: FamilyRecord[] = [];
      const maker = createRecordMaker(stream, choice, io.settings.timeZone);
      const file = await openFile(io, choice);
      const index = await indexOf(io, choice, file, maker);
      for await (const rows of index.read(file, ids)) {
        io.signal.throwIfAborted();
        for (const row of rows) {
          if (!wanted.has(maker.idOf(row) ?? `row-${row.row}`)) continue;
          const made = maker.make(row, index.width);
          if (made.kind !== "record") continue;
          wanted.delete(made.record.id);
          found.push(made.record);
        }
        if (wanted.size === 0) break;
      }
      return found;
    },
    async unreadableAmong(io, ids) {
      const choice = io.settings.files[stream.name];
      if (!choice || ids.length === 0) return [];
      const maker = createRecordMaker(stream, choice, io.settings.timeZone);
      const file = await openFile(io, choice);
      const index = await indexOf(io, choice, file, maker);
      return unreadableRows({ file, index, maker }, ids);
    },
    async count(io) {
      const choice = io.settings.files[stream.name];
      if (!choice) return { value: 0, exact: true };
      const { file, place } = await openStart(io, choice);
      return { value: await estimateRows(file, choice, place), exact: false };
    },
    customFields: async (io) => {
      const choice = io.settings.files[stream.name];
      return choice ? customFieldsOf(choice) : [];
    },
  };
};
