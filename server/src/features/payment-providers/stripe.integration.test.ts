import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createStripeFixture } from "../../../../test/stripe/stripe-fixture.ts";
import { newId } from "../../platform/ids.ts";
import { createOutbound } from "../../platform/outbound/index.ts";
import { Secret } from "../../platform/secret.ts";
import { createStripe } from "./stripe.ts";

let fixture: Awaited<ReturnType<typeof createStripeFixture>>;
beforeAll(async () => {
  fixture = await createStripeFixture();
});
afterAll(() => fixture.close());
beforeEach(() => fixture.double.newRefundsAre("succeeded"));

const callsOf = (path: string, method = "POST") =>
  fixture.double.calls.filter((call) => call.method === method && call.path === path);
const opened = async () => fixture.stripe.open(fixture.order());
const paid = async () => {
  const { reference } = await opened();
  fixture.double.pay(reference);
  return reference;
};
const refundOf = (reference: string, total = 14_900) => ({
  refundId: newId("ref"),
  reference,
  total,
  currency: "eur",
});
const stateOf = async (order: ReturnType<typeof refundOf>) => (await fixture.stripe.refund(order)).state.kind;

describe("opening", () => {
  test("creates a payment page with our id as reference and idempotency key, and with an expiry", async () => {
    const order = fixture.order();
    const { reference, url, expiresAt } = await fixture.stripe.open(order);
    expect(url).toBe(`${fixture.double.url}/c/pay/${reference}`);
    const hours = ((expiresAt?.getTime() ?? 0) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(22.9);
    expect(hours).toBeLessThan(23.1);
    const call = callsOf("/v1/checkout/sessions").at(-1);
    expect(call?.headers["idempotency-key"]).toBe(order.checkoutId);
    expect(Object.fromEntries(new URLSearchParams(call?.body))).toMatchObject({
      mode: "payment",
      client_reference_id: order.checkoutId,
      "automatic_tax[enabled]": "false",
      "line_items[0][price_data][unit_amount]": "14900",
      "line_items[0][price_data][currency]": "eur",
      "line_items[0][price_data][product_data][name]": order.description,
      "payment_intent_data[metadata][checkout_id]": order.checkoutId,
    });
    expect(await fixture.stripe.find(reference)).toEqual({ kind: "open" });
  });

  test("a repeated order, even after a lost answer, returns the same page", async () => {
    const order = fixture.order();
    const before = fixture.double.sessions.size;
    fixture.double.fault("POST /v1/checkout/sessions", "lost answer", 2);
    await expect(fixture.stripe.open(order)).rejects.toMatchObject({ name: "PaymentUnavailable" });
    const first = await fixture.stripe.open(order);
    expect(await fixture.stripe.open(order)).toEqual(first);
    expect(fixture.double.sessions.size).toBe(before + 1);
  });

  test("the same key for another amount is refused", async () => {
    const order = fixture.order();
    await fixture.stripe.open(order);
    await expect(fixture.stripe.open({ ...order, amount: 1 })).rejects.toMatchObject({
      name: "PaymentRefused",
    });
  });

  test("an order that is too old to be paid in time is refused permanently", async () => {
    const checkoutId = newId("chk", Date.now() - 23 * 3_600_000);
    await expect(fixture.stripe.open(fixture.order({ checkoutId }))).rejects.toMatchObject({
      name: "PaymentRefused",
    });
  });

  test("Stripe adds tax when automatic tax is on", async () => {
    const taxed = await createStripeFixture({ automaticTax: true });
    const { reference } = await taxed.stripe.open(taxed.order());
    taxed.double.pay(reference);
    expect(await taxed.stripe.find(reference)).toMatchObject({
      kind: "paid",
      total: 17_880,
      tax: 2_980,
      currency: "eur",
    });
    await taxed.close();
  });
});

describe("looking", () => {
  test("paid, expired, and debits that take days", async () => {
    expect(await fixture.stripe.find(await paid())).toMatchObject({
      kind: "paid",
      total: 14_900,
      tax: 0,
      currency: "eur",
    });
    const { reference: late } = await opened();
    fixture.double.expire(late);
    expect(await fixture.stripe.find(late)).toEqual({ kind: "expired" });
    for (const how of ["came", "failed"] as const) {
      const { reference } = await opened();
      fixture.double.pay(reference, "in some days");
      expect(await fixture.stripe.find(reference)).toEqual({ kind: "open" });
      fixture.double.settleLater(reference, how);
      expect((await fixture.stripe.find(reference)).kind).toBe(how === "came" ? "paid" : "failed");
    }
  });

  test("an unknown session is refused; a Stripe outage is retryable", async () => {
    await expect(fixture.stripe.find("cs_nobody")).rejects.toMatchObject({
      name: "PaymentRefused",
      code: "resource_missing",
    });
    const { reference } = await opened();
    fixture.double.fault("GET /v1/checkout/sessions/", { status: 503 }, 2);
    await expect(fixture.stripe.find(reference)).rejects.toMatchObject({
      name: "PaymentUnavailable",
      code: "status_503",
    });
    fixture.double.fault("GET /v1/checkout/sessions/", { status: 503 });
    expect(await fixture.stripe.find(reference)).toEqual({ kind: "open" });
  });
});

describe("expiring", () => {
  test("expires an open session; a paid one reports its payment", async () => {
    const { reference } = await opened();
    expect(await fixture.stripe.expire(reference)).toEqual({ kind: "expired" });
    expect(await fixture.stripe.expire(reference)).toEqual({ kind: "expired" });
    expect(await fixture.stripe.expire(await paid())).toMatchObject({ kind: "paid", total: 14_900 });
  });
});

describe("refunding", () => {
  const givenBack = (reference: string) =>
    fixture.double.intents.get(fixture.double.sessions.get(reference)?.paymentIntent ?? "")?.refunded;

  test("refunds in full once, despite repeated calls and a lost answer", async () => {
    const reference = await paid();
    const order = refundOf(reference);
    fixture.double.fault("POST /v1/refunds", "lost answer", 2);
    await expect(fixture.stripe.refund(order)).rejects.toMatchObject({ name: "PaymentUnavailable" });
    const done = await fixture.stripe.refund(order);
    expect(done.state.kind).toBe("done");
    fixture.double.forgetKeys();
    expect(await fixture.stripe.refund(order)).toEqual(done);
    expect(givenBack(reference)).toBe(14_900);
  });

  test("a repeated partial refund adds nothing, even after Stripe dropped the idempotency key", async () => {
    const reference = await paid();
    const order = refundOf(reference, 1_000);
    await fixture.stripe.refund(order);
    fixture.double.forgetKeys();
    expect(await stateOf(order)).toBe("done");
    expect(givenBack(reference)).toBe(1_000);
  });

  test("a pending refund is requested, and done once it succeeds", async () => {
    fixture.double.newRefundsAre("pending");
    const order = refundOf(await paid());
    expect(await stateOf(order)).toBe("asked");
    fixture.double.settleRefunds("succeeded");
    expect(await stateOf(order)).toBe("done");
  });

  test("a failed refund is created anew by the next call; a refund of an unpaid session fails", async () => {
    fixture.double.newRefundsAre("failed");
    const order = refundOf(await paid());
    expect(await stateOf(order)).toBe("failed");
    fixture.double.newRefundsAre("succeeded");
    expect(await stateOf(order)).toBe("done");
    expect(givenBack(order.reference)).toBe(14_900);
    const { reference } = await opened();
    expect(await stateOf(refundOf(reference))).toBe("failed");
  });

  test("pays out only what is missing, also after the bank returned a part", async () => {
    const reference = await paid();
    fixture.double.refundByHand(reference, 900);
    const order = refundOf(reference);
    expect(await stateOf(order)).toBe("done");
    fixture.double.returnRefund(reference, 900);
    expect(givenBack(reference)).toBe(14_000);
    expect(await stateOf(order)).toBe("done");
    fixture.double.returnRefund(reference, 14_000);
    expect(await stateOf(order)).toBe("done");
    expect(givenBack(reference)).toBe(14_900);
  });

  test("a manual refund at Stripe counts as done", async () => {
    const reference = await paid();
    fixture.double.refundByHand(reference);
    expect(await stateOf(refundOf(reference))).toBe("done");
    expect(givenBack(reference)).toBe(14_900);
  });
});

test("a wrong key does not leak into the error, which is retryable", async () => {
  const outbound = createOutbound({ allow: [new URL(fixture.double.url).host] });
  const secretKey = new Secret("sk_test_wrong_and_secret");
  const wrong = createStripe({
    secretKey,
    webhookSecret: new Secret("whsec_secret"),
    apiUrl: fixture.double.url,
    automaticTax: false,
    outbound,
  });
  const error = await wrong.find("cs_1").then(
    () => null,
    (thrown: Error) => thrown,
  );
  expect(error).toMatchObject({ name: "PaymentUnavailable", code: "status_401" });
  expect(error?.cause).toBeUndefined();
  expect(JSON.stringify({ ...error, message: error?.message, stack: error?.stack })).not.toContain("secret");
  await outbound.close();
});

test("the client does not call an address that is not allowed", async () => {
  const outbound = createOutbound();
  const guarded = createStripe({
    secretKey: new Secret("sk"),
    webhookSecret: new Secret("whsec"),
    apiUrl: fixture.double.url,
    automaticTax: false,
    outbound,
  });
  const before = fixture.double.calls.length;
  await expect(guarded.find("cs_1")).rejects.toMatchObject({ name: "PaymentUnavailable" });
  expect(fixture.double.calls).toHaveLength(before);
  await outbound.close();
});
