import type { Cursor } from "@portage/connector-kit";
import { csvRows, type TableRow } from "./csv-rows.ts";
import { detectDialect, type Dialect } from "./dialect.ts";
import type { Confidence } from "./encoding.ts";
import { fileError } from "./file-error.ts";
import type { StoredFile } from "./file-store.ts";
import { readAt } from "./file-window.ts";
import { declaredRows } from "./xlsx/declared-rows.ts";
import { firstSheetRows } from "./xlsx/first-rows.ts";
import { maxColumns, readSheet, sheetRows } from "./xlsx/sheet-rows.ts";
import { chooseSheet, openWorkbook } from "./xlsx/workbook.ts";

/** The customer's choices for a table. */
export interface TableChoice {
  readonly sheet?: string | undefined;
  readonly dialect?: { readonly [K in keyof Dialect]?: Dialect[K] | undefined } | undefined;
}

/** The position of a row: a flat object, enough to resume there. */
export type Place =
  | ({ readonly format: "csv"; readonly offset: number; readonly row: number } & Dialect)
  | { readonly format: "xlsx"; readonly row: number };

export interface Start {
  readonly header: readonly string[];
  /** After the header. */
  readonly place: Place;
  readonly confidence: Confidence;
  /** Of an Excel file. */
  readonly sheets: readonly string[];
  /** The one of them that is read. */
  readonly sheet: string | null;
}

const headerWithin = 100;

const formatOf = (head: Buffer): "csv" | "xlsx" => {
  if (head.length === 0) throw fileError("file_empty", "The file is empty. Export it again and upload that.");
  if (head.subarray(0, 4).equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0])))
    throw fileError(
      "file_format",
      "This is an old Excel file (.xls) or one with a password. Save it as .xlsx without a password, or as CSV (UTF-8).",
    );
  return head.subarray(0, 4).equals(Buffer.from("PK\x03\x04")) ? "xlsx" : "csv";
};

const given = (dialect: TableChoice["dialect"]): Partial<Dialect> =>
  Object.fromEntries(Object.entries(dialect ?? {}).filter(([, value]) => value !== undefined));

export const rowsFrom = async (
  file: StoredFile,
  choice: TableChoice,
  place: Place,
  tempFolder: string,
): Promise<AsyncGenerator<readonly TableRow[]>> => {
  if (place.format === "csv") return csvRows(file, place, place);
  const workbook = await openWorkbook(file);
  return sheetRows(workbook, chooseSheet(workbook, choice.sheet), place.row, tempFolder);
};

/** The first rows from a position on, as a person looks at them: without a temporary file. Of an Excel file at most `count`. */
export const firstRows = async (
  file: StoredFile,
  choice: TableChoice,
  place: Place,
  count: number,
): Promise<AsyncGenerator<readonly TableRow[]>> => {
  if (place.format === "csv") return csvRows(file, place, place);
  const workbook = await openWorkbook(file);
  return firstSheetRows(workbook, chooseSheet(workbook, choice.sheet), { from: place.row, count });
};

/** An estimate of the rows from a position on, without reading the texts of an Excel sheet. */
export const estimateRows = async (file: StoredFile, choice: TableChoice, place: Place): Promise<number> => {
  if (place.format === "xlsx") {
    const workbook = await openWorkbook(file);
    const sheet = chooseSheet(workbook, choice.sheet);
    const last = await declaredRows(workbook, sheet);
    if (last !== null) return Math.max(0, last - place.row + 1);
    let counted = 0;
    const all = { from: place.row, count: Number.POSITIVE_INFINITY };
    for await (const rows of readSheet(workbook, sheet, all, () => "")) counted += rows.length;
    return counted;
  }
  for await (const rows of csvRows(file, place, place)) {
    const last = rows.at(-1);
    if (last) return Math.round((rows.length * (file.size - place.offset)) / (last.end - place.offset));
  }
  return 0;
};

export const placeBehind = (place: Place, { row, end }: TableRow): Place =>
  place.format === "csv" ? { ...place, offset: end, row: row + 1 } : { ...place, row: row + 1 };

/** Finds the header: the first row that is not blank. */
export const findStart = async (file: StoredFile, choice: TableChoice): Promise<Start> => {
  const format = formatOf(await readAt(file, 0, 8));
  let first: Place = { format: "xlsx", row: 1 };
  let confidence: Confidence = "certain";
  let sheets: readonly string[] = [];
  let sheet: string | null = null;
  if (format === "csv") {
    const { start, confidence: how, ...dialect } = await detectDialect(file, given(choice.dialect));
    first = { format, offset: start, row: 1, ...dialect };
    confidence = how;
  } else {
    const workbook = await openWorkbook(file);
    sheets = workbook.sheets.map(({ name }) => name);
    sheet = chooseSheet(workbook, choice.sheet).name;
  }
  for await (const rows of await firstRows(file, choice, first, headerWithin))
    for (const row of rows) {
      if (row.cells.length > maxColumns) throw tooWide(row);
      if (row.cells.some((cell) => cell.trim() !== ""))
        return {
          header: row.cells.map((cell) => cell.trim()),
          place: placeBehind(first, row),
          confidence,
          sheets,
          sheet,
        };
      if (row.row >= headerWithin) throw noHeader();
    }
  throw noHeader();
};

const tooWide = ({ row, cells }: TableRow) =>
  fileError(
    "file_too_large",
    `Row ${row} has ${cells.length} columns, but a table can have at most ${maxColumns}. Choose another separator, or delete columns that are not needed.`,
  );

const noHeader = () =>
  fileError(
    "file_empty",
    "The file has no row with column names near its top. Add one as the first row and upload it again.",
  );

/** A cursor is a position, the table's width and the file's size, by which a replaced file is noticed. */
export const toCursor = (place: Place, width: number, size: number): Cursor => ({ ...place, width, size });

export const fromCursor = (
  cursor: Cursor,
  size: number,
): { readonly place: Place; readonly width: number } => {
  if (cursor.size !== size)
    throw fileError(
      "file_changed",
      "The file was replaced while it was being read. Start again with the new file.",
    );
  const { width, size: _, ...place } = cursor;
  return { place: place as unknown as Place, width: Number(width) };
};
