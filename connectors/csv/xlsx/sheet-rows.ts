import type { TableRow } from "../csv-rows.ts";
import { fileError } from "../file-error.ts";
import { numberText, serialText, unescapeText } from "./cell-text.ts";
import { readSharedTexts } from "./shared-texts.ts";
import { createTextSpool, type TextSpool } from "./text-spool.ts";
import type { Sheet, Workbook } from "./workbook.ts";
import { xmlEvents } from "./xml-events.ts";

/** Excel's own limit. */
export const maxColumns = 16_384;
/** The maximum text of one row; Excel's limit is 32,767 characters per cell. */
const maxRowCharacters = 8_000_000;
/** The maximum number of cells in the rows of one unpacked piece: a few bytes can name a cell far to the right of all others. */
const maxPieceCells = 4_000_000;

const columnOf = (reference: string): number => {
  let column = 0;
  for (const letter of reference) {
    const code = letter.charCodeAt(0);
    if (code < 65 || code > 90) break;
    column = column * 26 + code - 64;
  }
  return column - 1;
};

const loadTexts = async (workbook: Workbook, folder: string): Promise<TextSpool> => {
  const texts = createTextSpool(folder);
  try {
    await readSharedTexts(
      workbook,
      () => true,
      (text) => {
        texts.add(text);
        return true;
      },
    );
    return texts;
  } catch (error) {
    texts.close();
    throw error;
  }
};

interface Cell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
}

/** Some of a sheet's rows: from a number on, and how many. */
export interface SheetRange {
  readonly from: number;
  readonly count: number;
}

/** `textAt`: the text that a cell names by its number. */
export async function* readSheet(
  workbook: Workbook,
  sheet: Sheet,
  { from, count }: SheetRange,
  textAt: (index: number) => string,
): AsyncGenerator<readonly TableRow[]> {
  const { zip, kinds, from1904 } = workbook;
  const found: TableRow[] = [];
  let row = 0;
  let cells: string[] = [];
  let cell: Cell | null = null;
  let parts: string[] = [];
  let inValue = false;
  let phonetic = 0;
  let characters = 0;
  let cellCount = 0;
  let pieceCells = 0;
  let left = count;

  const textOf = ({ type, style }: Cell, stored: string): string => {
    if (type === "s") return textAt(Number(stored));
    if (type === "b") return stored === "1" ? "true" : "false";
    if (type === "str" || type === "inlineStr") return unescapeText(stored);
    if (type === "e" || type === "d" || stored === "") return stored;
    const kind = kinds[style] ?? "number";
    return kind === "number" ? numberText(stored) : serialText(Number(stored), kind, from1904);
  };
  const tooLarge = () =>
    fileError("file_too_large", `Row ${row} of the sheet is too long to read. Delete or shorten it.`);

  const events = xmlEvents(await zip.open(sheet.path), {
    open(name, { r, t = "n", s }) {
      if (left === 0) return;
      if (name === "row") {
        // Always increasing, whatever the file says: the number is the cursor.
        row = Math.max(row + 1, Number(r) || 0);
        cells = [];
        characters = 0;
        cellCount = 0;
      } else if (name === "c") {
        cellCount += 1;
        const column = r === undefined ? cells.length : columnOf(r);
        if (!(column >= 0 && column < maxColumns) || cellCount > maxColumns) throw tooLarge();
        cell = { column, type: t, style: Number(s ?? 0) };
        parts = [];
      } else if (name === "rPh") phonetic += 1;
      else inValue = (name === "v" || name === "t") && phonetic === 0;
    },
    text(text) {
      if (!inValue || !cell || row < from || left === 0) return;
      characters += text.length;
      if (characters > maxRowCharacters) throw tooLarge();
      parts.push(text);
    },
    close(name) {
      if (name === "v" || name === "t") inValue = false;
      else if (name === "rPh") phonetic -= 1;
      else if (name === "c" && cell) {
        if (row >= from) {
          while (cells.length < cell.column) cells.push("");
          const text = textOf(cell, parts.join(""));
          characters += text.length;
          if (characters > maxRowCharacters) throw tooLarge();
          cells[cell.column] = text;
        }
        cell = null;
      } else if (name === "row" && row >= from && left > 0) {
        pieceCells += cells.length;
        if (pieceCells > maxPieceCells) throw tooLarge();
        found.push({ row, cells, end: row, fault: null });
        left -= 1;
      }
    },
  });
  for await (const _ of events) {
    pieceCells = 0;
    if (found.length > 0) yield found.splice(0);
    if (left === 0) return;
  }
}

/**
 * The rows from a number on, with all texts in a temporary file. A compressed sheet has no random access: this unpacks and skips all
 * rows before, so each seek costs as much as reading them.
 */
export async function* sheetRows(
  workbook: Workbook,
  sheet: Sheet,
  fromRow: number,
  tempFolder: string,
): AsyncGenerator<readonly TableRow[]> {
  const texts = await loadTexts(workbook, tempFolder);
  try {
    yield* readSheet(workbook, sheet, { from: fromRow, count: Number.POSITIVE_INFINITY }, texts.get);
  } finally {
    texts.close();
  }
}
