import type { FamilyStream } from "@portage/connector-kit";
import { fileError } from "./file-error.ts";
import type { StoredFile } from "./file-store.ts";
import type { FileChoice } from "./settings.ts";
import { findStart, type Place } from "./table.ts";

export interface Opened {
  readonly file: StoredFile;
  /** After the header. */
  readonly place: Place;
  readonly width: number;
}

/** Opens a file at its first row, if it has the columns that were chosen. */
export const openTable = async (
  { label }: FamilyStream,
  file: StoredFile,
  choice: FileChoice,
): Promise<Opened> => {
  const { header, place } = await findStart(file, choice);
  const moved = choice.columns.find((each) => (header[each.column] ?? "") !== each.header);
  if (moved)
    throw fileError(
      "columns_changed",
      `The file for ${label.toLowerCase()} has no column “${moved.header}” as its column ${moved.column + 1}. Choose the columns again, or upload the file that they were chosen for.`,
    );
  return { file, place, width: header.length };
};
