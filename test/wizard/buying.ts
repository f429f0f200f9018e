import type { Locator, Page } from "playwright-core";
import { type PriceBook, saveBook } from "../../server/src/features/billing/index.ts";
import { startStripeDouble, type StripeDouble } from "../stripe/stripe-double.ts";
import type {
  FixtureOptions,
  NewImportOptions,
  WizardFixture,
  WizardImportUnderTest,
} from "./wizard-fixture.ts";
import { withSample } from "./moves.ts";

const webhookSecret = "whsec_made_for_acme";

/** Customers pay at a double of Stripe, which sends notices to the API as Stripe does. */
export const withStripe = () => {
  let stripe: StripeDouble | undefined;
  const prepare: FixtureOptions["prepare"] = async (url, afterwards) => {
    const started = await startStripeDouble();
    stripe = started;
    afterwards(() => started.close());
    started.notices.tell({ url: `${url}/inbound/stripe`, secret: webhookSecret });
    return {
      PAYMENTS: "stripe",
      STRIPE_API_URL: started.url,
      STRIPE_SECRET_KEY: started.secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      OUTBOUND_ALLOW: new URL(started.url).host,
    };
  };
  return {
    prepare,
    stripe: (): StripeDouble => {
      if (!stripe) throw new Error("The fixture has not been prepared yet.");
      return stripe;
    },
  };
};

const packages: PriceBook["packages"] = [
  { id: "small", name: "Small", upToRecords: 50, amount: 14_900 },
  { id: "medium", name: "Medium", upToRecords: 150, amount: 34_900 },
  { id: "large", name: "Large", upToRecords: 500, amount: 79_000 },
];

/** The button below an offer of this amount. */
export const payButton = (page: Page, amount = "$349.00", name = "Continue to payment"): Locator =>
  page
    .locator("aside", { has: page.locator(".costs dd:last-of-type", { hasText: amount }) })
    .getByRole("button", { name });

/** From the offer to the provider's own page. */
export const goToPay = async (page: Page): Promise<void> => {
  await payButton(page).click();
  await page.getByRole("heading", { name: "Checkout" }).waitFor();
};

/** Pays on the provider's page; waits until ours says so. */
export const payThere = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await page.getByText("Paid. Ready when you are.").waitFor();
};

/** The sum of all entries of an import's books. */
export const sumOfMoney = async ({ db }: WizardFixture, importId: string): Promise<string | undefined> => {
  const { rows } = await db.pool.query<{ sum: string }>(
    `select coalesce(sum(e.amount), 0)::text as sum from money_entries e
     join money_postings p on p.id = e.posting_id where p.import_id = $1`,
    [importId],
  );
  return rows[0]?.sum;
};

/** An import with a completed sample, of a partner with its own price list. */
export const forSale = async (
  fixture: WizardFixture,
  options: NewImportOptions = {},
): Promise<WizardImportUnderTest> => {
  const made = await withSample(fixture, {
    ...options,
    partner: { payer: "customer", ...options.partner },
  });
  await saveBook(fixture.db, {
    partnerId: made.partnerId,
    book: { currency: "usd", packages, counts: {}, quoteDays: 14, refundDays: 30 },
    by: "a test",
  });
  return made;
};
