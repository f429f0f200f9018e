import type { ImportSummary } from "../../../features/runs/index.ts";
import { ok } from "../../answer.ts";
import { importEnded } from "../access/gate.ts";
import type { WizardRoute } from "../access/route.ts";
import { importSummaryJson } from "./represent.ts";

interface Needs {
  readonly loadSummary: (importId: string) => Promise<ImportSummary | undefined>;
}

export const showProgress = ({ loadSummary }: Needs): WizardRoute => ({
  method: "GET",
  path: "/progress",
  handle: async ({ import: found }) => {
    const summary = await loadSummary(found.id);
    if (!summary || summary.closed) throw importEnded();
    return ok(importSummaryJson(summary));
  },
});
