import { CsvError, parse } from "csv-parse/sync";
import { type Confidence, detectEncoding, type Encoding, isWide, narrowed } from "./encoding.ts";
import { readAt } from "./file-window.ts";
import type { StoredFile } from "./file-store.ts";

export const delimiters = [",", ";", "\t", "|"] as const;
export type Delimiter = (typeof delimiters)[number];
export const lineBreaks = ["lf", "cr"] as const;

/** How to parse a text file. */
export interface Dialect {
  readonly encoding: Encoding;
  readonly delimiter: Delimiter;
  /** Empty: quotes have no special meaning. */
  readonly quote: '"' | "'" | "";
  /** `lf`: LF and CRLF, also mixed. `cr`: CR alone, as old Macs wrote. */
  readonly lineBreak: (typeof lineBreaks)[number];
}

export interface DetectedDialect extends Dialect {
  /** The offset of the first row: after a byte order mark and a `sep=` line. */
  readonly start: number;
  readonly confidence: Confidence;
}

const recordDelimiters = { lf: ["\r\n", "\n"], cr: ["\r"] };

/** Options for the parser: it also accepts rows that are badly quoted, too long or too short. */
export const parserOptions = ({ delimiter, quote, lineBreak }: Omit<Dialect, "encoding">) => ({
  delimiter,
  quote: quote === "" ? null : quote,
  escape: quote === "" ? null : quote,
  record_delimiter: recordDelimiters[lineBreak],
  encoding: "latin1" as const,
  relax_quotes: true,
  relax_column_count: true,
  skip_empty_lines: false,
  bom: false,
});

interface Tried {
  readonly delimiter: Delimiter;
  /** The most common number of cells. */
  readonly width: number;
  /** The share of rows with that number. */
  readonly share: number;
  readonly rows: number;
}

const widthsOf = (sample: Buffer, dialect: Omit<Dialect, "encoding">): readonly number[] => {
  const widths: number[] = [];
  const noteWidth = (cells: readonly string[]) => {
    if (cells.some((cell) => cell !== "")) widths.push(cells.length);
    return null;
  };
  try {
    parse(sample, { ...parserOptions(dialect), on_record: noteWidth });
  } catch (error) {
    // The sample can end within a quoted cell.
    if (!(error instanceof CsvError)) throw error;
  }
  return widths;
};

const trial = (
  sample: Buffer,
  whole: boolean,
  delimiter: Delimiter,
  lineBreak: Dialect["lineBreak"],
): Tried => {
  const all = widthsOf(sample, { delimiter, quote: '"', lineBreak });
  const widths = whole || all.length < 2 ? all : all.slice(0, -1);
  const counts = new Map<number, number>();
  for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1);
  const [width, count] = [...counts].toSorted((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [1, 0];
  return { delimiter, width, share: widths.length === 0 ? 0 : count / widths.length, rows: widths.length };
};

const score = ({ width, share }: Tried) => (width < 2 ? 0 : share + Math.min(width, 12) / 100);

const confidenceOf = (best: Tried, second: Tried | undefined): Confidence => {
  if (best.width < 2) return "unsure";
  const ahead = score(best) - (second ? score(second) : 0);
  if (best.rows >= 2 && best.share >= 0.95 && ahead > 0.2) return "certain";
  return best.share >= 0.7 && ahead > 0.05 ? "likely" : "unsure";
};

/** The first line break outside quotes decides; a quoted cell can hold any line break. */
const lineBreakOf = (sample: Buffer): Dialect["lineBreak"] => {
  let quoted = false;
  for (const [index, byte] of sample.entries()) {
    if (byte === 0x22) quoted = !quoted;
    else if (!quoted && byte === 0x0a) return "lf";
    else if (!quoted && byte === 0x0d) return sample[index + 1] === 0x0a ? "lf" : "cr";
  }
  return "lf";
};

const sampleBytes = 131_072;
const hint = /^sep=([,;\t|])\r?\n/i;

/** Looks at the file's beginning, and at pieces of the rest for the encoding. */
export const detectDialect = async (
  file: StoredFile,
  given: Partial<Dialect> = {},
): Promise<DetectedDialect> => {
  const found = await detectEncoding(file);
  const encoding = given.encoding ?? found.encoding;
  const bom = encoding === found.encoding ? found.bom : 0;
  const head = await readAt(file, bom, sampleBytes);
  const sample = narrowed(head, encoding);
  const sep = hint.exec(sample.toString("latin1", 0, 8));
  const hintBytes = (sep?.[0].length ?? 0) * (isWide(encoding) ? 2 : 1);
  const body = sample.subarray(sep?.[0].length ?? 0);
  const lineBreak = given.lineBreak ?? lineBreakOf(body);
  const base = { encoding, quote: given.quote ?? ('"' as const), lineBreak, start: bom + hintBytes };
  if (given.delimiter) return { ...base, delimiter: given.delimiter, confidence: "certain" };
  if (sep?.[1]) return { ...base, delimiter: sep[1] as Delimiter, confidence: "certain" };
  const whole = bom + head.length >= file.size;
  const [best, second] = delimiters
    .map((delimiter) => trial(body, whole, delimiter, lineBreak))
    .toSorted((a, b) => score(b) - score(a)) as [Tried, Tried];
  if (best.width < 2) return { ...base, delimiter: ",", confidence: "unsure" };
  return { ...base, delimiter: best.delimiter, confidence: confidenceOf(best, second) };
};
