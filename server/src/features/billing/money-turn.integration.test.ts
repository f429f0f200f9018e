import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMoneyFixture, type MoneyFixture } from "../../../../test/stripe/money-fixture.ts";
import { webhookSecret } from "../../../../test/stripe/stripe-fixture.ts";
import { newId } from "../../platform/ids.ts";
import { createLog } from "../../platform/log.ts";
import { lookAtCheckout } from "./look-at-checkout.ts";
import { findCheckout } from "./store-checkouts.ts";

let ground: MoneyFixture;
beforeAll(async () => {
  ground = await createMoneyFixture();
});
afterAll(() => ground.close());

const bought = { state: "paid", refund: null, status: "in_preparation", bought: 14_900, sum: 0 };
const untouched = { state: "open", refund: null, status: "sample_completed", bought: 0, sum: 0 };
const refundsAsked = (reference: string) =>
  ground.double.calls.filter(
    ({ method, path, body }) =>
      method === "POST" &&
      path === "/v1/refunds" &&
      body.includes(ground.double.sessions.get(reference)?.paymentIntent ?? "-"),
  ).length;

describe("checkouts without a notice", () => {
  test("a paid one buys, an open one stays open, an expired one is marked", async () => {
    const paid = await ground.checkout();
    const open = await ground.checkout();
    const late = await ground.checkout();
    ground.double.pay(paid.reference);
    ground.double.expire(late.reference);
    await ground.turn();
    expect(await ground.standing(paid.id)).toEqual(bought);
    expect(await ground.standing(open.id)).toEqual(untouched);
    expect(await ground.standing(late.id)).toEqual({ ...untouched, state: "expired" });
    await ground.stripe.expire(open.reference);
    await ground.turn();
  });

  test("are due after two minutes, and one process at a time polls each", async () => {
    const checkout = await ground.checkout();
    ground.double.pay(checkout.reference);
    const looks = () =>
      ground.double.calls.filter(({ path }) => path === `/v1/checkout/sessions/${checkout.reference}`).length;
    expect(await ground.newTurn()()).toBe(0);
    await ground.db.pool.query("update checkouts set next_look_at = now() where id = $1", [checkout.id]);
    const done = await Promise.all([1, 2, 3, 4].map(() => ground.newTurn()()));
    expect(done.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 1]);
    expect(looks()).toBe(1);
    expect(await ground.standing(checkout.id)).toEqual(bought);
  });

  test("Stripe is down: a later turn polls again and nothing is lost", async () => {
    const checkout = await ground.checkout();
    ground.double.pay(checkout.reference);
    ground.double.fault("GET /v1/checkout/sessions/", { status: 500 }, 2);
    await ground.turn();
    expect(await ground.standing(checkout.id)).toEqual(untouched);
    await ground.turn();
    expect(await ground.standing(checkout.id)).toEqual(bought);
  });

  test("a checkout that gets its payment page during the give-up stays open", async () => {
    const { id } = await ground.checkout();
    const { db, settle, stripe } = ground;
    const found = await findCheckout(db, { checkoutId: id });
    if (!found) throw new Error("Checkout not found");
    const stale = { ...found, reference: null, state: "opening", createdAt: new Date(0) } as const;
    await lookAtCheckout({ db, settle, log: createLog("silent"), provider: stripe })(stale);
    expect(await ground.standing(id)).toEqual(untouched);
  });

  test("a checkout that never opened expires after five minutes, not before", async () => {
    const quote = await ground.quoted();
    const young = newId("chk");
    const old = newId("chk");
    const insert = (id: string, age: string, { importId, quoteId }: typeof quote) =>
      ground.db.pool.query(
        `insert into checkouts (id, import_id, quote_id, amount, currency, provider, created_at, next_look_at)
         values ($1, $2, $3, 14900, 'eur', 'stripe', now() - $4::interval, now())`,
        [id, importId, quoteId, age],
      );
    await insert(young, "1 minute", quote);
    await insert(old, "6 minutes", await ground.quoted());
    await ground.turn();
    expect(await ground.standing(young)).toMatchObject({ state: "opening" });
    expect(await ground.standing(old)).toMatchObject({ state: "expired" });
    await ground.db.pool.query("update checkouts set state = 'expired', next_look_at = null where id = $1", [
      young,
    ]);
  });

  test("a checkout that Stripe does not know stays open until a day after its expiry", async () => {
    const checkout = await ground.checkout();
    await ground.db.pool.query("update checkouts set reference = 'cs_gone_' || id where id = $1", [
      checkout.id,
    ]);
    await ground.turn();
    expect(await ground.standing(checkout.id)).toEqual(untouched);
    await ground.db.pool.query(
      "update checkouts set expires_at = now() - interval '25 hours' where id = $1",
      [checkout.id],
    );
    await ground.turn();
    expect(await ground.standing(checkout.id)).toEqual({ ...untouched, state: "expired" });
  });
});

