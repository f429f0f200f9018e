import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMoneyFixture, type MoneyFixture } from "../../../../test/stripe/money-fixture.ts";
import { webhookSecret } from "../../../../test/stripe/stripe-fixture.ts";
import { listDisputes } from "./store-disputes.ts";
import { listRefunds, retryRefund } from "./store-refunds.ts";

let fixture: MoneyFixture;
beforeAll(async () => {
  fixture = await createMoneyFixture();
});
afterAll(() => fixture.close());

const completed = "checkout.session.completed";
const bought = { state: "paid", refund: null, status: "in_preparation", bought: 14_900, sum: 0 };
const untouched = { state: "open", refund: null, status: "sample_completed", bought: 0, sum: 0 };
const postings = async (importId: string) =>
  (await fixture.db.pool.query("select 1 from money_postings where import_id = $1", [importId])).rowCount;

const balance = async (importId: string, account: string) => {
  const { rows } = await fixture.db.pool.query<{ sum: number }>(
    "select coalesce(sum(amount), 0)::bigint as sum from money_entries where import_id = $1 and account = $2",
    [importId, account],
  );
  return rows[0]?.sum;
};
const paidCheckout = async () => {
  const checkout = await fixture.checkout();
  fixture.double.pay(checkout.reference);
  await fixture.tell(completed);
  return checkout;
};
const retry = async (importId: string) => {
  const [refund] = await listRefunds(fixture.db, importId);
  expect(await retryRefund(fixture.db, refund?.id ?? "")).toBe(true);
};

