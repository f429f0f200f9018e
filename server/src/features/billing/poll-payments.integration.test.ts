import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMoneyFixture, type MoneyFixture } from "../../../../test/stripe/money-fixture.ts";
import { webhookSecret } from "../../../../test/stripe/stripe-fixture.ts";
import { newId } from "../../platform/ids.ts";
import { createLog } from "../../platform/log.ts";
import { pollCheckout } from "./poll-checkout.ts";
import { findCheckout } from "./store-checkouts.ts";

let fixture: MoneyFixture;
beforeAll(async () => {
  fixture = await createMoneyFixture();
});
afterAll(() => fixture.close());

const bought = { state: "paid", refund: null, status: "in_preparation", bought: 14_900, sum: 0 };
const untouched = { state: "open", refund: null, status: "sample_completed", bought: 0, sum: 0 };
const refundsAsked = (reference: string) =>
  fixture.double.calls.filter(
    ({ method, path, body }) =>
      method === "POST" &&
      path === "/v1/refunds" &&
      body.includes(fixture.double.sessions.get(reference)?.paymentIntent ?? "-"),
  ).length;

describe("checkouts without a notice", () => {
  test("a paid one buys, an open one stays open, an expired one is marked", async () => {
    const paid = await fixture.checkout();
    const open = await fixture.checkout();
    const late = await fixture.checkout();
    fixture.double.pay(paid.reference);
    fixture.double.expire(late.reference);
    await fixture.turn();
    expect(await fixture.standing(paid.id)).toEqual(bought);
    expect(await fixture.standing(open.id)).toEqual(untouched);
    expect(await fixture.standing(late.id)).toEqual({ ...untouched, state: "expired" });
    await fixture.stripe.expire(open.reference);
    await fixture.turn();
  });

  test("are due after two minutes, and one process at a time polls each", async () => {
    const checkout = await fixture.checkout();
    fixture.double.pay(checkout.reference);
    const looks = () =>
      fixture.double.calls.filter(({ path }) => path === `/v1/checkout/sessions/${checkout.reference}`)
        .length;
    expect(await fixture.newTurn()()).toBe(0);
    await fixture.db.pool.query("update checkouts set next_look_at = now() where id = $1", [checkout.id]);
    const done = await Promise.all([1, 2, 3, 4].map(() => fixture.newTurn()()));
    expect(done.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 1]);
    expect(looks()).toBe(1);
    expect(await fixture.standing(checkout.id)).toEqual(bought);
  });

  test("Stripe is down: a later turn polls again and nothing is lost", async () => {
    const checkout = await fixture.checkout();
    fixture.double.pay(checkout.reference);
    fixture.double.fault("GET /v1/checkout/sessions/", { status: 500 }, 2);
    await fixture.turn();
    expect(await fixture.standing(checkout.id)).toEqual(untouched);
    await fixture.turn();
    expect(await fixture.standing(checkout.id)).toEqual(bought);
  });

  test("a checkout that gets its payment page during the give-up stays open", async () => {
    const { id } = await fixture.checkout();
    const { db, settle, stripe } = fixture;
    const found = await findCheckout(db, { checkoutId: id });
    if (!found) throw new Error("Checkout not found");
    const stale = { ...found, reference: null, state: "opening", createdAt: new Date(0) } as const;
    await pollCheckout({ db, settle, log: createLog("silent"), provider: stripe })(stale);
    expect(await fixture.standing(id)).toEqual(untouched);
  });

  test("a checkout that never opened expires after five minutes, not before", async () => {
    const quote = await fixture.quoted();
    const young = newId("chk");
    const old = newId("chk");
    const insert = (id: string, age: string, { importId, quoteId }: typeof quote) =>
      fixture.db.pool.query(
        `insert into checkouts (id, import_id, quote_id, amount, currency, provider, created_at, next_look_at)
         values ($1, $2, $3, 14900, 'eur', 'stripe', now() - $4::interval, now())`,
        [id, importId, quoteId, age],
      );
    await insert(young, "1 minute", quote);
    await insert(old, "6 minutes", await fixture.quoted());
    await fixture.turn();
    expect(await fixture.standing(young)).toMatchObject({ state: "opening" });
    expect(await fixture.standing(old)).toMatchObject({ state: "expired" });
    await fixture.db.pool.query("update checkouts set state = 'expired', next_look_at = null where id = $1", [
      young,
    ]);
  });

  test("a checkout that Stripe does not know stays open until a day after its expiry", async () => {
    const checkout = await fixture.checkout();
    await fixture.db.pool.query("update checkouts set reference = 'cs_gone_' || id where id = $1", [
      checkout.id,
    ]);
    await fixture.turn();
    expect(await fixture.standing(checkout.id)).toEqual(untouched);
    await fixture.db.pool.query(
      "update checkouts set expires_at = now() - interval '25 hours' where id = $1",
      [checkout.id],
    );
    await fixture.turn();
    expect(await fixture.standing(checkout.id)).toEqual({ ...untouched, state: "expired" });
  });
});

