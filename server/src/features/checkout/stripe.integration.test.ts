import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createStripeFixture } from "../../../../test/stripe/stripe-fixture.ts";
import { newId } from "../../platform/ids.ts";
import { createOutbound } from "../../platform/outbound/index.ts";
import { Secret } from "../../platform/secret.ts";
import { createStripe } from "./stripe.ts";

let ground: Awaited<ReturnType<typeof createStripeFixture>>;
beforeAll(async () => {
  ground = await createStripeFixture();
});
afterAll(() => ground.close());
beforeEach(() => ground.double.newRefundsAre("succeeded"));

const callsOf = (path: string, method = "POST") =>
  ground.double.calls.filter((call) => call.method === method && call.path === path);
const opened = async () => ground.stripe.open(ground.order());
const paid = async () => {
  const { reference } = await opened();
  ground.double.pay(reference);
  return reference;
};
const refundOf = (reference: string, amount = 14_900) => ({
  refundId: newId("ref"),
  reference,
  amount,
  currency: "eur",
});

describe("opening", () => {
  test("creates a payment page with our id as reference and idempotency key, and with an expiry", async () => {
    const order = ground.order();
    const { reference, url, expiresAt } = await ground.stripe.open(order);
    expect(url).toBe(`${ground.double.url}/c/pay/${reference}`);
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
    expect(await ground.stripe.look(reference)).toEqual({ kind: "open" });
  });

  test("a repeated order, even after a lost answer, returns the same page", async () => {
    const order = ground.order();
    const before = ground.double.sessions.size;
    ground.double.fault("POST /v1/checkout/sessions", "lost answer", 2);
    await expect(ground.stripe.open(order)).rejects.toMatchObject({ name: "PaymentUnavailable" });
    const first = await ground.stripe.open(order);
    expect(await ground.stripe.open(order)).toEqual(first);
    expect(ground.double.sessions.size).toBe(before + 1);
  });

  test("the same key for another amount is refused", async () => {
    const order = ground.order();
    await ground.stripe.open(order);
    await expect(ground.stripe.open({ ...order, amount: 1 })).rejects.toMatchObject({
      name: "PaymentRefused",
    });
  });

  test("an order that is too old to be paid in time is refused permanently", async () => {
    const checkoutId = newId("chk", Date.now() - 23 * 3_600_000);
    await expect(ground.stripe.open(ground.order({ checkoutId }))).rejects.toMatchObject({
      name: "PaymentRefused",
    });
  });

  test("Stripe adds tax when automatic tax is on", async () => {
    const taxed = await createStripeFixture({ automaticTax: true });
    const { reference } = await taxed.stripe.open(taxed.order());
    taxed.double.pay(reference);
    expect(await taxed.stripe.look(reference)).toMatchObject({
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
    expect(await ground.stripe.look(await paid())).toMatchObject({
      kind: "paid",
      total: 14_900,
      tax: 0,
      currency: "eur",
    });
    const { reference: late } = await opened();
    ground.double.expire(late);
    expect(await ground.stripe.look(late)).toEqual({ kind: "expired" });
    for (const how of ["came", "failed"] as const) {
      const { reference } = await opened();
      ground.double.pay(reference, "in some days");
      expect(await ground.stripe.look(reference)).toEqual({ kind: "open" });
      ground.double.settleLater(reference, how);
      expect((await ground.stripe.look(reference)).kind).toBe(how === "came" ? "paid" : "failed");
    }
  });

  test("an unknown session is refused; a Stripe outage is retryable", async () => {
    await expect(ground.stripe.look("cs_nobody")).rejects.toMatchObject({
      name: "PaymentRefused",
      code: "resource_missing",
    });
    const { reference } = await opened();
    ground.double.fault("GET /v1/checkout/sessions/", { status: 503 }, 2);
    await expect(ground.stripe.look(reference)).rejects.toMatchObject({
      name: "PaymentUnavailable",
      code: "status_503",
    });
    ground.double.fault("GET /v1/checkout/sessions/", { status: 503 });
    expect(await ground.stripe.look(reference)).toEqual({ kind: "open" });
  });
});

describe("expiring", () => {
  test("expires an open session; a paid one reports its payment", async () => {
    const { reference } = await opened();
    expect(await ground.stripe.expire(reference)).toEqual({ kind: "expired" });
    expect(await ground.stripe.expire(reference)).toEqual({ kind: "expired" });
    expect(await ground.stripe.expire(await paid())).toMatchObject({ kind: "paid", total: 14_900 });
  });
});

describe("refunding", () => {
  const givenBack = (reference: string) =>
    ground.double.intents.get(ground.double.sessions.get(reference)?.paymentIntent ?? "")?.refunded;

  test("refunds in full once, despite repeated calls and a lost answer", async () => {
    const reference = await paid();
    const order = refundOf(reference);
    ground.double.fault("POST /v1/refunds", "lost answer", 2);
    await expect(ground.stripe.refund(order)).rejects.toMatchObject({ name: "PaymentUnavailable" });
    const done = await ground.stripe.refund(order);
    expect(done.kind).toBe("done");
    ground.double.forgetKeys();
    expect(await ground.stripe.refund(order)).toEqual(done);
    expect(givenBack(reference)).toBe(14_900);
  });

  test("a repeated partial refund adds nothing, even after Stripe dropped the idempotency key", async () => {
    const reference = await paid();
    const order = refundOf(reference, 1_000);
    await ground.stripe.refund(order);
    ground.double.forgetKeys();
    expect((await ground.stripe.refund(order)).kind).toBe("done");
    expect(givenBack(reference)).toBe(1_000);
  });

  test("a pending refund is requested, and done once it succeeds", async () => {
    ground.double.newRefundsAre("pending");
    const order = refundOf(await paid());
    expect((await ground.stripe.refund(order)).kind).toBe("asked");
    ground.double.settleRefunds("succeeded");
    expect((await ground.stripe.refund(order)).kind).toBe("done");
  });

  test("a failed refund is created anew by the next call; a refund of an unpaid session fails", async () => {
    ground.double.newRefundsAre("failed");
    const order = refundOf(await paid());
    expect((await ground.stripe.refund(order)).kind).toBe("failed");
    ground.double.newRefundsAre("succeeded");
    expect((await ground.stripe.refund(order)).kind).toBe("done");
    expect(givenBack(order.reference)).toBe(14_900);
    const { reference } = await opened();
    expect(await ground.stripe.refund(refundOf(reference))).toEqual({ kind: "failed", reference: null });
  });

  test("a manual refund at Stripe counts as done", async () => {
    const reference = await paid();
    ground.double.refundByHand(reference);
    expect((await ground.stripe.refund(refundOf(reference))).kind).toBe("done");
    expect(givenBack(reference)).toBe(14_900);
  });
});

test("a wrong key does not leak into the error, which is retryable", async () => {
  const outbound = createOutbound({ allow: [new URL(ground.double.url).host] });
  const secretKey = new Secret("sk_test_wrong_and_secret");
  const wrong = createStripe({
    secretKey,
    webhookSecret: new Secret("whsec_secret"),
    apiUrl: ground.double.url,
    automaticTax: false,
    outbound,
  });
  const error = await wrong.look("cs_1").then(
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
    apiUrl: ground.double.url,
    automaticTax: false,
    outbound,
  });
  const before = ground.double.calls.length;
  await expect(guarded.look("cs_1")).rejects.toMatchObject({ name: "PaymentUnavailable" });
  expect(ground.double.calls).toHaveLength(before);
  await outbound.close();
});
