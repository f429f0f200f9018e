import type {
  OperatorImportBilling,
  OperatorInvoice,
  OperatorLedger,
  OperatorPriceBook,
} from "@portage/contract/operator";
import type { Command } from "commander";
import { invoiceCsv, monthPattern, priceBookSchema } from "../../features/billing/index.ts";
import { readInput } from "./billing-input.ts";
import { billingPayments } from "./billing-payments.ts";
import { billingRules } from "./billing-rules.ts";
import {
  balanceTable,
  bookBody,
  bookJson,
  bookSheet,
  invoiceOf,
  invoiceTable,
  postedTable,
  quoteJson,
  quoteSheet,
} from "./billing-shown.ts";
import { CommandError } from "./command-error.ts";
import { noImport } from "./no-import.ts";
import type { Operator } from "./operator.ts";
import { withOperatorApi } from "./operator-api.ts";
import { listPages, pathOf, withQuery } from "./operator-call.ts";
import { limitOption, wholeNumber } from "./paging.ts";
import { noPartner } from "./no-partner.ts";
import { dateOf, table } from "./table.ts";

const books = (billing: Command, operator: Operator): void => {
  const book = billing.command("book").description("Manage price books");

  book
    .command("set")
    .description("Replace a price book with JSON from stdin; existing quotes keep their price")
    .option("--partner <partner>", "For one partner (default: all partners without their own book)")
    .action(async ({ partner }: { partner?: string }) => {
      const given = await readInput(operator, priceBookSchema);
      const saved = await withOperatorApi(operator, (call) =>
        call<OperatorPriceBook>("/price-books", {
          method: "PUT",
          body: { ...bookBody(given), partner: partner ?? null },
          ...(partner !== undefined && { refusals: noPartner(partner) }),
        }),
      );
      operator.answer(bookJson(saved), () => bookSheet(saved));
    });

  book
    .command("show")
    .description("Show the price book that applies to a partner")
    .argument("<partner>", "Partner id")
    .action(async (partnerId: string) => {
      const { price_book: found } = await withOperatorApi(operator, (call) =>
        call<{ price_book: OperatorPriceBook | null }>(pathOf`/partners/${partnerId}/price-book`, {
          refusals: noPartner(partnerId),
        }),
      );
      if (!found)
        throw new CommandError("no_book", `No price book applies to ${partnerId}: nothing is for sale.`, {
          fix: "To set one for all partners, run: portage billing book set < book.json",
        });
      operator.answer(bookJson(found), () => bookSheet(found));
    });

  limitOption(book.command("list").description("List all price books, newest first, including replaced ones"))
    .option("--partner <partner>", "Only price books of this partner")
    .option("--after <book>", "Start after this book, the last of the previous page")
    .action(async (asked: { partner?: string; after?: string; limit: number }) => {
      const { rows: found, next } = await withOperatorApi(operator, (call) =>
        listPages(call, "price_books", asked, { path: "/price-books" }),
      );
      operator.answer({ books: found.map(bookJson), next }, () =>
        table(
          ["id", "partner", "currency", "since", "replaced"],
          found.map((each) => [
            each.id,
            each.partner,
            each.currency,
            dateOf(each.created_at),
            dateOf(each.replaced_at),
          ]),
        ),
      );
      if (next) operator.remark(`There are more: --after ${next}`);
    });
};

const quotes = (billing: Command, operator: Operator): void => {
  billing
    .command("quote")
    .description("Show the quote and the sponsorship decisions of an import")
    .argument("<import>", "Import id")
    .option(
      "--records <number>",
      "Create a quote for this many records, if the source tool reports no count",
      wholeNumber(0, 999_999_999),
    )
    .action(async (importId: string, { records }: { records?: number }) => {
      const found = await withOperatorApi(operator, async (call) => {
        const refusals = {
          ...noImport(importId),
          conflict: (message: string) => new CommandError("no_quote", message),
        };
        if (records !== undefined)
          await call(pathOf`/imports/${importId}/quote`, { method: "PUT", body: { records }, refusals });
        return call<OperatorImportBilling>(pathOf`/imports/${importId}/billing`, { refusals });
      });
      const quote = quoteJson(importId, found.quote);
      const decisions = found.decisions.map(({ by, ...each }) => ({ ...each, actor: { kind: by } }));
      operator.answer({ quote, decisions }, () =>
        [
          quote ? quoteSheet(quote) : "No quote yet: Portage creates it after the sample.",
          table(
            ["at", "decision", "by", "rule", "cost"],
            decisions.map((each) => [dateOf(each.at), each.decision, each.actor.kind, each.rule, each.cost]),
          ),
        ].join("\n\n"),
      );
    });
};

const accounts = (billing: Command, operator: Operator): void => {
  billing
    .command("invoice")
    .description("Show a partner's invoice for a month (UTC): sponsored imports and credits")
    .argument("<partner>", "Partner id")
    .requiredOption("--month <month>", "Month, such as 2026-11")
    .option("--csv", "Print CSV")
    .action(async (partnerId: string, { month, csv }: { month: string; csv?: true }) => {
      if (!monthPattern.test(month))
        throw new CommandError("invalid_month", "Invalid month: use a form like 2026-11.", { exitCode: 2 });
      const invoice = await withOperatorApi(operator, (call) =>
        call<OperatorInvoice>(withQuery(pathOf`/partners/${partnerId}/invoice`, { month }), {
          refusals: noPartner(partnerId),
        }),
      );
      if (csv) operator.needs.out(invoiceCsv(invoiceOf(invoice)));
      else operator.answer(invoice, () => invoiceTable(invoice));
    });

  billing
    .command("ledger")
    .description("Show the balance of each account, and the entries of an import")
    .option("--import <import>", "Only this import, with its entries")
    .option("--partner <partner>", "Only this partner")
    .action(async ({ import: importId, partner }: { import?: string; partner?: string }) => {
      const { balances, entries } = await withOperatorApi(operator, (call) =>
        call<OperatorLedger>(withQuery("/ledger", { import: importId, partner })),
      );
      const lines = entries.map(({ by, ...each }) => ({ ...each, actor: { kind: by } }));
      operator.answer({ balances, lines }, () =>
        [balanceTable(balances), ...(lines.length > 0 ? [postedTable(lines)] : [])].join("\n\n"),
      );
    });
};

export const billingCommands = (billing: Command, operator: Operator): void => {
  books(billing, operator);
  quotes(billing, operator);
  billingRules(billing, operator);
  billingPayments(billing, operator);
  accounts(billing, operator);
};
