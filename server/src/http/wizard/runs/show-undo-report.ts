import type { WizardUndoReport } from "@portage/contract/wizard";
import type { ImportRecord, RunFinding } from "../../../features/imports/index.ts";
import { type ReportedField, type UndoneRun, worstFirst } from "../../../features/runs/index.ts";
import { ok, Problem } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";
import { streamLabel, type Unsent } from "../represent.ts";

interface Needs {
  readonly findUndone: (importId: string) => Promise<UndoneRun | undefined>;
  readonly findingsOf: (importId: string) => Promise<readonly RunFinding[]>;
  readonly fieldsOf: (found: ImportRecord) => Promise<readonly ReportedField[]>;
}

/** What the last undo removed, what it left, and why. */
export const showUndoReport = ({ findUndone, findingsOf, fieldsOf }: Needs): WizardRoute => ({
  method: "GET",
  path: "/undo-report",
  handle: async ({ import: found }) => {
    const { id, family, state } = found;
    const run = await findUndone(id);
    if (!run) throw new Problem("not_found", "Nothing was undone yet.");
    // The findings are those of the undo only until another run starts.
    const findings = state.status === "migration_cleaned" ? await findingsOf(id) : [];
    return ok({
      startedAt: run.startedAt.toISOString(),
      endedAt: run.endedAt.toISOString(),
      streams: run.streams.map((each) => ({ ...each, label: streamLabel(family, each.stream) })),
      fields: (await fieldsOf(found)).filter((field) => field.state !== "created"),
      stayed: worstFirst(findings).map(({ kind, code, stream, count }) => ({
        kind,
        code,
        stream,
        label: streamLabel(family, stream),
        count,
      })),
    } satisfies Unsent<WizardUndoReport>);
  },
});
