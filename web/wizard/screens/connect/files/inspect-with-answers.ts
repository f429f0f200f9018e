import type { InspectUploads, WizardInspectedFile, WizardInspectedFiles } from "@portage/contract/wizard";
import { type Edits, editsOver, noEdits, toInspect } from "./file-edits.ts";
import { beginEdits, type SavedAnswers } from "./saved-answers.ts";

export interface InspectedWithAnswers extends WizardInspectedFiles {
  /** What each file begins with. */
  readonly begun: Edits;
}

/** To see what a file holds, then its sheet, then its columns. */
const maxLooks = 3;

/** Inspects files with the customer's edits, and under them the answers for the files that are connected. */
export const inspectWithAnswers = async (
  files: readonly string[],
  edits: Edits,
  saved: SavedAnswers,
  inspect: (body: InspectUploads) => Promise<WizardInspectedFiles>,
): Promise<InspectedWithAnswers> => {
  const begin = (known: readonly WizardInspectedFile[]): Edits =>
    Object.fromEntries(
      files.map((file) => [
        file,
        beginEdits(
          saved,
          file,
          edits[file] ?? noEdits,
          known.find((each) => each.file === file),
        ),
      ]),
    );
  const bodyOf = (begun: Edits) =>
    toInspect(
      files,
      Object.fromEntries(
        files.map((file) => [file, editsOver(begun[file] ?? noEdits, edits[file] ?? noEdits)]),
      ),
    );
  let begun = begin([]);
  let body = bodyOf(begun);
  let found = await inspect(body);
  for (let looks = 1; looks < maxLooks; looks += 1) {
    begun = begin(found.files);
    const next = bodyOf(begun);
    if (JSON.stringify(next) === JSON.stringify(body)) break;
    body = next;
    found = await inspect(body);
  }
  return { ...found, begun };
};