describe("payments that buy nothing are refunded", () => {
  test("paid twice, in two checkouts: one buys, the other is refunded", async () => {
    const first = await fixture.checkout();
    const second = await fixture.anotherCheckout(first);
    fixture.double.pay(first.reference);
    fixture.double.pay(second.reference);
    for (const event of fixture.double.notices.events.slice(-2)) await fixture.double.notices.deliver(event);
    expect(await fixture.standing(first.id)).toEqual(bought);
    expect(await fixture.standing(second.id)).toEqual({ ...bought, refund: "due:paid_twice" });
    await fixture.turn();
    await fixture.turn();
    expect(await fixture.standing(second.id)).toEqual({ ...bought, refund: "done:paid_twice" });
    expect([fixture.givenBack(first.reference), fixture.givenBack(second.reference)]).toEqual([0, 14_900]);
  });

  test.each([
    ["cancelled", "closed"],
    ["archived", "closed"],
    ["sponsorship_accepted", "sponsored"],
  ] as const)("%s before the payment arrives: refunded in full", async (event, reason) => {
    const checkout = await fixture.checkout();
    await fixture.happens(checkout.importId, event);
    fixture.double.pay(checkout.reference);
    await fixture.turn();
    expect(await fixture.standing(checkout.id)).toMatchObject({ state: "paid", bought: 0, sum: 0 });
    await fixture.turn();
    expect(await fixture.standing(checkout.id)).toMatchObject({
      refund: `done:${reason}`,
      bought: 0,
      sum: 0,
    });
    expect(fixture.givenBack(checkout.reference)).toBe(14_900);
    // A late notice changes nothing.
    await fixture.tell("checkout.session.completed");
    await fixture.turn();
    expect(fixture.givenBack(checkout.reference)).toBe(14_900);
    expect(refundsAsked(checkout.reference)).toBe(1);
  });

  test.each(["cancelled", "archived"] as const)("bought, then %s before the full run", async (event) => {
    const checkout = await fixture.checkout();
    fixture.double.pay(checkout.reference);
    await fixture.tell("checkout.session.completed");
    await fixture.happens(checkout.importId, event);
    expect(await fixture.standing(checkout.id)).toMatchObject({ refund: "due:closed", bought: 0, sum: 0 });
    await fixture.turn();
    expect(await fixture.standing(checkout.id)).toMatchObject({ refund: "done:closed", bought: 0, sum: 0 });
    expect(fixture.givenBack(checkout.reference)).toBe(14_900);
  });

  test.each(["cancelled", "archived", "sponsorship_accepted"] as const)(
    "%s before the payment: the next turn closes the payment page",
    async (event) => {
      const checkout = await fixture.checkout();
      await fixture.happens(checkout.importId, event);
      // The test does not make it due: a needless checkout is due at once.
      await fixture.newTurn()();
      expect(fixture.double.sessions.get(checkout.reference)?.status).toBe("expired");
      expect(await fixture.standing(checkout.id)).toMatchObject({ state: "expired", refund: null });
    },
  );
});

describe("refunds", () => {
  const due = async () => {
    const checkout = await fixture.checkout();
    fixture.double.pay(checkout.reference);
    await fixture.tell("checkout.session.completed");
    await fixture.happens(checkout.importId, "cancelled");
    return checkout;
  };

  test("a lost answer or a Stripe outage: retried, and refunded once", async () => {
    const checkout = await due();
    fixture.double.fault("POST /v1/refunds", "lost answer", 2);
    await fixture.turn();
    expect(await fixture.standing(checkout.id)).toMatchObject({ refund: "due:closed" });
    fixture.double.fault("GET /v1/refunds", { status: 503 }, 2);
    await fixture.turn();
    await fixture.turn();
    expect(await fixture.standing(checkout.id)).toMatchObject({ refund: "done:closed", sum: 0 });
    expect(fixture.givenBack(checkout.reference)).toBe(14_900);
  });

  test("four concurrent turns refund once", async () => {
    const checkout = await due();
    await Promise.all([1, 2, 3, 4].map(() => fixture.newTurn()()));
    expect(await fixture.standing(checkout.id)).toMatchObject({ refund: "done:closed" });
    expect(refundsAsked(checkout.reference)).toBe(1);
  });

  test("a pending refund completes by notice or by poll", async () => {
    const notified = await due();
    const looked = await due();
    fixture.double.newRefundsAre("pending");
    await fixture.turn();
    expect(await fixture.standing(notified.id)).toMatchObject({ refund: "asked:closed" });
    fixture.double.settleRefunds("succeeded");
    const updated = fixture.double.notices.events.filter(({ type }) => type === "refund.updated").slice(-2);
    const [first] = updated;
    if (first) await fixture.double.notices.deliver(first);
    await fixture.turn();
    for (const { id } of [notified, looked])
      expect(await fixture.standing(id)).toMatchObject({ refund: "done:closed", sum: 0 });
    fixture.double.newRefundsAre("succeeded");
  });

  test("a refused refund is retried, then fails and needs the operator", async () => {
    const checkout = await due();
    await fixture.db.pool.query("update checkouts set reference = 'cs_gone_' || id where id = $1", [
      checkout.id,
    ]);
    await fixture.turn();
    expect(await fixture.standing(checkout.id)).toMatchObject({ refund: "due:closed" });
    await fixture.db.pool.query("update refunds set attempts = 7 where checkout_id = $1", [checkout.id]);
    await fixture.turn();
    expect(await fixture.standing(checkout.id)).toMatchObject({ refund: "failed:closed", bought: 0, sum: 0 });
  });

  test("a failed refund needs the operator and is not retried", async () => {
    const checkout = await due();
    fixture.double.newRefundsAre("failed");
    await fixture.turn();
    expect(await fixture.standing(checkout.id)).toMatchObject({ refund: "failed:closed", bought: 0, sum: 0 });
    fixture.double.newRefundsAre("succeeded");
    await fixture.turn();
    expect(refundsAsked(checkout.reference)).toBe(1);
  });
});

test("the log contains no secret", () => {
  const all = fixture.lines.join("\n");
  expect(fixture.lines.length).toBeGreaterThan(20);
  for (const secret of [fixture.double.secretKey, webhookSecret, "Bearer", "https://portage.example"])
    expect(all).not.toContain(secret);
});
