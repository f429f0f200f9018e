import { filledText } from "@portage/contract";
import { z } from "zod";
import { eraseImport, listImportsOf, makeReceipt } from "../../features/erasure/index.ts";
import { usernameKey } from "../../features/imports/index.ts";
import type { Signer } from "../../platform/sign.ts";
import { Problem } from "../answer.ts";
import { knownPartner } from "./find.ts";
import { type AuditedCall, operatorRoute, type OperatorRoute } from "./operation.ts";

/** Erases all that is known of a customer, whichever imports it is in. */
export const erasureRoutes = (needs: { readonly signer: Signer }): readonly OperatorRoute[] => [
  operatorRoute(
    {
      id: "eraseCustomer",
      method: "POST",
      path: "/erasures",
      area: "imports",
      role: "admin",
      summary: "Erase a customer",
      description:
        "All imports of this destination username, of one partner or of all, once each is closed and its run has ended. The " +
        "answer has a signed receipt for each. The audit log has the imports' ids, not the name, and an entry for each import. Safe to repeat, but erased " +
        "imports no longer have the name: a repeat answers without receipts. `eraseImport` with such an id gives its receipt again.",
      body: z.object({
        destination_username: filledText(1_000),
        partner: z.string().nullable().default(null),
      }),
      answer: z.object({
        receipts: z.array(z.object({ receipt: z.object({ import: z.string() }).loose(), jws: z.string() })),
      }),
      conflict: "One of them is open, or its run has not ended.",
    },
    async ({ db, body: { destination_username: name, partner } }) => {
      if (partner !== null) await knownPartner(db, partner);
      const found = await listImportsOf(db, usernameKey(name), partner);
      const busy = found.filter(({ isAtRest }) => !isAtRest).map(({ id }) => id);
      if (busy.length > 0)
        throw new Problem(
          "conflict",
          `${busy.join(", ")}: open, or with a run that has not ended. Cancel each, and wait until it has stopped.`,
        );
      const receipts: ReturnType<typeof makeReceipt>[] = [];
      const each: AuditedCall[] = [];
      for (const { id } of found) {
        const erased = await eraseImport(db, id);
        if (erased.kind !== "erased")
          throw new Problem("conflict", `${id} was changed meanwhile: try again.`);
        receipts.push(makeReceipt(erased.erasure, needs.signer));
        each.push({ target: { kind: "import", id }, after: { erased: erased.erasure.erased } });
      }
      return {
        body: { receipts },
        target: { kind: "system", id: "erasure" },
        before: { imports: found.map(({ id }) => id) },
        after: { erased: receipts.map(({ receipt }) => receipt.import) },
        each,
      };
    },
  ),
];
