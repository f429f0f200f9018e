import { importDetail, statusCodes } from "@portage/contract";
import type { ImportWithWarnings } from "../../../features/imports/index.ts";
import type { LoadImportSummaries } from "../../../features/runs/index.ts";
import { ok } from "../../answer.ts";
import { ownImportNotFound } from "../own-import-not-found.ts";
import type { Operation, PartnerRoute } from "../operation.ts";
import { toDetail } from "../represent.ts";
import { sandboxImport } from "../sandbox/fixtures.ts";

/** The first example is the one that a reader sees: with items and a warning. */
const statusesShown = [
  "sample_completed",
  ...statusCodes.filter((code) => code !== "sample_completed"),
] as const;

export const showImportOperation: Operation = {
  id: "showImport",
  method: "GET",
  path: "/imports/:id",
  tag: "Imports",
  summary: "Show an import",
  description: "How an import stands: its status, what is in the destination, what a person should know.",
  answers: {
    200: {
      description: "The import.",
      schema: importDetail,
      examples: (publicUrl) =>
        Object.fromEntries(statusesShown.map((code) => [code, sandboxImport(publicUrl, code)])),
    },
    404: {
      description: "No such import of yours, or it was cancelled or archived.",
      problem: ownImportNotFound(),
    },
  },
  sample: {
    id: "sample_completed",
    sdk: 'console.log(await portage.imports.show("sample_completed"));',
  },
};

interface Needs {
  readonly findImport: (partnerId: string, id: string) => Promise<ImportWithWarnings | undefined>;
  readonly loadSummaries: LoadImportSummaries;
  readonly publicUrl: string;
}

export const showImportRoute = ({ findImport, loadSummaries, publicUrl }: Needs): PartnerRoute => ({
  operation: showImportOperation,
  handle: async ({ partner, importId }) => {
    const found = await findImport(partner.id, importId);
    if (!found) throw ownImportNotFound();
    const { id, counted, findings, state } = found;
    const read = { id, counted, findings, liveRun: state.liveRun };
    const shown = (await loadSummaries([read], { causes: true }))(id);
    if (shown.standing?.closed) throw ownImportNotFound();
    return ok(toDetail(publicUrl, found, shown));
  },
});
