import type {
  OperatorDispute,
  OperatorImportBilling,
  OperatorInvoice,
  OperatorLedger,
  OperatorPriceBook,
  OperatorSponsorRules,
} from "@portage/contract/operator";
import type { Invoice, PriceBook, SponsorRuleSet } from "../../features/billing/index.ts";
import { dateOf, sheet, table } from "./table.ts";

/** With packages as they are set on stdin. */
export const bookJson = ({ packages, ...book }: OperatorPriceBook) => ({
  ...book,
  packages: packages.map(({ up_to_records: upToRecords, ...each }) => ({ ...each, upToRecords })),
});

/** What the operator API is sent. */
export const bookBody = ({
  packages,
  quoteDays: quote_days,
  refundDays: refund_days,
  currency,
  counts,
}: Pick<PriceBook, "packages" | "quoteDays" | "refundDays" | "currency" | "counts">) => ({
  currency,
  counts,
  quote_days,
  refund_days,
  packages: packages.map(({ upToRecords: up_to_records, ...each }) => ({ ...each, up_to_records })),
});

export const bookSheet = (book: OperatorPriceBook): string =>
  [
    sheet({
      id: book.id,
      partner: book.partner ?? "all partners without their own book",
      currency: book.currency,
      "quote valid (days)": book.quote_days,
      "refund within (days)": book.refund_days,
      since: dateOf(book.created_at),
      by: book.created_by,
      replaced: dateOf(book.replaced_at),
    }),
    table(
      ["package", "name", "up to", "minor units"],
      book.packages.map(({ id, name, up_to_records, amount }) => [id, name, up_to_records ?? "any", amount]),
    ),
  ].join("\n\n");

/** As they are set on stdin. */
export const rulesJson = ({ rules, monthly_budget: monthlyBudget, currency }: OperatorSponsorRules) => ({
  rules: rules.map(({ name, up_to_records: upToRecords, up_to_cost: upToCost, plan_tag: planTag }) => ({
    name,
    upToRecords,
    upToCost,
    planTag,
  })),
  monthlyBudget,
  currency,
});

/** What the operator API is sent. */
export const rulesBody = ({ rules, monthlyBudget: monthly_budget, currency }: SponsorRuleSet) => ({
  currency,
  monthly_budget,
  rules: rules.map(({ name, upToRecords, upToCost, planTag }) => ({
    name,
    up_to_records: upToRecords,
    up_to_cost: upToCost,
    plan_tag: planTag,
  })),
});

export const quoteJson = (importId: string, quote: OperatorImportBilling["quote"]) => {
  if (quote === null) return null;
  const { id, price_book: book, ...rest } = quote;
  return { id, import: importId, book, ...rest };
};

export const quoteSheet = ({ made_at, valid_until, ...quote }: NonNullable<ReturnType<typeof quoteJson>>) =>
  sheet({ ...quote, made_at: dateOf(made_at), valid_until: dateOf(valid_until) });

export type ShownRefunds = OperatorImportBilling["refunds"];

export const refundTable = (refunds: ShownRefunds): string =>
  table(
    ["refund", "checkout", "minor units", "reason", "state", "done"],
    refunds.map((each) => [
      each.id,
      each.checkout,
      each.amount,
      each.reason,
      each.state,
      dateOf(each.done_at),
    ]),
  );

export const disputeTable = (disputes: readonly OperatorDispute[]): string =>
  table(
    ["dispute", "import", "state", "reason", "minor units", "currency", "withdrawn", "opened"],
    disputes.map((each) => [
      each.id,
      each.import,
      each.state,
      each.reason,
      each.amount,
      each.currency,
      each.withdrawn,
      dateOf(each.opened_at),
    ]),
  );

/** As it was before it went over the wire. */
export const invoiceOf = ({ partner, month, lines, totals }: OperatorInvoice): Invoice => ({
  partnerId: partner,
  month,
  totals,
  lines: lines.map(({ at, import: importId, ...line }) => ({ ...line, importId, at: new Date(at) })),
});

export const invoiceTable = ({ lines, totals }: OperatorInvoice): string =>
  [
    table(
      ["at", "kind", "import", "reference", "records", "minor units", "currency"],
      lines.map((each) => [
        dateOf(each.at),
        each.kind,
        each.import,
        each.reference,
        each.records,
        each.amount,
        each.currency,
      ]),
    ),
    ...totals.map(({ currency, amount }) => `total ${amount} ${currency}`),
  ].join("\n");

export const balanceTable = (balances: OperatorLedger["balances"]): string =>
  table(
    ["account", "minor units", "currency"],
    balances.map(({ account, amount, currency }) => [account, amount, currency]),
  );

type Line = Omit<OperatorLedger["entries"][number], "by"> & { readonly actor: { readonly kind: string } };

export const postedTable = (lines: readonly Line[]): string =>
  table(
    ["at", "posting", "reference", "account", "minor units", "currency", "by"],
    lines.map(({ at, kind, reference, account, amount, currency, actor }) => [
      at,
      kind,
      reference,
      account,
      amount,
      currency,
      actor.kind,
    ]),
  );
