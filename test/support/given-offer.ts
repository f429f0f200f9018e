import { givenPartner, testRegistry } from "./fixtures.ts";
import type { Database } from "../../server/src/platform/db.ts";
import type { Sealer } from "../../server/src/platform/seal.ts";
import { createCheckDestination } from "../../server/src/features/connections/index.ts";
import { createImport, type ImportEvent, moveImport } from "../../server/src/features/imports/index.ts";
import type { PartnerSettings } from "../../server/src/features/partners/index.ts";
import { fixQuote } from "../../server/src/features/billing/fix-quote.ts";
import { priceBookSchema } from "../../server/src/features/billing/price-book.ts";
import { findBookFor, saveBook } from "../../server/src/features/billing/store-books.ts";

export const aBook = priceBookSchema.parse({
  currency: "usd",
  packages: [
    { id: "small", name: "Up to 5,000 tickets", upToRecords: 5_000, amount: 14_900 },
    { id: "medium", name: "Up to 15,000 tickets", upToRecords: 15_000, amount: 34_900 },
    { id: "large", name: "Up to 50,000 tickets", upToRecords: 50_000, amount: 79_000 },
  ],
});

const toSample: readonly ImportEvent[] = [
  { type: "connected", side: "source" },
  { type: "connected", side: "destination" },
  { type: "sample_started" },
  { type: "run_done" },
];

export interface OfferOptions {
  readonly settings?: Partial<PartnerSettings>;
  readonly records?: number;
  readonly reference?: string;
}

/** An import with a completed sample and a quote. */
export const givenOffer = async (
  db: Database,
  sealer: Sealer,
  { settings = {}, records = 12_430, reference }: OfferOptions = {},
) => {
  const { partner, token } = await givenPartner(db, settings);
  const registry = testRegistry();
  const checkDestination = createCheckDestination(registry, new Map());
  const created = await createImport({ db, sealer, registry, checkDestination })(partner, {
    source_tool: "request-tracker",
    ...(reference !== undefined && { reference }),
  });
  if (created.kind !== "created") throw new Error("not created");
  const importId = created.id;
  const system = { importId, partnerId: null, actor: { kind: "system" } } as const;
  for (const event of toSample) await moveImport(db, event, system);
  if (!(await findBookFor(db.sql, partner.id)))
    await saveBook(db, { partnerId: null, book: aBook, by: "test" });
  const fixed = await fixQuote({ db, countRecords: async () => ({ kind: "counted", records }) })({
    id: importId,
    partnerId: partner.id,
    family: "helpdesk",
  });
  if (fixed.kind !== "quote") throw new Error(`no quote: ${fixed.why}`);
  return { partner, token, importId, quote: fixed.quote, book: fixed.book };
};
