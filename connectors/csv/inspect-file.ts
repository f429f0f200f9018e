import { tmpdir } from "node:os";
import type { FamilyStream } from "@portage/connector-kit";
import type { TableRow } from "./csv-rows.ts";
import type { Confidence } from "./encoding.ts";
import type { StoredFile } from "./file-store.ts";
import { columnFacts } from "./suggest/column-facts.ts";
import { suggestColumns } from "./suggest/suggest-columns.ts";
import type { Suggestion } from "./suggest/suggestion.ts";
import type { OtherTable } from "./suggest/suggest-relations.ts";
import { findStart, type Place, rowsFrom, type TableChoice } from "./table.ts";

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

const sampleRows = 1_000;
const sampleCharacters = 4_000_000;
const previewRows = 10;

const readSample = async (rows: AsyncGenerator<readonly TableRow[]>): Promise<readonly TableRow[]> => {
  const sample: TableRow[] = [];
  let characters = 0;
  for await (const some of rows)
    for (const row of some) {
      if (row.fault || row.cells.every((cell) => cell.trim() === "")) continue;
      sample.push(row);
      characters += row.cells.reduce((sum, cell) => sum + cell.length, 0);
      if (sample.length >= sampleRows || characters >= sampleCharacters) return sample;
    }
  return sample;
};

export const inspectFile = async (
  stream: FamilyStream,
  file: StoredFile,
  choice: TableChoice = {},
  others: readonly OtherTable[] = [],
  tempFolder: string = tmpdir(),
): Promise<Inspection> => {
  const { header, place, confidence, sheets } = await findStart(file, choice, tempFolder);
  const sample = await readSample(await rowsFrom(file, choice, place, tempFolder));
  const suggestion = suggestColumns(stream, columnFacts(header, sample), others);
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
