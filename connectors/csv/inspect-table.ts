import type { FamilyStream } from "@portage/connector-kit";
import { rowSize, type TableRow } from "./csv-rows.ts";
import type { Confidence } from "./encoding.ts";
import type { StoredFile } from "./file-store.ts";
import { type ColumnFacts, columnFacts } from "./suggest/column-facts.ts";
import { type PinnedColumns, suggestColumns } from "./suggest/suggest-columns.ts";
import type { Suggestion } from "./suggest/suggestion.ts";
import type { OtherTable } from "./suggest/suggest-relations.ts";
import { findStart, firstRows, type Place, type Start, type TableChoice } from "./table.ts";

/** The wizard's view of a file: its dialect, its first rows, and the suggested field of each column. */
export interface Inspection extends Suggestion {
  readonly place: Place;
  /** The confidence in the detected delimiter. */
  readonly confidence: Confidence;
  readonly sheets: readonly string[];
  readonly header: readonly string[];
  readonly preview: readonly (readonly string[])[];
  /** For the inspection of other files, whose relations can point to this one. */
  readonly table: OtherTable;
}

export const sampleRows = 1_000;
const sampleCharacters = 2_000_000;
const previewRows = 10;

const readSample = async (
  rows: AsyncGenerator<readonly TableRow[]>,
  maxCharacters: number,
): Promise<readonly TableRow[]> => {
  const sample: TableRow[] = [];
  let characters = 0;
  for await (const some of rows)
    for (const row of some) {
      // Blank rows count too: else a file of line breaks alone would be read to its end.
      characters += rowSize(row);
      if (!row.fault && row.cells.some((cell) => cell.trim() !== "")) sample.push(row);
      if (sample.length >= sampleRows || characters >= maxCharacters) return sample;
    }
  return sample;
};

/** The beginning of a table: its header and up to a thousand rows. */
export interface TableTop extends Start {
  readonly sample: readonly TableRow[];
  readonly facts: readonly ColumnFacts[];
}

export const readTop = async (
  file: StoredFile,
  choice: TableChoice = {},
  maxCharacters: number = sampleCharacters,
): Promise<TableTop> => {
  const start = await findStart(file, choice);
  const sample = await readSample(await firstRows(file, choice, start.place, sampleRows), maxCharacters);
  // Once: the same for every stream that is tried.
  return { ...start, sample, facts: columnFacts(start.header, sample) };
};

export const inspectTop = (
  stream: FamilyStream,
  { header, place, confidence, sheets, sample, facts }: TableTop,
  others: readonly OtherTable[] = [],
  pinned: PinnedColumns = {},
): Inspection => {
  const suggestion = suggestColumns(stream, facts, others, pinned);
  const key = suggestion.columns.find(({ field }) => field === "id")?.column;
  return {
    ...suggestion,
    place,
    confidence,
    sheets,
    header,
    preview: sample.slice(0, previewRows).map(({ cells }) => cells),
    table: {
      stream: stream.name,
      keys: new Set(sample.flatMap(({ cells }) => (key === undefined ? [] : [cells[key]?.trim() ?? ""]))),
    },
  };
};