describe("payments", () => {
  test("five concurrent copies of a notice buy once", async () => {
    const checkout = await fixture.checkout();
    fixture.double.pay(checkout.reference);
    const statuses = await Promise.all([1, 2, 3, 4, 5].map(() => fixture.tell(completed)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await fixture.standing(checkout.id)).toEqual(bought);
    expect(await postings(checkout.importId)).toBe(1);
    const { rows } = await fixture.db.pool.query(
      "select notice_id, type from payment_notices where notice_id = $1",
      [fixture.double.notices.events.findLast(({ type }) => type === completed)?.id],
    );
    expect(rows).toEqual([{ notice_id: expect.stringMatching(/^evt_/), type: completed }]);
  });

  test("a payment notice after an expiry notice still buys", async () => {
    const checkout = await fixture.checkout();
    fixture.double.pay(checkout.reference);
    const event = fixture.double.notices.events.findLast(({ type }) => type === completed);
    const ended = { ...event, id: "evt_end", type: "checkout.session.expired" } as NonNullable<typeof event>;
    const object = { ...event?.object, status: "expired", payment_status: "unpaid" };
    expect(await fixture.double.notices.deliver({ ...ended, object })).toBe(200);
    expect(await fixture.standing(checkout.id)).toMatchObject({ state: "expired", bought: 0 });
    expect(await fixture.tell(completed)).toBe(200);
    expect(await fixture.standing(checkout.id)).toEqual(bought);
    // A repeated expiry notice changes nothing.
    expect(await fixture.double.notices.deliver({ ...ended, object })).toBe(200);
    expect(await fixture.standing(checkout.id)).toEqual(bought);
  });

  test("a debit buys when the money arrives, and not when it fails", async () => {
    const came = await fixture.checkout();
    fixture.double.pay(came.reference, "in some days");
    await fixture.tell(completed);
    expect(await fixture.standing(came.id)).toEqual(untouched);
    fixture.double.settleLater(came.reference, "came");
    await fixture.tell("checkout.session.async_payment_succeeded");
    await fixture.tell(completed);
    expect(await fixture.standing(came.id)).toEqual(bought);
    const failed = await fixture.checkout();
    fixture.double.pay(failed.reference, "in some days");
    fixture.double.settleLater(failed.reference, "failed");
    await fixture.tell("checkout.session.async_payment_failed");
    await fixture.tell(completed);
    expect(await fixture.standing(failed.id)).toEqual({ ...untouched, state: "failed" });
  });

  test("a notice finds the checkout by Portage's id when a crash lost Stripe's reference", async () => {
    const checkout = await fixture.checkout();
    await fixture.db.pool.query(
      "update checkouts set reference = null, url = null, state = 'opening' where id = $1",
      [checkout.id],
    );
    fixture.double.pay(checkout.reference);
    await fixture.tell(completed);
    expect(await fixture.standing(checkout.id)).toEqual(bought);
  });
});

describe("notices that Portage does not trust", () => {
  const lie = (changes: object) => (event: Record<string, unknown>) => {
    const { object } = event["data"] as { object: object };
    return { ...event, data: { object: { ...object, ...changes } } };
  };
  const paid = { status: "complete", payment_status: "paid" };

  test.each([
    ["less than was asked", { ...paid, amount_total: 1 }],
    ["more than was asked", { ...paid, amount_total: 14_901 }],
    ["another currency", { ...paid, currency: "jpy" }],
    ["tax that eats the price", { ...paid, total_details: { amount_discount: 0, amount_tax: 14_800 } }],
    [
      "tax below nothing",
      { ...paid, amount_total: 0, total_details: { amount_discount: 0, amount_tax: -14_900 } },
    ],
    ["no payment needed", { ...paid, payment_status: "no_payment_required", amount_total: 0 }],
  ])("a signed notice of %s, without a payment", async (_, changes) => {
    const checkout = await fixture.checkout();
    fixture.double.pay(checkout.reference, "in some days");
    expect(await fixture.tell(completed, { change: lie(changes) })).toBe(200);
    expect(await fixture.standing(checkout.id)).toEqual(untouched);
  });

  test("a notice of another amount for a real payment: Stripe's own answer counts", async () => {
    const checkout = await fixture.checkout();
    fixture.double.pay(checkout.reference);
    await fixture.tell(completed, { change: lie({ amount_total: 1 }) });
    expect(await fixture.standing(checkout.id)).toEqual(bought);
  });

  test("a payment of another amount that Stripe confirms: refunded", async () => {
    const checkout = await fixture.checkout();
    await fixture.db.pool.query("update checkouts set amount = 20000 where id = $1", [checkout.id]);
    fixture.double.pay(checkout.reference);
    await fixture.tell(completed);
    expect(await fixture.standing(checkout.id)).toMatchObject({ bought: 0, refund: "due:wrong_amount" });
    await fixture.turn();
    expect(fixture.givenBack(checkout.reference)).toBe(14_900);
  });

  test("a payment in another currency that Stripe confirms: buys nothing and logs an error", async () => {
    const checkout = await fixture.checkout();
    await fixture.db.pool.query("update checkouts set currency = 'usd' where id = $1", [checkout.id]);
    fixture.double.pay(checkout.reference);
    expect(await fixture.tell(completed)).toBe(200);
    await fixture.turn();
    expect(await fixture.standing(checkout.id)).toEqual(untouched);
    expect(fixture.lines.join("")).toContain("paid in another currency");
  });

  test("a bad or missing signature: 400, and nothing changes", async () => {
    const checkout = await fixture.checkout();
    fixture.double.pay(checkout.reference);
    expect(await fixture.tell(completed, { secret: "whsec_of_somebody_else" })).toBe(400);
    expect(await fixture.tell(completed, { ageSeconds: 301 })).toBe(400);
    expect((await fetch(fixture.inboundUrl, { method: "POST", body: "{}" })).status).toBe(400);
    expect(await fixture.standing(checkout.id)).toEqual(untouched);
    expect(await fixture.tell(completed, { ageSeconds: 200 })).toBe(200);
    expect(await fixture.standing(checkout.id)).toEqual(bought);
  });

  test("a foreign session with our checkout id, or an unrelated notice: 200, and nothing changes", async () => {
    const checkout = await fixture.checkout();
    const stranger = await fixture.stripe.open({
      checkoutId: checkout.id.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
      importId: checkout.importId,
      amount: 14_900,
      currency: "eur",
      description: "Shoes",
      paidUrl: "https://a.example",
      leftUrl: "https://a.example",
    });
    fixture.double.pay(stranger.reference);
    expect(await fixture.tell(completed, { change: lie({ client_reference_id: checkout.id }) })).toBe(200);
    expect(
      await fixture.tell(completed, { change: (event: object) => ({ ...event, type: "price.created" }) }),
    ).toBe(200);
    expect(await fixture.standing(checkout.id)).toEqual(untouched);
  });

  test("an oversized body gets 400", async () => {
    const body = `{"pad":"${"x".repeat(300_000)}"}`;
    expect((await fetch(fixture.inboundUrl, { method: "POST", body })).status).toBe(400);
    const chunks = new ReadableStream({
      start: (stream) => {
        for (let each = 0; each < 10; each += 1) stream.enqueue(Buffer.alloc(65_536));
        stream.close();
      },
    });
    expect((await fetch(fixture.inboundUrl, { method: "POST", body: chunks, duplex: "half" })).status).toBe(
      400,
    );
  });
});

describe("refunds", () => {
  test("a manual refund at Stripe makes the import unpaid, also when its notice precedes the payment's", async () => {
    const checkout = await fixture.checkout();
    fixture.double.pay(checkout.reference);
    fixture.double.refundByHand(checkout.reference);
    await fixture.tell("charge.refunded");
    expect(await fixture.standing(checkout.id)).toMatchObject({
      state: "paid",
      refund: "done:provider",
      bought: 0,
      sum: 0,
    });
    for (const type of [completed, "refund.created", "charge.refunded"]) await fixture.tell(type);
    expect(await fixture.standing(checkout.id)).toMatchObject({ refund: "done:provider", bought: 0, sum: 0 });
  });

  test("a manual partial refund keeps the import bought", async () => {
    const checkout = await fixture.checkout();
    fixture.double.pay(checkout.reference);
    await fixture.tell(completed);
    fixture.double.refundByHand(checkout.reference, 900);
    await fixture.tell("charge.refunded");
    await fixture.tell("charge.refunded");
    expect(await fixture.standing(checkout.id)).toEqual(bought);
  });

  test("Stripe is unavailable: 500, and the repeated notice succeeds", async () => {
    const checkout = await fixture.checkout();
    fixture.double.pay(checkout.reference);
    await fixture.tell(completed);
    fixture.double.refundByHand(checkout.reference);
    fixture.double.fault("GET /v1/checkout/sessions", { status: 503 }, 2);
    expect(await fixture.tell("charge.refunded")).toBe(500);
    expect(await fixture.standing(checkout.id)).toEqual(bought);
    expect(await fixture.tell("charge.refunded")).toBe(200);
    expect(await fixture.standing(checkout.id)).toMatchObject({ bought: 0 });
  });
});

describe("refunds that the customer's bank returns", () => {
  /** The books hold what Stripe holds, and owe what Stripe did not give back of a payment that no longer buys. */
  const agree = async ({ id, importId, reference }: { id: string; importId: string; reference: string }) => {
    const held = 14_900 - (fixture.givenBack(reference) ?? 0);
    expect(await balance(importId, "at_provider")).toBe(0 - held);
    const standing = await fixture.standing(id);
    if (standing?.bought === 0) {
      expect(await balance(importId, "customer_due_back")).toBe(held);
      // What the customer and the operator read.
      expect((await listRefunds(fixture.db, importId))[0]?.amount).toBe(held === 0 ? 14_900 : held);
    } else expect(await balance(importId, "goodwill")).toBe(held - 14_900);
    return standing;
  };
  const types = ["charge.refund.updated", "refund.failed"];
  const orders = [types, types.toReversed(), [...types, ...types]];

  test.each(orders)("a partial one by hand no longer counts as given: %s, %s", async (...told) => {
    const checkout = await paidCheckout();
    fixture.double.refundByHand(checkout.reference, 900);
    await fixture.tell("charge.refunded");
    expect(await agree(checkout)).toEqual(bought);
    fixture.double.returnRefund(checkout.reference, 900);
    for (const type of told) await fixture.tell(type);
    expect(await agree(checkout)).toEqual(bought);
    expect(fixture.lines.join("")).toContain("refund came back");
    // The same amount again is another refund; so is its return.
    fixture.double.refundByHand(checkout.reference, 900);
    for (const type of ["refund.created", "charge.refunded"]) await fixture.tell(type);
    expect(await agree(checkout)).toEqual(bought);
    fixture.double.returnRefund(checkout.reference, 900);
    for (const type of told) await fixture.tell(type);
    expect(await agree(checkout)).toEqual(bought);
    // What is due later is all that Stripe holds.
    await fixture.happens(checkout.importId, "cancelled");
    await fixture.turn();
    expect(await agree(checkout)).toMatchObject({ refund: "done:closed", bought: 0, sum: 0 });
    expect(fixture.givenBack(checkout.reference)).toBe(14_900);
  });

  test.each(orders)("ours is noticed beside a partial one by hand: %s, %s", async (...told) => {
    const checkout = await paidCheckout();
    fixture.double.refundByHand(checkout.reference, 900);
    await fixture.tell("charge.refunded");
    await fixture.happens(checkout.importId, "cancelled");
    await fixture.turn();
    expect(await agree(checkout)).toMatchObject({ refund: "done:closed" });
    fixture.double.returnRefund(checkout.reference, 14_000);
    for (const type of told) await fixture.tell(type);
    expect(await agree(checkout)).toMatchObject({ refund: "failed:closed", bought: 0, sum: 0 });
    await retry(checkout.importId);
    await fixture.turn();
    expect(await agree(checkout)).toMatchObject({ refund: "done:closed" });
    expect(fixture.givenBack(checkout.reference)).toBe(14_900);
  });

  test.each(orders)(
    "the one by hand is noticed beside ours, and paid out at the retry: %s, %s",
    async (...told) => {
      const checkout = await paidCheckout();
      fixture.double.refundByHand(checkout.reference, 900);
      await fixture.tell("charge.refunded");
      await fixture.happens(checkout.importId, "cancelled");
      await fixture.turn();
      fixture.double.returnRefund(checkout.reference, 900);
      for (const type of told) await fixture.tell(type);
      expect(await agree(checkout)).toMatchObject({ refund: "failed:closed", bought: 0, sum: 0 });
      await retry(checkout.importId);
      await fixture.turn();
      expect(await agree(checkout)).toMatchObject({ refund: "done:closed" });
      expect(fixture.givenBack(checkout.reference)).toBe(14_900);
    },
  );

  test("ours is returned and then paid by hand, twice: each movement is posted", async () => {
    const checkout = await paidCheckout();
    await fixture.happens(checkout.importId, "cancelled");
    await fixture.turn();
    for (let round = 0; round < 2; round += 1) {
      fixture.double.returnRefund(checkout.reference, 14_900);
      for (const type of types) await fixture.tell(type);
      expect(await agree(checkout)).toMatchObject({ refund: "failed:closed", sum: 0 });
      fixture.double.refundByHand(checkout.reference);
      for (const type of ["charge.refunded", "refund.created"]) await fixture.tell(type);
      expect(await agree(checkout)).toMatchObject({ refund: "done:closed", sum: 0 });
    }
    // A retry finds nothing to pay out.
    await fixture.turn();
    expect(fixture.givenBack(checkout.reference)).toBe(14_900);
  });

  test("all by hand in two parts, and one is returned: the rest is owed until the operator retries", async () => {
    const checkout = await paidCheckout();
    for (const amount of [900, 14_000]) {
      fixture.double.refundByHand(checkout.reference, amount);
      await fixture.tell("charge.refunded");
    }
    expect(await agree(checkout)).toMatchObject({ refund: "done:provider", bought: 0 });
    fixture.double.returnRefund(checkout.reference, 900);
    await fixture.tell("refund.failed");
    expect(await agree(checkout)).toMatchObject({ refund: "failed:provider", bought: 0 });
    await retry(checkout.importId);
    await fixture.turn();
    expect(await agree(checkout)).toMatchObject({ refund: "done:provider" });
  });

  test("an older notice does not hide that a retry is due, nor fails it", async () => {
    const checkout = await paidCheckout();
    await fixture.happens(checkout.importId, "cancelled");
    fixture.double.newRefundsAre("failed");
    await fixture.turn();
    fixture.double.newRefundsAre("succeeded");
    expect(await agree(checkout)).toMatchObject({ refund: "failed:closed" });
    await retry(checkout.importId);
    await fixture.tell("refund.created");
    expect(await agree(checkout)).toMatchObject({ refund: "due:closed" });
    await fixture.turn();
    expect(await agree(checkout)).toMatchObject({ refund: "done:closed" });
  });

  test("a state read before the return and stored after it does not stay", async () => {
    const checkout = await paidCheckout();
    await fixture.happens(checkout.importId, "cancelled");
    const { stripe } = fixture;
    const overtaken = {
      ...stripe,
      refund: async (order: Parameters<typeof stripe.refund>[0]) => {
        const answer = await stripe.refund(order);
        fixture.double.returnRefund(checkout.reference, 14_900);
        await fixture.tell("refund.failed");
        return answer;
      },
    };
    await fixture.turn(fixture.newTurn(overtaken));
    expect(await agree(checkout)).toMatchObject({ refund: "failed:closed", bought: 0, sum: 0 });
  });
});

describe("disputes", () => {
  const disputesOf = (importId: string) =>
    listDisputes(fixture.db, { importId, undecided: false, limit: 10 });
  const [created, withdrawn, reinstated, closed] = [
    "charge.dispute.created",
    "charge.dispute.funds_withdrawn",
    "charge.dispute.funds_reinstated",
    "charge.dispute.closed",
  ];

  test("a chargeback is posted once, and the import stays bought", async () => {
    const checkout = await paidCheckout();
    const id = fixture.double.dispute(checkout.reference, "chargeback");
    for (const type of [created, withdrawn, created]) expect(await fixture.tell(type)).toBe(200);
    expect(await disputesOf(checkout.importId)).toMatchObject([
      { reference: id, state: "open", reason: "fraudulent", amount: 14_900, withdrawn: 14_900, postings: 1 },
    ]);
    expect(await balance(checkout.importId, "disputed")).toBe(-14_900);
    expect(await balance(checkout.importId, "at_provider")).toBe(0);
    expect(await fixture.standing(checkout.id)).toEqual(bought);
    expect(fixture.lines.join("")).toContain("payment disputed");
  });

  test("money that the bank returns is posted back, whatever the order of the notices", async () => {
    const checkout = await paidCheckout();
    const id = fixture.double.dispute(checkout.reference, "chargeback");
    await fixture.tell(withdrawn);
    fixture.double.decideDispute(id, "won");
    // An old notice after the decision: Stripe's own answer counts.
    for (const type of [created, closed, reinstated, withdrawn]) await fixture.tell(type);
    expect(await disputesOf(checkout.importId)).toMatchObject([{ state: "won", withdrawn: 0, postings: 2 }]);
    expect(await balance(checkout.importId, "disputed")).toBe(0);
    expect(await balance(checkout.importId, "at_provider")).toBe(-14_900);
  });

  test("a lost one keeps the loss in the books, and nothing is paid out twice", async () => {
    const checkout = await paidCheckout();
    const id = fixture.double.dispute(checkout.reference, "chargeback");
    await fixture.tell(created);
    fixture.double.decideDispute(id, "lost");
    await fixture.tell(closed);
    expect(await disputesOf(checkout.importId)).toMatchObject([{ state: "lost", withdrawn: 14_900 }]);
    expect(await balance(checkout.importId, "disputed")).toBe(-14_900);
    await fixture.happens(checkout.importId, "cancelled");
    for (let turns = 0; turns < 10; turns += 1) await fixture.turn();
    expect(await fixture.standing(checkout.id)).toMatchObject({ refund: "failed:closed", sum: 0 });
    expect(fixture.givenBack(checkout.reference)).toBe(0);
  });

  test("an inquiry takes no money until it becomes a chargeback", async () => {
    const checkout = await paidCheckout();
    const id = fixture.double.dispute(checkout.reference, "inquiry");
    await fixture.tell(created);
    expect(await disputesOf(checkout.importId)).toMatchObject([{ state: "inquiry", withdrawn: 0 }]);
    expect(await balance(checkout.importId, "disputed")).toBe(0);
    fixture.double.decideDispute(id, "chargeback");
    await fixture.tell(withdrawn);
    expect(await disputesOf(checkout.importId)).toMatchObject([{ state: "open", withdrawn: 14_900 }]);
    const ended = await paidCheckout();
    const other = fixture.double.dispute(ended.reference, "inquiry");
    fixture.double.decideDispute(other, "withdrawn");
    await fixture.tell(closed);
    expect(await disputesOf(ended.importId)).toMatchObject([{ state: "closed", withdrawn: 0, postings: 0 }]);
  });

  test("a dispute whose notice precedes the payment's settles both", async () => {
    const checkout = await fixture.checkout();
    fixture.double.pay(checkout.reference);
    fixture.double.dispute(checkout.reference, "chargeback");
    expect(await fixture.tell(created)).toBe(200);
    expect(await fixture.standing(checkout.id)).toEqual(bought);
    expect(await balance(checkout.importId, "disputed")).toBe(-14_900);
  });

  test("a forged, unavailable or foreign one changes nothing", async () => {
    const checkout = await paidCheckout();
    fixture.double.dispute(checkout.reference, "chargeback");
    expect(await fixture.tell(created, { secret: "whsec_of_somebody_else" })).toBe(400);
    fixture.double.fault("GET /v1/disputes", { status: 503 }, 2);
    expect(await fixture.tell(created)).toBe(500);
    const foreign = (event: Record<string, unknown>) => ({
      ...event,
      data: { object: { ...(event["data"] as { object: object }).object, payment_intent: "pi_of_a_shop" } },
    });
    expect(await fixture.tell(created, { change: foreign })).toBe(200);
    expect(await disputesOf(checkout.importId)).toEqual([]);
    expect(await balance(checkout.importId, "disputed")).toBe(0);
  });
});

test("the log contains no secret", () => {
  const all = fixture.lines.join("\n");
  expect(fixture.lines.length).toBeGreaterThan(20);
  for (const secret of [
    fixture.double.secretKey,
    webhookSecret,
    "stripe-signature",
    "v1=",
    "customer_details",
  ])
    expect(all).not.toContain(secret);
});
