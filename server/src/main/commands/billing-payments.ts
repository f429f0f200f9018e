import type { Command } from "commander";
import { disputeTable, type ShownRefunds, refundTable } from "./billing-shown.ts";
import { CommandError } from "./command-error.ts";
import { noImport } from "./no-import.ts";
import type { Operator } from "./operator.ts";
import { withOperatorApi } from "./operator-api.ts";
import { listPages, pathOf, sameOption } from "./operator-call.ts";
import { limitOption, wholeNumber } from "./paging.ts";

const maxMinorUnits = 999_999_999;

/** What the command says of a refund that can't be made as asked. */
const noRefund = (importId: string, { retry, done }: { retry?: string; done?: string }) => ({
  not_found: (message: string) =>
    message.startsWith("There is no such import")
      ? noImport(importId).not_found()
      : new CommandError("unknown_refund", `${importId} has no refund ${retry ?? done}.`),
  conflict: (message: string) => {
    if (retry !== undefined) return new CommandError("not_failed", `Refund ${retry} has not failed.`);
    if (done !== undefined) return new CommandError("not_manual", message);
    return new CommandError("nothing_to_give", "Nothing to refund, or the import is running.", {
      fix: `Stop a live run first. To check, run: portage import show ${importId}`,
    });
  },
});

/** Payments and refunds that the operator handles. */
export const billingPayments = (billing: Command, operator: Operator): void => {
  billing
    .command("mark-paid")
    .description("Record that the customer has paid (PAYMENTS=manual)")
    .argument("<import>", "Import id")
    .option("--tax <minor units>", "Tax paid on top of the price", wholeNumber(0, maxMinorUnits), 0)
    .action(async (importId: string, { tax }: { tax: number }) => {
      const { settled } = await withOperatorApi(operator, (call) =>
        call<{ settled: string }>(pathOf`/imports/${importId}/mark-paid`, {
          method: "POST",
          body: { tax },
          refusals: {
            ...noImport(importId),
            conflict: () =>
              new CommandError("no_checkout", `The customer of ${importId} has not asked to pay.`, {
                fix: "With PAYMENTS=manual the customer does so in the wizard, and you send the invoice.",
              }),
          },
        }),
      );
      const texts: Readonly<Record<string, string>> = {
        bought: `${importId} is paid.`,
        due_back: `${importId} no longer needs a payment: a refund is due.`,
        known: `${importId} was already marked as paid.`,
      };
      operator.answer({ import: importId, settled }, () => texts[settled] ?? settled);
    });

  limitOption(
    billing
      .command("disputes")
      .description("List payments that customers dispute at their bank (chargebacks), newest first"),
  )
    .option("--import <import>", "Only this import")
    .option("--undecided", "Only disputes that the bank has not decided")
    .option("--after <dispute>", "Start after this dispute, the last of the previous page")
    .action(async (asked: { import?: string; undecided?: true; after?: string; limit: number }) => {
      const { rows: disputes, next } = await withOperatorApi(operator, (call) =>
        listPages(call, "disputes", asked),
      );
      operator.answer({ disputes, next }, () => disputeTable(disputes));
      if (next) operator.remark(`There are more: --after ${next}`);
    });

  billing
    .command("refund")
    .description("Refund the customer or credit the sponsor; the import must not be running")
    .argument("<import>", "Import id")
    .option("--retry <refund>", "Retry a failed refund")
    .option("--done <refund>", "Record a refund that you paid out (PAYMENTS=manual)")
    .action(async (importId: string, given: { retry?: string; done?: string }) => {
      const { refunds } = await withOperatorApi(operator, (call) =>
        call<{ refunds: ShownRefunds }>(pathOf`/imports/${importId}/refund`, {
          method: "POST",
          body: given,
          refusals: noRefund(importId, given),
          optionOf: sameOption,
        }),
      );
      operator.answer({ import: importId, refunds }, () =>
        refunds.length === 0 ? "The sponsor was credited." : refundTable(refunds),
      );
    });
};
