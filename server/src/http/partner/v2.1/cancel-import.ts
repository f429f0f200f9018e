import type { Moved } from "../../../features/imports/index.ts";
import { emptyOk } from "../../answer.ts";
import { ownImportNotFound } from "../own-import-not-found.ts";
import type { Operation, PartnerRoute } from "../operation.ts";

export const cancelImportOperation: Operation = {
  id: "cancelImport",
  method: "POST",
  path: "/imports/:id/cancel",
  tag: "Imports",
  summary: "Cancel an import",
  description:
    "Ends all work on the import and deletes its credentials. What was already moved stays where it is. Afterwards the " +
    "import answers 404. A body is ignored.",
  answers: {
    200: { description: "Cancelled; the body is empty." },
    404: {
      description: "No such import of yours, or it was cancelled or archived.",
      problem: ownImportNotFound(),
    },
  },
  sample: { id: "sample_completed", sdk: 'await portage.imports.cancel("sample_completed");' },
};

export const cancelImport = (
  cancel: (partnerId: string, importId: string) => Promise<{ readonly kind: Moved["kind"] }>,
): PartnerRoute => ({
  operation: cancelImportOperation,
  handle: async ({ partner, importId }) => {
    const moved = await cancel(partner.id, importId);
    if (moved.kind === "missing") throw ownImportNotFound();
    return emptyOk;
  },
});
