import {
  disputeSchema,
  flag,
  importBillingSchema,
  invoiceSchema,
  ledgerSchema,
  next,
  page,
  priceBookSchema as bookSchema,
  refundSchema,
} from "@portage/contract/operator";
import { z } from "zod";
import {
  createSettle,
  findCheckout,
  findBookFor,
  findQuote,
  fixQuote,
  hasDispute,
  holdOwnBook,
  listBalances,
  listBooks,
  listCheckouts,
  listDecisions,
  listDisputes,
  listPosted,
  listRefunds,
  makeInvoice,
  monthPattern,
  type PostedLine,
  type PriceBook,
  priceBookSchema,
  type Quote,
  type Refund,
  retryRefund,
  saveBook,
} from "../../features/billing/index.ts";
import type { Sealer } from "../../platform/seal.ts";
import { Problem } from "../answer.ts";
import { knownImport, knownPartner } from "./find.ts";
import { checked } from "./checked.ts";
import { InvalidInput } from "./invalid-input.ts";
import { actorOf, changedBy, operatorRoute, type OperatorRoute } from "./operation.ts";
import { pageOf } from "../../platform/page-of.ts";
import { sponsorRulesRoutes } from "./sponsor-rules-routes.ts";

const bookJson = (book: PriceBook) => ({
  id: book.id,
  partner: book.partnerId,
  currency: book.currency,
  packages: book.packages.map(({ upToRecords, ...each }) => ({ ...each, up_to_records: upToRecords })),
  counts: book.counts,
  quote_days: book.quoteDays,
  refund_days: book.refundDays,
  created_at: book.createdAt,
  created_by: book.createdBy,
  replaced_at: book.replacedAt,
});

const quoteJson = (quote: Quote) => ({
  id: quote.id,
  price_book: quote.priceBookId,
  records: quote.records,
  package: quote.package.id,
  amount: quote.amount,
  currency: quote.currency,
  made_at: quote.madeAt,
  valid_until: quote.validUntil,
});

const entryJson = ({ at, kind, reference, account, amount, currency, actor }: PostedLine) => ({
  at,
  kind,
  reference,
  account,
  amount,
  currency,
  by: actor.kind,
});

const noQuote: Readonly<Record<string, string>> = {
  not_offered: "No price book applies to it: nothing is for sale.",
  too_large: "No package covers this many records.",
};

const refundJson = ({ id, checkoutId, amount, reason, state, attempts, doneAt }: Refund) => ({
  id,
  checkout: checkoutId,
  amount,
  reason,
  state,
  attempts,
  done_at: doneAt,
});

const disputeJson = (of: Awaited<ReturnType<typeof listDisputes>>[number]) => ({
  id: of.reference,
  provider: of.provider,
  import: of.importId,
  checkout: of.checkoutId,
  state: of.state,
  reason: of.reason,
  amount: of.amount,
  currency: of.currency,
  withdrawn: of.withdrawn,
  opened_at: of.openedAt,
  changed_at: of.changedAt,
});

const maxDisputes = 200;

const afterId = z.string().optional().describe("The last id of the page before.");

const priceBooks = (): readonly OperatorRoute[] => [
  operatorRoute(
    {
      id: "listPriceBooks",
      method: "GET",
      path: "/price-books",
      area: "billing",
      role: "viewer",
      summary: "List price books",
      description: "Newest first, replaced ones included. Go on with `after` = `next`.",
      query: z.object({ partner: z.string().optional(), after: afterId, ...page }),
      answer: z.object({ price_books: z.array(bookSchema), next: next("after") }),
    },
    async ({ db, query: { partner = null, after, limit } }) => {
      const found = await listBooks(db, { partnerId: partner, after, limit: limit + 1 });
      const { rows, next: goOn } = pageOf(found, limit, ({ id }) => id);
      return { body: { price_books: rows.map(bookJson), next: goOn } };
    },
  ),
  operatorRoute(
    {
      id: "setPriceBook",
      method: "PUT",
      path: "/price-books",
      area: "billing",
      role: "admin",
      summary: "Replace a price book",
      description:
        "Of one partner, or of all without their own. Existing quotes keep their price; an earlier book stays in the list.",
      body: z.object({
        partner: z.string().nullable().default(null),
        currency: z.unknown().optional(),
        packages: z.array(z.looseObject({ up_to_records: z.unknown().optional() })),
        counts: z.unknown().optional(),
        quote_days: z.unknown().optional(),
        refund_days: z.unknown().optional(),
      }),
      answer: bookSchema,
    },
    async ({ db, body, session }) => {
      const { partner: partnerId, packages, quote_days: quoteDays, refund_days: refundDays, ...rest } = body;
      const book = checked(priceBookSchema, {
        ...rest,
        quoteDays,
        refundDays,
        packages: packages.map(({ up_to_records: upToRecords, ...each }) => ({ ...each, upToRecords })),
      });
      if (partnerId !== null) await knownPartner(db, partnerId);
      const before = await holdOwnBook(db, partnerId);
      const after = bookJson(await saveBook(db, { partnerId, book, by: changedBy(session) }));
      return {
        body: after,
        target: { kind: "price_book", id: after.id },
        before: before ? bookJson(before) : null,
        after,
      };
    },
  ),
];

