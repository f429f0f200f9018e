import type { Command } from "commander";
import {
  findBookFor,
  findOwnBook,
  findQuote,
  fixQuote,
  invoiceCsv,
  listBalances,
  listBooks,
  listDecisions,
  listPosted,
  makeInvoice,
  monthPattern,
  priceBookSchema,
  saveBook,
} from "../../features/billing/index.ts";
import { findAnyImport } from "../../features/imports/index.ts";
import { readInput } from "./billing-input.ts";
import { billingPayments } from "./billing-payments.ts";
import { billingRules } from "./billing-rules.ts";
import {
  balanceTable,
  bookJson,
  bookSheet,
  invoiceJson,
  invoiceTable,
  postedTable,
  quoteJson,
} from "./billing-shown.ts";
import { CommandError } from "./command-error.ts";
import { directChange } from "./direct-change.ts";
import { requirePartner } from "./require-partner.ts";
import type { Operator } from "./operator.ts";
import { limitOption, wholeNumber } from "./paging.ts";
import { sheet, table } from "./table.ts";

const books = (billing: Command, operator: Operator): void => {
  const book = billing.command("book").description("Manage price books");

  book
    .command("set")
    .description("Replace a price book with JSON from stdin; existing quotes keep their price")
    .option("--partner <partner>", "For one partner (default: all partners without their own book)")
    .action(async ({ partner }: { partner?: string }) => {
      const given = await readInput(operator, priceBookSchema);
      const saved = await operator.withDatabase(async (db) => {
        if (partner !== undefined) await requirePartner(db, partner);
        return directChange(db, "setPriceBook", async (within) => {
          const before = await findOwnBook(within, partner ?? null);
          const result = await saveBook(within, { partnerId: partner ?? null, book: given, by: "operator" });
          return {
            result,
            target: { kind: "price_book", id: result.id },
            before: before ? bookJson(before) : null,
            after: bookJson(result),
          };
        });
      });
      operator.answer(bookJson(saved), () => bookSheet(saved));
    });

  book
    .command("show")
    .description("Show the price book that applies to a partner")
    .argument("<partner>", "Partner id")
    .action(async (partnerId: string) => {
      const found = await operator.withDatabase(async (db) => {
        await requirePartner(db, partnerId);
        return findBookFor(db.sql, partnerId);
      });
      if (!found)
        throw new CommandError("no_book", `No price book applies to ${partnerId}: nothing is for sale.`, {
          fix: "To set one for all partners, run: portage billing book set < book.json",
        });
      operator.answer(bookJson(found), () => bookSheet(found));
    });

  limitOption(book.command("list").description("List all price books, newest first, including replaced ones"))
    .option("--partner <partner>", "Only price books of this partner")
    .action(async ({ partner, limit }: { partner?: string; limit: number }) => {
      const found = await operator.withDatabase((db) => listBooks(db, { partnerId: partner ?? null, limit }));
      operator.answer({ books: found.map(bookJson) }, () =>
        table(
          ["id", "partner", "currency", "since", "replaced"],
          found.map((each) => [each.id, each.partnerId, each.currency, each.createdAt, each.replacedAt]),
        ),
      );
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
      const { quote, decisions } = await operator.withDatabase(async (db) => {
        const found = await findAnyImport(db, operator.sealer(), importId);
        if (!found) throw new CommandError("unknown_import", `There is no import ${importId}.`);
        if (records !== undefined) {
          await directChange(db, "fixQuote", async (within) => {
            const before = await findQuote(within.sql, importId);
            const countRecords = async () => ({ kind: "counted", records }) as const;
            const fixed = await fixQuote({ db: within, countRecords })(found);
            if (fixed.kind === "none")
              throw new CommandError(fixed.why, "No package covers this many records.");
            const after = await findQuote(within.sql, importId);
            return {
              result: null,
              target: { kind: "import", id: importId },
              before: before ? quoteJson(before) : null,
              after: after ? quoteJson(after) : null,
            };
          });
        }
        return {
          quote: await findQuote(db.sql, importId),
          decisions: await listDecisions(db, found.partnerId, importId),
        };
      });
      operator.answer({ quote: quote ? quoteJson(quote) : null, decisions }, () =>
        [
          quote ? sheet(quoteJson(quote)) : "No quote yet: Portage creates it after the sample.",
          table(
            ["at", "decision", "by", "rule", "cost"],
            decisions.map((each) => [each.at, each.decision, each.actor.kind, each.rule, each.cost]),
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
      const invoice = await operator.withDatabase(async (db) => {
        await requirePartner(db, partnerId);
        return makeInvoice(db, partnerId, month);
      });
      if (csv) operator.needs.out(invoiceCsv(invoice));
      else operator.answer(invoiceJson(invoice), () => invoiceTable(invoice));
    });

  billing
    .command("ledger")
    .description("Show the balance of each account, and the entries of an import")
    .option("--import <import>", "Only this import, with its entries")
    .option("--partner <partner>", "Only this partner")
    .action(async ({ import: importId, partner }: { import?: string; partner?: string }) => {
      const { balances, lines } = await operator.withDatabase(async (db) => ({
        balances: await listBalances(db, { importId: importId ?? null, partnerId: partner ?? null }),
        lines: importId === undefined ? [] : await listPosted(db, importId),
      }));
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
