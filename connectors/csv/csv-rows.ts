import { CsvError, parse } from "csv-parse/sync";
import { type Dialect, parserOptions } from "./dialect.ts";
import { createCellDecoder, isWide, narrowed } from "./encoding.ts";
import type { StoredFile } from "./file-store.ts";
import { type FileWindow, openWindow } from "./file-window.ts";

/** An error of the whole row, found before its cells are read. */
export type RowFault = "open_quote" | "too_long";

export interface TableRow {
  /** The number in a spreadsheet: the first row of the file is 1, blank rows count, line breaks in cells don't. */
  readonly row: number;
  readonly cells: readonly string[];
  /** The offset of the next row: together with the row number enough to resume there. */
  readonly end: number;
  readonly fault: RowFault | null;
}

/** What a row takes, in characters: rows and cells take memory and time also if they are empty. */
export const rowSize = ({ cells }: TableRow): number => cells.reduce((sum, cell) => sum + cell.length + 1, 1);

export interface CsvLimits {
  /** How many bytes the parser gets at once. */
  readonly windowBytes: number;
  /** The reader skips a longer row; this also bounds what one unclosed quote can swallow. */
  readonly rowBytes: number;
}

export const csvLimits: CsvLimits = { windowBytes: 131_072, rowBytes: 8_388_608 };

interface Piece {
  readonly raw: readonly string[];
  /** Bytes of the narrowed window up to the end of this row. */
  readonly end: number;
}

interface TakenApart {
  /** Whole rows only. */
  readonly pieces: readonly Piece[];
  /** True: the rest is a cell whose quote is not closed. */
  readonly open: boolean;
}

const takeApart = (bytes: Buffer, last: boolean, options: object): TakenApart => {
  const pieces: Piece[] = [];
  const keep = (raw: readonly string[], { bytes: end }: { bytes: number }) => {
    pieces.push({ raw, end });
    return null;
  };
  let open = false;
  try {
    parse(bytes, { ...options, on_record: keep });
  } catch (error) {
    if (!(error instanceof CsvError) || error.code !== "CSV_QUOTE_NOT_CLOSED") throw error;
    open = true;
  }
  // A row that touches the end of the window may continue after it.
  if (!last && pieces.at(-1)?.end === bytes.length) pieces.pop();
  return { pieces, open };
};

const unitBytes = ({ encoding }: Dialect) => (isWide(encoding) ? 2 : 1);

/** Moves past the next line break, ignoring quotes. */
const skipLine = async (window: FileWindow, dialect: Dialect, limits: CsvLimits): Promise<void> => {
  const wanted = dialect.lineBreak === "cr" ? 0x0d : 0x0a;
  const unit = unitBytes(dialect);
  const [position, other] = dialect.encoding === "utf-16be" ? [1, 0] : [0, 1];
  for (;;) {
    await window.fill(limits.windowBytes);
    const { bytes } = window;
    for (let index = 0; index + unit <= bytes.length; index += unit)
      if (
        unit === 1
          ? bytes[index] === wanted
          : bytes[index + position] === wanted && bytes[index + other] === 0
      )
        return window.drop(index + unit);
    window.drop(bytes.length);
    if (window.atEnd) return;
  }
};

/**
 * The rows from a position on, window by window. Every window begins at the start of a row, so a caller can resume at
 * any `end`.
 */
export async function* csvRows(
  file: StoredFile,
  dialect: Dialect,
  at: { readonly offset: number; readonly row: number },
  limits: CsvLimits = csvLimits,
): AsyncGenerator<readonly TableRow[]> {
  const options = parserOptions(dialect);
  const decode = createCellDecoder(dialect.encoding);
  const unit = unitBytes(dialect);
  const window = openWindow(file, at.offset);
  let row = at.row;
  let wanted = limits.windowBytes;
  try {
    for (;;) {
      await window.fill(wanted);
      if (window.bytes.length < unit) return;
      const whole = window.bytes.length - (window.bytes.length % unit);
      const bytes = narrowed(window.bytes.subarray(0, whole), dialect.encoding);
      const { pieces, open } = takeApart(bytes, window.atEnd, options);
      const rows: TableRow[] = [];
      let taken = 0;
      let before = 0;
      for (const { raw, end } of pieces) {
        // Counted in UTF-16 units, whose number narrowing does not change.
        taken = unit === 1 ? end : taken + 2 * bytes.toString("utf8", before, end).length;
        before = end;
        rows.push({ row, cells: raw.map(decode), end: window.offset + taken, fault: null });
        row += 1;
      }
      window.drop(taken);
      if (rows.length > 0) {
        wanted = limits.windowBytes;
        yield rows;
        continue;
      }
      if (window.bytes.length < limits.rowBytes && !window.atEnd) {
        wanted = Math.min(window.bytes.length * 2, limits.rowBytes);
        continue;
      }
      await skipLine(window, dialect, limits);
      yield [{ row, cells: [], end: window.offset, fault: open ? "open_quote" : "too_long" }];
      row += 1;
      wanted = limits.windowBytes;
    }
  } finally {
    await window.close();
  }
}
