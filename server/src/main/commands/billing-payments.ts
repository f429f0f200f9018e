import type { Command } from "commander";
import {
  createSettle,
  findCheckout,
  listCheckouts,
  listRefunds,
  retryRefund,
} from "../../features/billing/index.ts";
import { findAnyImport } from "../../features/imports/index.ts";
import type { Database } from "../../platform/db.ts";
import { refundJson, refundTable } from "./billing-shown.ts";
import { CommandError } from "./command-error.ts";
import type { Operator } from "./operator.ts";
import { wholeNumber } from "./paging.ts";

const mostMinorUnits = 999_999_999;

const knownImport = async (db: Database, operator: Operator, id: string) => {
  const found = await findAnyImport(db, operator.sealer(), id);
  if (!found) throw new CommandError("unknown_import", `There is no import ${id}.`);
  return found;
};

/** The one payment of the import that somebody can say to have come in. */
const openManual = async (db: Database, importId: string) => {
  const checkouts = await listCheckouts(db, importId);
  const open = checkouts.find(({ state, provider }) => provider === "manual" && state === "open");
  if (open) return open;
  if (checkouts.some(({ state, provider }) => provider === "manual" && state === "paid")) return null;
  throw new CommandError("no_checkout", `The customer of ${importId} has not asked to pay.`, {
    fix: "With PAYMENTS=manual they do so in the wizard; the invoice is sent to them by you.",
  });
};

/** Money that people move themselves: noted as come in, given back. */
export const billingPayments = (billing: Command, operator: Operator): void => {
  billing
    .command("mark-paid")
    .description("note that the customer has paid what they asked to pay (PAYMENTS=manual)")
    .argument("<import>", "its id")
    .option("--tax <minor units>", "how much of it came on top as tax", wholeNumber(0, mostMinorUnits), 0)
    .action(async (importId: string, { tax }: { tax: number }) => {
      const settled = await operator.withDatabase(async (db) => {
        await knownImport(db, operator, importId);
        const checkout = await openManual(db, importId);
        // Noting it twice is no error: a script may run again.
        if (checkout === null) return { kind: "known" } as const;
        return createSettle({ db }).paid({
          checkout: { checkoutId: checkout.id },
          total: checkout.amount + tax,
          tax,
          paidAt: new Date(),
          actor: { kind: "operator" },
        });
      });
      const texts: Readonly<Record<string, string>> = {
        bought: `${importId} is paid.`,
        due_back: `${importId} needs no payment any more: it is owed back.`,
        known: `${importId} was noted as paid before.`,
      };
      operator.answer({ import: importId, settled: settled.kind }, () => texts[settled.kind] ?? settled.kind);
    });

  billing
    .command("refund")
    .description("give the customer's money back, or credit the sponsor; of an import that is not at work")
    .argument("<import>", "its id")
    .option("--retry <refund>", "try once more one that failed")
    .option("--done <refund>", "note one as given back by you (PAYMENTS=manual)")
    .action(async (importId: string, { retry, done }: { retry?: string; done?: string }) => {
      const refunds = await operator.withDatabase(async (db) => {
        await knownImport(db, operator, importId);
        const before = await listRefunds(db, importId);
        const named = (id: string) => {
          const refund = before.find((each) => each.id === id);
          if (!refund) throw new CommandError("unknown_refund", `${importId} has no refund ${id}.`);
          return refund;
        };
        if (retry !== undefined) {
          if (!(await retryRefund(db, named(retry).id)))
            throw new CommandError("not_failed", `${retry} has not failed.`);
        } else if (done !== undefined) {
          const { checkoutId, id } = named(done);
          const checkout = await findCheckout(db, { checkoutId });
          if (checkout?.provider !== "manual")
            throw new CommandError("not_manual", `${done} is given back by ${checkout?.provider}.`);
          await createSettle({ db }).refunded({
            checkout: { checkoutId },
            refunded: null,
            actor: { kind: "operator" },
            state: { kind: "done", reference: id },
          });
        } else {
          const given = await createSettle({ db }).giveBack(importId, "operator", { kind: "operator" });
          if (given.kind === "not_owed")
            throw new CommandError("nothing_to_give", "There is nothing to give back, or it is at work.", {
              fix: `portage import show ${importId} tells. Stop what is at work first.`,
            });
        }
        return listRefunds(db, importId);
      });
      operator.answer({ import: importId, refunds: refunds.map(refundJson) }, () =>
        refunds.length === 0 ? "The sponsor is credited." : refundTable(refunds),
      );
    });
};
