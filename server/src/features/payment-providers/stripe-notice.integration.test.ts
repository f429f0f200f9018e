import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StripeEvent } from "../../../../test/stripe/account.ts";
import { signatureOf } from "../../../../test/stripe/notices.ts";
import { eventObject } from "../../../../test/stripe/represent.ts";
import { createStripeFixture, webhookSecret } from "../../../../test/stripe/stripe-fixture.ts";

let fixture: Awaited<ReturnType<typeof createStripeFixture>>;
beforeAll(async () => {
  fixture = await createStripeFixture();
});
afterAll(() => fixture.close());

const seconds = () => Math.floor(Date.now() / 1000);
const read = (body: string, signature: string | undefined) =>
  fixture.stripe.readNotice(Buffer.from(body), { "stripe-signature": signature });
const noticeOf = (event: StripeEvent | undefined) => {
  const body = JSON.stringify(eventObject(event as StripeEvent));
  return read(body, signatureOf(body, webhookSecret));
};
const last = (type: string) => fixture.double.notices.events.findLast((event) => event.type === type);

describe("signatures", () => {
  const body = JSON.stringify({
    id: "evt_1",
    object: "event",
    type: "customer.created",
    created: 1,
    data: { object: {} },
  });
  test.each([
    ["none", () => undefined],
    ["empty", () => ""],
    ["of another secret", () => signatureOf(body, "whsec_other")],
    ["of another body", () => signatureOf(`${body} `, webhookSecret)],
    ["too old", () => signatureOf(body, webhookSecret, seconds() - 301)],
    [
      "with another timestamp than the signed one",
      () => signatureOf(body, webhookSecret).replace(/t=\d+/, `t=${seconds() - 7}`),
    ],
    ["of another scheme", () => signatureOf(body, webhookSecret).replace("v1=", "v0=")],
    ["no signature at all", () => "v1="],
  ])("refused: %s", async (_, signature) => {
    expect(await read(body, signature())).toEqual({ kind: "refused" });
  });

  test("accepted: valid, old within the tolerance, one of several", async () => {
    const other = { kind: "other", noticeId: "evt_1", type: "customer.created" };
    expect(await read(body, signatureOf(body, webhookSecret))).toEqual(other);
    expect(await read(body, signatureOf(body, webhookSecret, seconds() - 200))).toEqual(other);
    const right = signatureOf(body, webhookSecret);
    expect(await read(body, right.replace(",", `,v1=${"0".repeat(64)},`))).toEqual(other);
  });

  test.each(["", "null", "[]", "{", "{}", '{"id":"evt_1"}', '"text"'])(
    "signed, but not an event: %j",
    async (text) => {
      expect(await read(text, signatureOf(text, webhookSecret))).toEqual({ kind: "refused" });
    },
  );

  test("bytes that are not valid UTF-8 are refused, signed or not", async () => {
    const bytes = Buffer.from([0x7b, 0xff, 0xfe, 0x7d]);
    const signature = signatureOf(bytes.toString("utf8"), webhookSecret);
    expect(await fixture.stripe.readNotice(bytes, { "stripe-signature": signature })).toEqual({
      kind: "refused",
    });
  });
});

describe("payments", () => {
  test("a completed session reports its payment, an expired one its expiry", async () => {
    const order = fixture.order();
    const { reference } = await fixture.stripe.open(order);
    fixture.double.pay(reference);
    expect(await noticeOf(last("checkout.session.completed"))).toMatchObject({
      kind: "payment",
      reference,
      checkoutId: order.checkoutId,
      type: "checkout.session.completed",
      state: { kind: "paid", total: 14_900, tax: 0, currency: "eur" },
    });
    const late = await fixture.stripe.open(fixture.order());
    await fixture.stripe.expire(late.reference);
    expect(await noticeOf(last("checkout.session.expired"))).toMatchObject({
      reference: late.reference,
      state: { kind: "expired" },
    });
  });

  test("a completed session with a pending debit is not paid yet", async () => {
    for (const [how, type, kind] of [
      ["came", "checkout.session.async_payment_succeeded", "paid"],
      ["failed", "checkout.session.async_payment_failed", "failed"],
    ] as const) {
      const { reference } = await fixture.stripe.open(fixture.order());
      fixture.double.pay(reference, "in some days");
      const completed = last("checkout.session.completed");
      expect(await noticeOf(completed)).toMatchObject({ reference, state: { kind: "open" } });
      fixture.double.settleLater(reference, how);
      expect(await noticeOf(last(type))).toMatchObject({ reference, state: { kind } });
      // A late notice reports the state of its own time, not a reversal of the later one.
      expect(await noticeOf(completed)).toMatchObject({ state: { kind: "open" } });
    }
  });

  test("a session with invalid fields is ignored", async () => {
    const { reference } = await fixture.stripe.open(fixture.order());
    fixture.double.pay(reference);
    const event = last("checkout.session.completed") as StripeEvent;
    for (const change of [{ payment_status: "perhaps" }, { amount_total: "14900" }, { amount_total: 149.5 }])
      expect(await noticeOf({ ...event, object: { ...event.object, ...change } })).toMatchObject({
        kind: "other",
      });
  });
});

