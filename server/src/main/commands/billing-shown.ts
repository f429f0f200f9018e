import type {
  AccountBalance,
  Dispute,
  Invoice,
  PostedLine,
  PriceBook,
  Quote,
  Refund,
} from "../../features/billing/index.ts";
import { sheet, table } from "./table.ts";

export const bookJson = (book: PriceBook) => ({
  id: book.id,
  partner: book.partnerId,
  currency: book.currency,
  packages: book.packages,
  counts: book.counts,
  quote_days: book.quoteDays,
  refund_days: book.refundDays,
  created_at: book.createdAt,
  created_by: book.createdBy,
  replaced_at: book.replacedAt,
});

export const bookSheet = (book: PriceBook): string =>
  [
    sheet({
      id: book.id,
      partner: book.partnerId ?? "all partners without their own book",
      currency: book.currency,
      "quote valid (days)": book.quoteDays,
      "refund within (days)": book.refundDays,
      since: book.createdAt,
      by: book.createdBy,
      replaced: book.replacedAt,
    }),
    table(
      ["package", "name", "up to", "minor units"],
      book.packages.map(({ id, name, upToRecords, amount }) => [id, name, upToRecords ?? "any", amount]),
    ),
  ].join("\n\n");

export const quoteJson = (quote: Quote) => ({
  id: quote.id,
  import: quote.importId,
  book: quote.priceBookId,
  records: quote.records,
  package: quote.package.id,
  amount: quote.amount,
  currency: quote.currency,
  made_at: quote.madeAt,
  valid_until: quote.validUntil,
});

export const refundJson = (refund: Refund) => ({
  id: refund.id,
  checkout: refund.checkoutId,
  amount: refund.amount,
  reason: refund.reason,
  state: refund.state,
  attempts: refund.attempts,
  done_at: refund.doneAt,
});

export const refundTable = (refunds: readonly Refund[]): string =>
  table(
    ["refund", "checkout", "minor units", "reason", "state", "done"],
    refunds.map((each) => [each.id, each.checkoutId, each.amount, each.reason, each.state, each.doneAt]),
  );

export const disputeJson = (dispute: Dispute) => ({
  id: dispute.reference,
  provider: dispute.provider,
  import: dispute.importId,
  checkout: dispute.checkoutId,
  state: dispute.state,
  reason: dispute.reason,
  amount: dispute.amount,
  currency: dispute.currency,
  withdrawn: dispute.withdrawn,
  opened_at: dispute.openedAt,
  changed_at: dispute.changedAt,
});

export const disputeTable = (disputes: readonly Dispute[]): string =>
  table(
    ["dispute", "import", "state", "reason", "minor units", "currency", "withdrawn", "opened"],
    disputes.map((each) => [
      each.reference,
      each.importId,
      each.state,
      each.reason,
      each.amount,
      each.currency,
      each.withdrawn,
      each.openedAt,
    ]),
  );

export const invoiceJson = ({ partnerId, month, lines, totals }: Invoice) => ({
  partner: partnerId,
  month,
  lines: lines.map(({ importId, ...line }) => ({ ...line, import: importId })),
  totals,
});

export const invoiceTable = ({ lines, totals }: Invoice): string =>
  [
    table(
      ["at", "kind", "import", "reference", "records", "minor units", "currency"],
      lines.map((each) => [
        each.at,
        each.kind,
        each.importId,
        each.reference,
        each.records,
        each.amount,
        each.currency,
      ]),
    ),
    ...totals.map(({ currency, amount }) => `total ${amount} ${currency}`),
  ].join("\n");

export const balanceTable = (balances: readonly AccountBalance[]): string =>
  table(
    ["account", "minor units", "currency"],
    balances.map(({ account, amount, currency }) => [account, amount, currency]),
  );

export const postedTable = (lines: readonly PostedLine[]): string =>
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
