import { validationErrors } from "@portage/contract";
import type { Moved } from "../../../features/imports/index.ts";
import { emptyOk, invalid } from "../../answer.ts";
import { ownImportNotFound } from "../own-import-not-found.ts";
import type { Operation, PartnerRoute } from "../operation.ts";

const notFound = {
  description: "No such import of yours, or it was cancelled or archived.",
  problem: ownImportNotFound(),
};

export const alreadyStarted = { base: ["The full migration has already started."] };

export const acceptSponsorshipOperation: Operation = {
  id: "acceptSponsorship",
  method: "POST",
  path: "/imports/:id/payment/accept",
  tag: "Sponsorship",
  summary: "Accept sponsorship",
  description:
    "You pay for the full migration: the customer can start it. Can be repeated. Has no effect once the customer has " +
    "paid. A body is ignored.",
  answers: { 200: { description: "Accepted; the body is empty." }, 404: notFound },
  sample: { id: "sample_completed", sdk: 'await portage.imports.acceptSponsorship("sample_completed");' },
};

export const rejectSponsorshipOperation: Operation = {
  id: "rejectSponsorship",
  method: "POST",
  path: "/imports/:id/payment/reject",
  tag: "Sponsorship",
  summary: "Reject sponsorship",
  description: "The customer can buy the full migration instead. Can be repeated. A body is ignored.",
  answers: {
    200: { description: "Rejected; the body is empty." },
    404: notFound,
    422: {
      description: "The sponsored full migration has already started.",
      schema: validationErrors,
      examples: () => ({ already_started: alreadyStarted }),
    },
  },
  sample: { id: "sample_completed", sdk: 'await portage.imports.rejectSponsorship("sample_completed");' },
};

export type Decide = (
  partnerId: string,
  importId: string,
  decision: "accepted" | "rejected",
) => Promise<{ readonly kind: Moved["kind"] }>;

const decideBy = (operation: Operation, decision: "accepted" | "rejected", decide: Decide): PartnerRoute => ({
  operation,
  handle: async ({ partner, importId }) => {
    const moved = await decide(partner.id, importId, decision);
    if (moved.kind === "missing") throw ownImportNotFound();
    return moved.kind === "refused" ? invalid(alreadyStarted) : emptyOk;
  },
});

export const acceptSponsorship = (decide: Decide): PartnerRoute =>
  decideBy(acceptSponsorshipOperation, "accepted", decide);

export const rejectSponsorship = (decide: Decide): PartnerRoute =>
  decideBy(rejectSponsorshipOperation, "rejected", decide);
