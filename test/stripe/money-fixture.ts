import { createPollPayments, createSettle, takeNotice } from "../../server/src/features/billing/index.ts";
import { moveImport } from "../../server/src/features/imports/index.ts";
import { stripeInbound } from "../../server/src/http/inbound/stripe.ts";
import { createHttpServer } from "../../server/src/http/server.ts";
import { createLog } from "../../server/src/platform/log.ts";
import { createTestDatabase } from "../support/database.ts";
import { testSealer } from "../support/fixtures.ts";
import { givenCheckout, givenQuote } from "./given-checkout.ts";
import { createStripeFixture, webhookSecret } from "./stripe-fixture.ts";

/** A database, Stripe's double, and our code between them: the notice endpoint and the billing loop. */
export const createMoneyFixture = async () => {
  const [db, fixture] = await Promise.all([createTestDatabase(), createStripeFixture()]);
  const { double, stripe } = fixture;
  const sealer = testSealer();
  const lines: string[] = [];
  const log = createLog("debug", { write: (line) => void lines.push(line) });
  const settle = createSettle({ db });
  const newTurn = (provider = stripe) => createPollPayments({ db, log, settle, providers: [provider] });
  const inbound = createHttpServer(
    [stripeInbound({ provider: stripe, take: takeNotice({ db, log, provider: stripe, settle }) })],
    { log, trustedProxies: [], requestTimeoutMs: 30_000 },
  );
  const address = await inbound.app.listen({ host: "127.0.0.1", port: 0 });
  const inboundUrl = `${address}/inbound/stripe`;
  double.notices.tell({ url: inboundUrl, secret: webhookSecret }, "held");
  const quoted = () => givenQuote(db, sealer);
  const one = async <T extends object>(text: string, id: string) =>
    (await db.pool.query<T>(text, [id])).rows[0];

  return {
    db,
    double,
    stripe,
    lines,
    inboundUrl,
    settle,
    newTurn,
    quoted,
    checkout: async (of?: Awaited<ReturnType<typeof quoted>>) =>
      givenCheckout(db, stripe, of ?? (await quoted())),
    /** Another attempt after the first expired, for example because the customer left the page. */
    anotherCheckout: async (first: { readonly id: string; readonly importId: string }) => {
      await db.pool.query("update checkouts set state = 'expired', next_look_at = null where id = $1", [
        first.id,
      ]);
      const quote = await one<{ id: string }>("select id from quotes where import_id = $1", first.importId);
      return givenCheckout(db, stripe, { importId: first.importId, quoteId: quote?.id ?? "" });
    },
    /** One iteration of the loop, with everything due. */
    turn: async (take = newTurn()) => {
      await db.pool.query("update checkouts set next_look_at = now() where next_look_at is not null");
      await db.pool.query("update refunds set next_attempt_at = now() where next_attempt_at is not null");
      return take();
    },
    tell: (type: string, options = {}) => {
      const event = double.notices.events.findLast((each) => each.type === type);
      if (!event) throw new Error(`There is no ${type} event.`);
      return double.notices.deliver(event, options);
    },
    happens: (importId: string, type: "sponsorship_accepted" | "cancelled" | "archived" | "full_started") =>
      moveImport(db, { type }, { importId, partnerId: null, actor: { kind: "operator" } }),
    /** The state of a checkout, from the rows. */
    standing: async (checkoutId: string) => {
      return one<{
        state: string;
        refund: string | null;
        status: string;
        bought: number;
        sum: number;
      }>(
        `select c.state, r.state || ':' || r.reason as refund, i.status,
           (select coalesce(sum(amount), 0)::bigint from money_entries where import_id = i.id and account = 'customer_paid') as bought,
           (select coalesce(sum(amount), 0)::bigint from money_entries where import_id = i.id) as sum
         from checkouts c join imports i on i.id = c.import_id left join refunds r on r.checkout_id = c.id where c.id = $1`,
        checkoutId,
      );
    },
    givenBack: (reference: string) =>
      double.intents.get(double.sessions.get(reference)?.paymentIntent ?? "")?.refunded,
    close: async () => {
      await inbound.app.close();
      await fixture.close();
      await db.drop();
    },
  };
};

export type MoneyFixture = Awaited<ReturnType<typeof createMoneyFixture>>;