describe("payments that buy nothing are refunded", () => {
  test("paid twice, in two checkouts: one buys, the other is refunded", async () => {
    const first = await ground.checkout();
    const second = await ground.anotherCheckout(first);
    ground.double.pay(first.reference);
    ground.double.pay(second.reference);
    for (const event of ground.double.notices.events.slice(-2)) await ground.double.notices.deliver(event);
    expect(await ground.standing(first.id)).toEqual(bought);
    expect(await ground.standing(second.id)).toEqual({ ...bought, refund: "due:paid_twice" });
    await ground.turn();
    await ground.turn();
    expect(await ground.standing(second.id)).toEqual({ ...bought, refund: "done:paid_twice" });
    expect([ground.givenBack(first.reference), ground.givenBack(second.reference)]).toEqual([0, 14_900]);
  });

  test.each([
    ["cancelled", "closed"],
    ["archived", "closed"],
    ["sponsorship_accepted", "sponsored"],
  ] as const)("%s before the payment arrives: refunded in full", async (event, reason) => {
    const checkout = await ground.checkout();
    await ground.happens(checkout.importId, event);
    ground.double.pay(checkout.reference);
    await ground.turn();
    expect(await ground.standing(checkout.id)).toMatchObject({ state: "paid", bought: 0, sum: 0 });
    await ground.turn();
    expect(await ground.standing(checkout.id)).toMatchObject({ refund: `done:${reason}`, bought: 0, sum: 0 });
    expect(ground.givenBack(checkout.reference)).toBe(14_900);
    // A late notice changes nothing.
    await ground.tell("checkout.session.completed");
    await ground.turn();
    expect(ground.givenBack(checkout.reference)).toBe(14_900);
    expect(refundsAsked(checkout.reference)).toBe(1);
  });

  test.each(["cancelled", "archived"] as const)("bought, then %s before the full run", async (event) => {
    const checkout = await ground.checkout();
    ground.double.pay(checkout.reference);
    await ground.tell("checkout.session.completed");
    await ground.happens(checkout.importId, event);
    expect(await ground.standing(checkout.id)).toMatchObject({ refund: "due:closed", bought: 0, sum: 0 });
    await ground.turn();
    expect(await ground.standing(checkout.id)).toMatchObject({ refund: "done:closed", bought: 0, sum: 0 });
    expect(ground.givenBack(checkout.reference)).toBe(14_900);
  });

  test.each(["cancelled", "archived", "sponsorship_accepted"] as const)(
    "%s before the payment: the next turn closes the payment page",
    async (event) => {
      const checkout = await ground.checkout();
      await ground.happens(checkout.importId, event);
      // The test does not make it due: a needless checkout is due at once.
      await ground.newTurn()();
      expect(ground.double.sessions.get(checkout.reference)?.status).toBe("expired");
      expect(await ground.standing(checkout.id)).toMatchObject({ state: "expired", refund: null });
    },
  );
});

describe("refunds", () => {
  const due = async () => {
    const checkout = await ground.checkout();
    ground.double.pay(checkout.reference);
    await ground.tell("checkout.session.completed");
    await ground.happens(checkout.importId, "cancelled");
    return checkout;
  };

  test("a lost answer or a Stripe outage: retried, and refunded once", async () => {
    const checkout = await due();
    ground.double.fault("POST /v1/refunds", "lost answer", 2);
    await ground.turn();
    expect(await ground.standing(checkout.id)).toMatchObject({ refund: "due:closed" });
    ground.double.fault("GET /v1/refunds", { status: 503 }, 2);
    await ground.turn();
    await ground.turn();
    expect(await ground.standing(checkout.id)).toMatchObject({ refund: "done:closed", sum: 0 });
    expect(ground.givenBack(checkout.reference)).toBe(14_900);
  });

  test("four concurrent turns refund once", async () => {
    const checkout = await due();
    await Promise.all([1, 2, 3, 4].map(() => ground.newTurn()()));
    expect(await ground.standing(checkout.id)).toMatchObject({ refund: "done:closed" });
    expect(refundsAsked(checkout.reference)).toBe(1);
  });

  test("a pending refund completes by notice or by poll", async () => {
    const notified = await due();
    const looked = await due();
    ground.double.newRefundsAre("pending");
    await ground.turn();
    expect(await ground.standing(notified.id)).toMatchObject({ refund: "asked:closed" });
    ground.double.settleRefunds("succeeded");
    const updated = ground.double.notices.events.filter(({ type }) => type === "refund.updated").slice(-2);
    const [first] = updated;
    if (first) await ground.double.notices.deliver(first);
    await ground.turn();
    for (const { id } of [notified, looked])
      expect(await ground.standing(id)).toMatchObject({ refund: "done:closed", sum: 0 });
    ground.double.newRefundsAre("succeeded");
  });

  test("a refused refund is retried, then fails and needs the operator", async () => {
    const checkout = await due();
    await ground.db.pool.query("update checkouts set reference = 'cs_gone_' || id where id = $1", [
      checkout.id,
    ]);
    await ground.turn();
    expect(await ground.standing(checkout.id)).toMatchObject({ refund: "due:closed" });
    await ground.db.pool.query("update refunds set attempts = 7 where checkout_id = $1", [checkout.id]);
    await ground.turn();
    expect(await ground.standing(checkout.id)).toMatchObject({ refund: "failed:closed", bought: 0, sum: 0 });
  });

  test("a failed refund needs the operator and is not retried", async () => {
    const checkout = await due();
    ground.double.newRefundsAre("failed");
    await ground.turn();
    expect(await ground.standing(checkout.id)).toMatchObject({ refund: "failed:closed", bought: 0, sum: 0 });
    ground.double.newRefundsAre("succeeded");
    await ground.turn();
    expect(refundsAsked(checkout.reference)).toBe(1);
  });
});

test("the log contains no secret", () => {
  const all = ground.lines.join("\n");
  expect(ground.lines.length).toBeGreaterThan(20);
  for (const secret of [ground.double.secretKey, webhookSecret, "Bearer", "https://portage.example"])
    expect(all).not.toContain(secret);
});
