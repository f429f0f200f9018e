import type { WizardUndoPreview } from "@portage/contract/wizard";
import type { Unsent } from "../represent.ts";
import type { ImportRecord } from "../../../features/imports/index.ts";
import type { ReportedField, UndoPreview } from "../../../features/runs/index.ts";
import { ok } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";

interface Needs {
  readonly previewUndo: (found: ImportRecord, signal: AbortSignal) => Promise<UndoPreview>;
  readonly fieldsOf: (found: ImportRecord) => Promise<readonly ReportedField[]>;
}

/** The customer waits for the response: records unchecked by then are reported as unchecked. */
const patienceMs = 8_000;

/** What an undo would remove, and what it would leave. */
export const showUndoPreview = ({ previewUndo, fieldsOf }: Needs): WizardRoute => ({
  method: "GET",
  path: "/undo-preview",
  handle: async ({ import: found }) => {
    const created = (await fieldsOf(found)).filter(({ state }) => state !== "removed");
    const preview = await previewUndo(found, AbortSignal.timeout(patienceMs));
    return ok({ ...preview, fields: created.map(({ name }) => name) } satisfies Unsent<WizardUndoPreview>);
  },
});
