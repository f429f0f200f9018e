import type { WizardUndoReport } from "@portage/contract/wizard";
import type { RunFinding } from "../../../features/imports/index.ts";
import { type UndoneRun, worstFirst } from "../../../features/runs/index.ts";
import { ok, Problem } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";
import { streamLabel } from "../represent.ts";

interface Needs {
  readonly findUndone: (importId: string) => Promise<UndoneRun | undefined>;
  readonly findingsOf: (importId: string) => Promise<readonly RunFinding[]>;
}

/** What the last undo removed, what it left, and why. */
export const showUndoReport = ({ findUndone, findingsOf }: Needs): WizardRoute => ({
  method: "GET",
  path: "/undo-report",
  handle: async ({ import: { id, family, state } }) => {
    const run = await findUndone(id);
    if (!run) throw new Problem("not_found", "Nothing was undone yet.");
    // The findings are those of the undo only until another run starts.
    const findings = state.status === "migration_cleaned" ? await findingsOf(id) : [];
    return ok({
      startedAt: run.startedAt.toISOString(),
      endedAt: run.endedAt.toISOString(),
      streams: run.streams.map((each) => ({ ...each, label: streamLabel(family, each.stream) })),
      stayed: worstFirst(findings).map(({ kind, code, stream, count }) => ({
        kind,
        code,
        stream,
        label: streamLabel(family, stream),
        count,
      })),
    } satisfies WizardUndoReport);
  },
});
