import type { WizardLater } from "@portage/contract/wizard";
import type { RunFinding, ImportRecord } from "../../../features/imports/index.ts";
import { ok } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";

interface Needs {
  readonly includedUntil: (found: ImportRecord) => Promise<Date | null>;
  readonly findingsOf: (importId: string) => Promise<readonly RunFinding[]>;
}

/** Records that failed, or that were skipped because their parent is missing. */
const isRetryable = ({ kind, code }: RunFinding) =>
  kind === "failed" || (kind === "skipped" && code === "parent_missing");

/** What can still be done after a full move. */
export const showLater = ({ includedUntil, findingsOf }: Needs): WizardRoute => ({
  method: "GET",
  path: "/later",
  handle: async ({ import: found }) =>
    ok({
      includedUntil: (await includedUntil(found))?.toISOString() ?? null,
      retryable: (await findingsOf(found.id)).filter(isRetryable).reduce((sum, { count }) => sum + count, 0),
    } satisfies WizardLater),
});
