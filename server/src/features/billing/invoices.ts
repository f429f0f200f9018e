import type { Database } from "../../platform/db.ts";
import { csvLine } from "../../platform/csv-line.ts";
import { type InvoiceLine, listInvoiceLines } from "./store-invoices.ts";

/** Of the years 1971 to 9999, as every time that is asked for. */
export const monthPattern = /^(197[1-9]|19[89]\d|[2-9]\d{3})-(0[1-9]|1[0-2])$/;

export interface Invoice {
  readonly partnerId: string;
  /** UTC, such as 2026-11. */
  readonly month: string;
  readonly lines: readonly InvoiceLine[];
  readonly totals: readonly { readonly currency: string; readonly amount: number }[];
}

/** What a partner owes for a month: the charges and credits for sponsored migrations that were posted in it. */
export const makeInvoice = async (db: Database, partnerId: string, month: string): Promise<Invoice> => {
  const lines = await listInvoiceLines(db, partnerId, month);
  const totals = new Map<string, number>();
  for (const { currency, amount } of lines) totals.set(currency, (totals.get(currency) ?? 0) + amount);
  return {
    partnerId,
    month,
    lines,
    totals: [...totals].map(([currency, amount]) => ({ currency, amount })),
  };
};

const heads = ["date", "kind", "import", "reference", "records", "package", "amount_minor", "currency"];

export const invoiceCsv = ({ lines }: Invoice): string =>
  [
    csvLine(heads),
    ...lines.map(({ at, kind, importId, reference, records, package: name, amount, currency }) => {
      const cells = [
        at.toISOString(),
        kind,
        importId,
        reference ?? "",
        records?.toString() ?? "",
        name ?? "",
      ];
      // Our own number, not user text: it needs no escape against spreadsheet formulas.
      return `${csvLine(cells).trimEnd()},${amount},${currency}\r\n`;
    }),
  ].join("");