const ofPartners = (): readonly OperatorRoute[] => [
  operatorRoute(
    {
      id: "showPriceBook",
      method: "GET",
      path: "/partners/:id/price-book",
      area: "billing",
      role: "viewer",
      summary: "Show the price book that applies to a partner",
      description: "Its own, or that of all partners without their own. Null: nothing is for sale.",
      answer: z.object({ price_book: bookSchema.nullable() }),
    },
    async ({ db, params }) => {
      const { id } = await knownPartner(db, params["id"] ?? "");
      const found = await findBookFor(db.sql, id);
      return { body: { price_book: found ? bookJson(found) : null }, target: { kind: "partner", id } };
    },
  ),
  operatorRoute(
    {
      id: "showInvoice",
      method: "GET",
      path: "/partners/:id/invoice",
      area: "billing",
      role: "viewer",
      summary: "Show a partner's invoice",
      description: "What it owes for a month (UTC): sponsored imports and credits.",
      query: z.object({ month: z.string().regex(monthPattern, "must be a month such as 2026-11") }),
      answer: invoiceSchema,
    },
    async ({ db, params, query: { month } }) => {
      const { id } = await knownPartner(db, params["id"] ?? "");
      const { lines, totals } = await makeInvoice(db, id, month);
      return {
        body: {
          partner: id,
          month,
          lines: lines.map(({ importId, ...line }) => ({ ...line, import: importId })),
          totals,
        },
        target: { kind: "partner", id },
      };
    },
  ),
];

interface BillingNeeds {
  readonly sealer: Sealer;
}

