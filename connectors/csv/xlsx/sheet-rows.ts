import type { TableRow } from "../csv-rows.ts";
import { fileError } from "../file-error.ts";
import { numberText, serialText, unescapeText } from "./cell-text.ts";
import { createTextSpool, type TextSpool } from "./text-spool.ts";
import type { Sheet, Workbook } from "./workbook.ts";
import { readXml, xmlEvents } from "./xml-events.ts";

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

const loadTexts = async ({ zip }: Workbook, folder: string): Promise<TextSpool> => {
  const texts = createTextSpool(folder);
  try {
    if (!zip.has("xl/sharedStrings.xml")) return texts;
    let parts: string[] = [];
    let characters = 0;
    let inText = false;
    let phonetic = 0;
    await readXml(await zip.open("xl/sharedStrings.xml"), {
      open(name) {
        if (name === "si") {
          parts = [];
          characters = 0;
        }
        if (name === "rPh") phonetic += 1;
        inText = name === "t" && phonetic === 0;
      },
      text(text) {
        if (!inText) return;
        characters += text.length;
        if (characters > maxRowCharacters)
          throw fileError(
            "file_too_large",
            "A text of this Excel file is too long to read. Delete or shorten it.",
          );
        parts.push(text);
      },
      close(name) {
        if (name === "t") inText = false;
        if (name === "rPh") phonetic -= 1;
        if (name === "si") texts.add(unescapeText(parts.join("")));
      },
    });
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

/**
 * The rows from a number on. A compressed sheet has no random access: this unpacks and skips all rows before, so each
 * seek costs as much as reading them.
 */
export async function* sheetRows(
  workbook: Workbook,
  sheet: Sheet,
  fromRow: number,
  tempFolder: string,
): AsyncGenerator<readonly TableRow[]> {
  const { zip, kinds, from1904 } = workbook;
  const texts = await loadTexts(workbook, tempFolder);
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

  const textOf = ({ type, style }: Cell, stored: string): string => {
    if (type === "s") return texts.get(Number(stored));
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
      if (!inValue || !cell || row < fromRow) return;
      characters += text.length;
      if (characters > maxRowCharacters) throw tooLarge();
      parts.push(text);
    },
    close(name) {
      if (name === "v" || name === "t") inValue = false;
      else if (name === "rPh") phonetic -= 1;
      else if (name === "c" && cell) {
        if (row >= fromRow) {
          while (cells.length < cell.column) cells.push("");
          const text = textOf(cell, parts.join(""));
          characters += text.length;
          if (characters > maxRowCharacters) throw tooLarge();
          cells[cell.column] = text;
        }
        cell = null;
      } else if (name === "row" && row >= fromRow) {
        pieceCells += cells.length;
        if (pieceCells > maxPieceCells) throw tooLarge();
        found.push({ row, cells, end: row, fault: null });
      }
    },
  });
  try {
    for await (const _ of events) {
      pieceCells = 0;
      if (found.length > 0) yield found.splice(0);
    }
  } finally {
    texts.close();
  }
}