describe("refunds", () => {
  test("a manual refund: every notice reports the total refunded so far", async () => {
    const { reference } = await fixture.stripe.open(fixture.order());
    fixture.double.pay(reference);
    fixture.double.refundByHand(reference, 900);
    const first = last("charge.refunded");
    expect(await noticeOf(first)).toMatchObject({ kind: "refund", reference });
    const refunds = () => fixture.stripe.findRefunds(reference);
    expect(await refunds()).toMatchObject({ refunded: 900, state: { kind: "done" } });
    fixture.double.refundByHand(reference);
    for (const event of [first, last("charge.refunded"), last("refund.created")])
      expect(await noticeOf(event)).toMatchObject({ kind: "refund", reference });
    expect(await refunds()).toMatchObject({ refunded: 14_900, state: { kind: "done" } });
    fixture.double.returnRefund(reference, 900);
    for (const event of [last("refund.failed"), last("charge.refund.updated")])
      expect(await noticeOf(event)).toMatchObject({ kind: "refund", reference });
    expect(await refunds()).toMatchObject({ refunded: 14_000 });
  });

  test("more refunds than a page of Stripe's list has: all are added up, and the rest is refunded once", async () => {
    const { reference } = await fixture.stripe.open(fixture.order());
    fixture.double.pay(reference);
    for (let count = 0; count < 120; count += 1) fixture.double.refundByHand(reference, 100);
    expect(await fixture.stripe.findRefunds(reference)).toMatchObject({ refunded: 12_000 });
    const order = { refundId: "ref_many", reference, total: 14_900, currency: "eur" };
    expect(await fixture.stripe.refund(order)).toMatchObject({ refunded: 14_900, state: { kind: "done" } });
  });

  test("a pending refund that fails: nothing is refunded", async () => {
    const { reference } = await fixture.stripe.open(fixture.order());
    fixture.double.pay(reference);
    fixture.double.newRefundsAre("pending");
    await fixture.stripe.refund({ refundId: "ref_1", reference, total: 14_900, currency: "eur" });
    const refunds = () => fixture.stripe.findRefunds(reference);
    expect(await refunds()).toMatchObject({ refunded: 0, state: { kind: "asked" } });
    fixture.double.settleRefunds("failed");
    expect(await noticeOf(last("refund.failed"))).toMatchObject({ kind: "refund", reference });
    expect(await refunds()).toMatchObject({ refunded: 0, state: { kind: "failed" } });
  });

  test("a refund of a payment outside our checkouts is ignored", async () => {
    const event = {
      id: "evt_x",
      type: "charge.refunded",
      createdAt: seconds(),
      object: { payment_intent: "pi_x" },
    };
    expect(await noticeOf(event)).toMatchObject({ kind: "other" });
  });

  test("Stripe is unavailable: reading throws, so that Stripe sends the notice again", async () => {
    const { reference } = await fixture.stripe.open(fixture.order());
    fixture.double.pay(reference);
    fixture.double.refundByHand(reference);
    fixture.double.fault("GET /v1/checkout/sessions", { status: 500 }, 2);
    await expect(noticeOf(last("charge.refunded"))).rejects.toMatchObject({ name: "PaymentUnavailable" });
  });
});
