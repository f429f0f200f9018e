import type { ImportSummary } from "../../../features/runs/index.ts";
import { ok } from "../../answer.ts";
import { importEnded } from "../access/gate.ts";
import type { WizardRoute } from "../access/route.ts";
import { standingJson } from "./represent.ts";

interface Needs {
  readonly standingOf: (importId: string) => Promise<ImportSummary | undefined>;
}

export const showProgress = ({ standingOf }: Needs): WizardRoute => ({
  method: "GET",
  path: "/progress",
  handle: async ({ import: found }) => {
    const standing = await standingOf(found.id);
    if (!standing || standing.closed) throw importEnded();
    return ok(standingJson(standing));
  },
});