const ofImports = (needs: BillingNeeds): readonly OperatorRoute[] => [
  operatorRoute(
    {
      id: "showBilling",
      method: "GET",
      path: "/imports/:id/billing",
      area: "billing",
      role: "viewer",
      summary: "Show an import's money",
      description:
        "Its quote, who decided on sponsorship, attempts to pay, refunds, disputes and entries of the books.",
      answer: importBillingSchema,
    },
    async ({ db, params }) => {
      const { id, partnerId } = await knownImport(db, needs.sealer, params["id"] ?? "");
      const quote = await findQuote(db.sql, id);
      return {
        body: {
          quote: quote ? quoteJson(quote) : null,
          decisions: (await listDecisions(db, partnerId, id)).map((each) => ({
            at: each.at,
            decision: each.decision,
            by: each.actor.kind,
            rule: each.rule,
            records: each.records,
            cost: each.cost,
            currency: each.currency,
          })),
          checkouts: (await listCheckouts(db, id)).map((each) => ({
            id: each.id,
            provider: each.provider,
            state: each.state,
            amount: each.amount,
            currency: each.currency,
            tax: each.tax,
            created_at: each.createdAt,
            paid_at: each.paidAt,
          })),
          refunds: (await listRefunds(db, id)).map(refundJson),
          disputes: (await listDisputes(db, { importId: id, undecided: false, limit: maxDisputes })).map(
            disputeJson,
          ),
          entries: (await listPosted(db, id)).map(entryJson),
        },
        target: { kind: "import", id },
      };
    },
  ),
  operatorRoute(
    {
      id: "fixQuote",
      method: "PUT",
      path: "/imports/:id/quote",
      area: "billing",
      role: "admin",
      summary: "Create a quote for a number of records",
      description:
        "Where the source tool reports no count. A quote that holds already, or that the customer is paying, stays as it is.",
      body: z.object({ records: z.int().min(0).max(999_999_999) }),
      answer: z.object({ quote: importBillingSchema.shape.quote.unwrap() }),
      conflict: "Nothing is for sale for it, or no package covers this many records.",
    },
    async ({ db, params, body: { records } }) => {
      const found = await knownImport(db, needs.sealer, params["id"] ?? "");
      const before = await findQuote(db.sql, found.id);
      const countRecords = async () => ({ kind: "counted", records }) as const;
      const fixed = await fixQuote({ db, countRecords })(found);
      const after = await findQuote(db.sql, found.id);
      if (fixed.kind === "none" || !after)
        throw new Problem("conflict", (fixed.kind === "none" && noQuote[fixed.why]) || "There is no quote.");
      return {
        body: { quote: quoteJson(after) },
        target: { kind: "import", id: found.id },
        before: before ? { quote: quoteJson(before) } : null,
        after: { quote: quoteJson(after) },
      };
    },
  ),
  operatorRoute(
    {
      id: "markPaid",
      method: "POST",
      path: "/imports/:id/mark-paid",
      area: "billing",
      role: "admin",
      summary: "Record that the customer has paid",
      description: "Of a checkout by invoice (`PAYMENTS=manual`). Safe to repeat.",
      body: z.object({ tax: z.int().min(0).max(999_999_999).default(0).describe("On top of the price.") }),
      answer: z.object({
        settled: z.string().describe("`bought`, `due_back`, or `known`: it was paid already."),
      }),
      conflict: "The customer has not asked to pay by invoice.",
    },
    async ({ db, params, session, body: { tax } }) => {
      const { id } = await knownImport(db, needs.sealer, params["id"] ?? "");
      const manual = (await listCheckouts(db, id)).filter(({ provider }) => provider === "manual");
      const open = manual.find(({ state }) => state === "open");
      const target = { kind: "import", id } as const;
      if (!open) {
        if (!manual.some(({ state }) => state === "paid"))
          throw new Problem("conflict", "The customer has not asked to pay by invoice.");
        return { body: { settled: "known" }, target };
      }
      const { kind } = await createSettle({ db }).paid({
        checkout: { checkoutId: open.id },
        total: open.amount + tax,
        tax,
        paidAt: new Date(),
        actor: actorOf(session),
      });
      return {
        body: { settled: kind },
        target,
        before: { checkout: open.id, state: open.state },
        after: { checkout: open.id, amount: open.amount, tax, settled: kind },
      };
    },
  ),
  operatorRoute(
    {
      id: "refund",
      method: "POST",
      path: "/imports/:id/refund",
      area: "billing",
      role: "admin",
      summary: "Give money back",
      description:
        "Refunds the customer or credits the sponsor, once its run has ended. `retry` tries a failed refund again; `done` records one " +
        "that you paid out yourself (`PAYMENTS=manual`).",
      body: z.object({ retry: z.string().optional(), done: z.string().optional() }),
      answer: z.object({ refunds: z.array(refundSchema) }),
      conflict: "There is nothing to give back, the run has not ended, or the refund is not in that state.",
    },
    async ({ db, params, session, body: { retry, done } }) => {
      const { id } = await knownImport(db, needs.sealer, params["id"] ?? "");
      if (retry !== undefined && done !== undefined)
        throw new InvalidInput({ done: ["can't be given with retry"] });
      const before = await listRefunds(db, id);
      const settle = createSettle({ db });
      const named = before.find((refund) => refund.id === (retry ?? done));
      if ((retry ?? done) !== undefined && !named)
        throw new Problem("not_found", "The import has no such refund.");
      if (named && retry !== undefined) {
        if (!(await retryRefund(db, named.id))) throw new Problem("conflict", "The refund has not failed.");
      } else if (named) {
        const checkout = await findCheckout(db, { checkoutId: named.checkoutId });
        if (checkout?.provider !== "manual")
          throw new Problem("conflict", "The payment provider pays this refund out.");
        await settle.refunded({
          checkout: { checkoutId: named.checkoutId },
          refunded: null,
          isAnswer: true,
          actor: actorOf(session),
          state: { kind: "done", reference: named.id },
        });
      } else if ((await settle.giveBack(id, "operator", actorOf(session))).kind === "not_owed")
        throw new Problem("conflict", "There is nothing to give back, or the import is running.");
      const after = (await listRefunds(db, id)).map(refundJson);
      return {
        body: { refunds: after },
        target: { kind: "import", id },
        before: { refunds: before.map(refundJson) },
        after: { refunds: after },
      };
    },
  ),
  operatorRoute(
    {
      id: "showLedger",
      method: "GET",
      path: "/ledger",
      area: "billing",
      role: "viewer",
      summary: "Show the balances of the billing ledger",
      description:
        "Of one import, with its entries; of one partner; or of all, which adds up every entry: with millions it takes seconds.",
      query: z.object({ import: z.string().optional(), partner: z.string().optional() }),
      answer: ledgerSchema,
    },
    async ({ db, query: { import: importId = null, partner: partnerId = null } }) => ({
      body: {
        balances: await listBalances(db, { importId, partnerId }),
        entries: importId === null ? [] : (await listPosted(db, importId)).map(entryJson),
      },
      ...(importId !== null && { target: { kind: "import", id: importId } as const }),
    }),
  ),
  operatorRoute(
    {
      id: "listDisputes",
      method: "GET",
      path: "/disputes",
      area: "billing",
      role: "viewer",
      summary: "List disputes",
      description:
        "Payments that customers dispute at their bank (chargebacks), newest first. Go on with `after` = `next`.",
      query: z.object({
        import: z.string().optional().describe("Only this import."),
        undecided: flag.optional().describe("Only those that the bank has not decided."),
        after: afterId,
        ...page,
      }),
      answer: z.object({ disputes: z.array(disputeSchema), next: next("after") }),
    },
    async ({ db, query: { import: importId = null, undecided = false, after, limit } }) => {
      if (after !== undefined && !(await hasDispute(db, after)))
        throw new InvalidInput({ after: ["is not one of the disputes"] });
      const found = await listDisputes(db, { importId, undecided, after, limit: limit + 1 });
      const { rows, next: goOn } = pageOf(found, limit, ({ reference }) => reference);
      return { body: { disputes: rows.map(disputeJson), next: goOn } };
    },
  ),
];

/** Prices, payments and refunds, as `portage billing` has them. */
export const operatorBillingRoutes = (needs: BillingNeeds): readonly OperatorRoute[] => [
  ...priceBooks(),
  ...ofPartners(),
  ...sponsorRulesRoutes(),
  ...ofImports(needs),
];
