import type { Command } from "commander";
import {
  createSettle,
  findCheckout,
  listCheckouts,
  listDisputes,
  listRefunds,
  retryRefund,
} from "../../features/billing/index.ts";
import { findAnyImport } from "../../features/imports/index.ts";
import type { Database } from "../../platform/db.ts";
import { disputeJson, disputeTable, refundJson, refundTable } from "./billing-shown.ts";
import { CommandError } from "./command-error.ts";
import { directChange } from "./direct-change.ts";
import type { Operator } from "./operator.ts";
import { limitOption, wholeNumber } from "./paging.ts";

const maxMinorUnits = 999_999_999;

const knownImport = async (db: Database, operator: Operator, id: string) => {
  const found = await findAnyImport(db, operator.sealer(), id);
  if (!found) throw new CommandError("unknown_import", `There is no import ${id}.`);
  return found;
};

/** The import's open manual checkout, which the operator can mark as paid; null if it is paid already. */
const openManual = async (db: Database, importId: string) => {
  const checkouts = await listCheckouts(db, importId);
  const open = checkouts.find(({ state, provider }) => provider === "manual" && state === "open");
  if (open) return open;
  if (checkouts.some(({ state, provider }) => provider === "manual" && state === "paid")) return null;
  throw new CommandError("no_checkout", `The customer of ${importId} has not asked to pay.`, {
    fix: "With PAYMENTS=manual the customer does so in the wizard, and you send the invoice.",
  });
};

/** Payments and refunds that the operator handles. */
export const billingPayments = (billing: Command, operator: Operator): void => {
  billing
    .command("mark-paid")
    .description("Record that the customer has paid (PAYMENTS=manual)")
    .argument("<import>", "Import id")
    .option("--tax <minor units>", "Tax paid on top of the price", wholeNumber(0, maxMinorUnits), 0)
    .action(async (importId: string, { tax }: { tax: number }) => {
      const settled = await operator.withDatabase(async (db) => {
        await knownImport(db, operator, importId);
        const checkout = await openManual(db, importId);
        // Recording it twice is not an error, so that scripts can run again.
        if (checkout === null) return { kind: "known" } as const;
        return directChange(db, "markPaid", async (within) => {
          const result = await createSettle({ db: within }).paid({
            checkout: { checkoutId: checkout.id },
            total: checkout.amount + tax,
            tax,
            paidAt: new Date(),
            actor: { kind: "operator" },
          });
          return {
            result,
            target: { kind: "import", id: importId },
            before: { checkout: checkout.id, state: checkout.state },
            after: { checkout: checkout.id, amount: checkout.amount, tax, settled: result.kind },
          };
        });
      });
      const texts: Readonly<Record<string, string>> = {
        bought: `${importId} is paid.`,
        due_back: `${importId} no longer needs a payment: a refund is due.`,
        known: `${importId} was already marked as paid.`,
      };
      operator.answer({ import: importId, settled: settled.kind }, () => texts[settled.kind] ?? settled.kind);
    });

  limitOption(
    billing
      .command("disputes")
      .description("List payments that customers dispute at their bank (chargebacks), newest first"),
  )
    .option("--import <import>", "Only this import")
    .option("--undecided", "Only disputes that the bank has not decided")
    .action(async (given: { import?: string; undecided?: true; limit: number }) => {
      const disputes = await operator.withDatabase((db) =>
        listDisputes(db, {
          importId: given.import ?? null,
          undecided: given.undecided ?? false,
          limit: given.limit,
        }),
      );
      operator.answer({ disputes: disputes.map(disputeJson) }, () => disputeTable(disputes));
    });

  billing
    .command("refund")
    .description("Refund the customer or credit the sponsor; the import must not be running")
    .argument("<import>", "Import id")
    .option("--retry <refund>", "Retry a failed refund")
    .option("--done <refund>", "Record a refund that you paid out (PAYMENTS=manual)")
    .action(async (importId: string, { retry, done }: { retry?: string; done?: string }) => {
      const refunds = await operator.withDatabase((opened) =>
        directChange(opened, "refund", async (db) => {
          await knownImport(db, operator, importId);
          const before = await listRefunds(db, importId);
          const named = (id: string) => {
            const refund = before.find((each) => each.id === id);
            if (!refund) throw new CommandError("unknown_refund", `${importId} has no refund ${id}.`);
            return refund;
          };
          if (retry !== undefined) {
            if (!(await retryRefund(db, named(retry).id)))
              throw new CommandError("not_failed", `Refund ${retry} has not failed.`);
          } else if (done !== undefined) {
            const { checkoutId, id } = named(done);
            const checkout = await findCheckout(db, { checkoutId });
            if (checkout?.provider !== "manual")
              throw new CommandError("not_manual", `${checkout?.provider} pays out ${done}.`);
            await createSettle({ db }).refunded({
              checkout: { checkoutId },
              refunded: null,
              actor: { kind: "operator" },
              state: { kind: "done", reference: id },
            });
          } else {
            const given = await createSettle({ db }).giveBack(importId, "operator", { kind: "operator" });
            if (given.kind === "not_owed")
              throw new CommandError("nothing_to_give", "Nothing to refund, or the import is running.", {
                fix: `Stop a live run first. To check, run: portage import show ${importId}`,
              });
          }
          const after = await listRefunds(db, importId);
          return {
            result: after,
            target: { kind: "import", id: importId },
            before: { refunds: before.map(refundJson) },
            after: { refunds: after.map(refundJson) },
          };
        }),
      );
      operator.answer({ import: importId, refunds: refunds.map(refundJson) }, () =>
        refunds.length === 0 ? "The sponsor was credited." : refundTable(refunds),
      );
    });
};
