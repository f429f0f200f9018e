import { createdImport } from "@portage/contract";
import type { Secret } from "../../../platform/secret.ts";
import { ok } from "../../answer.ts";
import { ownImportNotFound } from "../own-import-not-found.ts";
import type { Call, Operation, PartnerRoute } from "../operation.ts";
import { toCreated } from "../represent.ts";
import { sandboxCreated } from "../sandbox/fixtures.ts";

export const reissueLinkOperation: Operation = {
  id: "reissueLink",
  method: "POST",
  path: "/imports/:id/link",
  tag: "Imports",
  summary: "Make a new link for the customer",
  description:
    "For a customer whose link was lost or seen by others. The old link, its sessions and the links made from it stop " +
    "working. A body is ignored.",
  answers: {
    200: {
      description: "The import, with its new link.",
      schema: createdImport,
      examples: (publicUrl) => ({ made: sandboxCreated(publicUrl, "sample_completed") }),
    },
    404: {
      description: "No such import of yours, or it was cancelled or archived.",
      problem: ownImportNotFound(),
    },
  },
  sample: {
    id: "sample_completed",
    sdk: 'const { redirect_url } = await portage.imports.reissueLink("sample_completed");\nconsole.log(redirect_url);',
  },
};

export const reissueLinkRoute = ({
  reissue,
  publicUrl,
}: {
  /** Undefined: no open import of this partner. */
  readonly reissue: (call: Call) => Promise<Secret | undefined>;
  readonly publicUrl: string;
}): PartnerRoute => ({
  operation: reissueLinkOperation,
  handle: async (call) => {
    const linkToken = await reissue(call);
    if (!linkToken) throw ownImportNotFound();
    return ok(toCreated(publicUrl, { id: call.importId, linkToken }));
  },
});
