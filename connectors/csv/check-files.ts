import { isConnectorError } from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import type { WizardCheckedFile } from "@portage/contract/wizard";
import { createRowCollector } from "./collect-rows.ts";
import { rowSize } from "./csv-rows.ts";
import type { StoredFile } from "./file-store.ts";
import { sampleRows } from "./inspect-table.ts";
import { tableStreams } from "./inspect-files.ts";
import { openTable } from "./open-table.ts";
import type { CsvSettings, FileChoice } from "./settings.ts";
import { firstRows } from "./table.ts";
import { createRecordMaker } from "./to-record.ts";

const shownProblems = 50;
/** Of all cells: a table of very long texts is checked on fewer rows. */
const maxCharacters = 20_000_000;

const checkFile = async (
  family: Family,
  name: string,
  choice: FileChoice,
  { stored, timeZone }: { stored: StoredFile | null; timeZone: string },
): Promise<WizardCheckedFile> => {
  const none = { stream: name, file: choice.file, rows: 0, bad: 0, problems: [] };
  const stream = tableStreams(family).find((each) => each.name === name);
  if (!stream || !stored) return { ...none, problem: "The file is missing. Upload it again." };
  try {
    const maker = createRecordMaker(stream, choice, timeZone);
    const opened = await openTable(stream, stored, choice);
    const collected = createRowCollector(maker, opened.width);
    let characters = 0;
    reading: for await (const rows of await firstRows(stored, choice, opened.place, sampleRows))
      for (const row of rows) {
        collected.take(row);
        characters += rowSize(row);
        if (collected.count() >= sampleRows || characters >= maxCharacters) break reading;
      }
    const problems = collected.problems();
    const headers = new Map(choice.columns.map(({ column, header }) => [column, header]));
    return {
      ...none,
      rows: collected.count(),
      bad: problems.length,
      problems: problems.slice(0, shownProblems).map(({ row, column, unreadable }) => ({
        row,
        column: column === null ? null : headers.get(column) || `Column ${column + 1}`,
        message: unreadable.message,
      })),
      problem: null,
    };
  } catch (error) {
    if (!isConnectorError(error)) throw error;
    return { ...none, problem: error.message };
  }
};

/** Reads the first thousand rows of each file as a run would, and reports those that it could not use. */
export const checkFiles = async (
  family: Family,
  { files, timeZone }: Pick<CsvSettings, "files" | "timeZone">,
  open: (file: string) => Promise<StoredFile | null>,
): Promise<readonly WizardCheckedFile[]> => {
  const checked: WizardCheckedFile[] = [];
  for (const [name, choice] of Object.entries(files)) {
    const stored = await open(choice.file);
    checked.push(await checkFile(family, name, choice, { stored, timeZone }));
  }
  return checked;
};
