import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { parse } from "csv-parse";

export interface TableRow {
  /** As a spreadsheet counts: from 1, blank rows too, line breaks in cells not. */
  readonly row: number;
  readonly cells: readonly string[];
}

/** A list with more columns than people look at is none of ours. */
export const maxColumns = 50;
/** Bounds what an open quotation mark takes in. */
export const maxRowBytes = 65_536;

/** Takes a few milliseconds, also if each row differs from the first: the parser makes an error of each such row. */
const sliceBytes = 4_096;

/** The one that the first line has most of; spreadsheets of some countries write semicolons. */
const delimiterOf = (firstLine: string) =>
  [",", ";", "\t"]
    .map((sign) => ({ sign, count: firstLine.split(sign).length }))
    .reduce((best, each) => (each.count > best.count ? each : best)).sign;

/** A large list takes a second: other requests get their turn in between. */
async function* slicesOf(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    yield bytes.subarray(at, at + sliceBytes);
    await nextTurn();
  }
}

/** The rows of a CSV file, blank ones as well. Throws a `CsvError` for a row that is too long or not closed. */
export async function* readRows(file: string): AsyncGenerator<TableRow> {
  const text = file.replace(/^\uFEFF/, "").replace(/^sep=.(?:\r\n|\n|\r)/i, "");
  const [firstLine = ""] = /.+/.exec(text.slice(0, 1_000)) ?? [];
  const parser = parse({
    delimiter: delimiterOf(firstLine),
    record_delimiter: ["\r\n", "\n", "\r"],
    // What follows stays in one cell, so that the size of a row bounds the number of its cells, too.
    ignore_last_delimiters: maxColumns + 1,
    max_record_size: maxRowBytes,
    relax_column_count: true,
    relax_quotes: true,
    trim: true,
  });
  let row = 0;
  for await (const cells of Readable.from(slicesOf(text)).pipe(parser)) {
    row += 1;
    yield { row, cells: cells as readonly string[] };
  }
}
