import { emptyOk } from "../../answer.ts";
import { importNotFound } from "../import-not-found.ts";
import type { Operation, PartnerRoute } from "../operation.ts";
import type { Move } from "./decide-sponsorship.ts";

export const cancelImportOperation: Operation = {
  id: "cancelImport",
  method: "POST",
  path: "/imports/:id/cancel",
  summary: "Cancel an import",
  description:
    "Ends all work on the import and deletes its credentials. What was already moved stays where it is. Afterwards the " +
    "import answers 404. A body is ignored.",
  answers: {
    200: { description: "Cancelled; the body is empty." },
    404: { description: "No such import of yours, or it was cancelled or archived." },
  },
};

export const cancelImport = (move: Move): PartnerRoute => ({
  operation: cancelImportOperation,
  handle: async ({ partner, importId }) => {
    const moved = await move(partner.id, importId, { type: "cancelled" });
    if (moved.kind === "missing") throw importNotFound();
    return emptyOk;
  },
});
