import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMoneyGround, type MoneyGround } from "../../../../test/stripe/money-ground.ts";
import { webhookSecret } from "../../../../test/stripe/stripe-ground.ts";
import { newId } from "../../platform/ids.ts";
import { createLog } from "../../platform/log.ts";
import { lookAtCheckout } from "./look-at-checkout.ts";
import { findCheckout } from "./store-checkouts.ts";

let ground: MoneyGround;
beforeAll(async () => {
  ground = await createMoneyGround();
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

describe("checkouts that nobody told of", () => {
  test("paid: found and bought; open: left alone; ended: noted", async () => {
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

  test("are due after two minutes, and by one process at a time", async () => {
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

  test("Stripe is away: asked again later, and nothing is lost", async () => {
    const checkout = await ground.checkout();
    ground.double.pay(checkout.reference);
    ground.double.fault("GET /v1/checkout/sessions/", { status: 500 }, 2);
    await ground.turn();
    expect(await ground.standing(checkout.id)).toEqual(untouched);
    await ground.turn();
    expect(await ground.standing(checkout.id)).toEqual(bought);
  });

  test("one that gets its page while it is being given up stays open", async () => {
    const { id } = await ground.checkout();
    const { db, settle, stripe } = ground;
    const found = await findCheckout(db, { checkoutId: id });
    if (!found) throw new Error("It is not there.");
    const stale = { ...found, reference: null, state: "opening", createdAt: new Date(0) } as const;
    await lookAtCheckout({ db, settle, log: createLog("silent"), provider: stripe })(stale);
    expect(await ground.standing(id)).toEqual(untouched);
  });

  test("begun and never opened: given up after a while, not before", async () => {
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

  test("unknown to Stripe: kept while it could be paid, and ended a day after its end", async () => {
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

describe("money that pays for nothing is given back", () => {
  test("paid twice, in two checkouts: one buys, the other is returned", async () => {
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
  ] as const)("%s meanwhile, and paid all the same", async (event, reason) => {
    const checkout = await ground.checkout();
    await ground.happens(checkout.importId, event);
    ground.double.pay(checkout.reference);
    await ground.turn();
    expect(await ground.standing(checkout.id)).toMatchObject({ state: "paid", bought: 0, sum: 0 });
    await ground.turn();
    expect(await ground.standing(checkout.id)).toMatchObject({ refund: `done:${reason}`, bought: 0, sum: 0 });
    expect(ground.givenBack(checkout.reference)).toBe(14_900);
    // Told late, it changes nothing.
    await ground.tell("checkout.session.completed");
    await ground.turn();
    expect(ground.givenBack(checkout.reference)).toBe(14_900);
    expect(refundsAsked(checkout.reference)).toBe(1);
  });

  test.each(["cancelled", "archived"] as const)("bought, then %s before it began", async (event) => {
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
    "%s meanwhile: the page is closed, so that nobody pays",
    async (event) => {
      const checkout = await ground.checkout();
      await ground.happens(checkout.importId, event);
      // Not by making it due: what nobody is to pay does not wait for its turn.
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

  test("the answer is lost, or Stripe is away: asked again, given once", async () => {
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

  test("taken by four at once: given once", async () => {
    const checkout = await due();
    await Promise.all([1, 2, 3, 4].map(() => ground.newTurn()()));
    expect(await ground.standing(checkout.id)).toMatchObject({ refund: "done:closed" });
    expect(refundsAsked(checkout.reference)).toBe(1);
  });

  test("not certain yet: asked for, and done by notice or by looking", async () => {
    const told = await due();
    const looked = await due();
    ground.double.newRefundsAre("pending");
    await ground.turn();
    expect(await ground.standing(told.id)).toMatchObject({ refund: "asked:closed" });
    ground.double.settleRefunds("succeeded");
    const updated = ground.double.notices.events.filter(({ type }) => type === "refund.updated").slice(-2);
    const [first] = updated;
    if (first) await ground.double.notices.deliver(first);
    await ground.turn();
    for (const { id } of [told, looked])
      expect(await ground.standing(id)).toMatchObject({ refund: "done:closed", sum: 0 });
    ground.double.newRefundsAre("succeeded");
  });

  test("refused: tried again and again, then a person's matter", async () => {
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

  test("failed: a person's matter, and tried no more by itself", async () => {
    const checkout = await due();
    ground.double.newRefundsAre("failed");
    await ground.turn();
    expect(await ground.standing(checkout.id)).toMatchObject({ refund: "failed:closed", bought: 0, sum: 0 });
    ground.double.newRefundsAre("succeeded");
    await ground.turn();
    expect(refundsAsked(checkout.reference)).toBe(1);
  });
});

test("nothing secret was logged in all of this", () => {
  const all = ground.lines.join("\n");
  expect(ground.lines.length).toBeGreaterThan(20);
  for (const secret of [ground.double.secretKey, webhookSecret, "Bearer", "https://portage.example"])
    expect(all).not.toContain(secret);
});
