import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectExcerpt } from "../vendors/kit/expect-excerpt.ts";
import { readForm } from "./form.ts";
import { createStripeCheck, stripePlan } from "./spec.ts";
import { type StripeDouble, startStripeDouble } from "./stripe-double.ts";

let double: StripeDouble;
beforeAll(async () => {
  double = await startStripeDouble();
});
afterAll(() => double.close());

const call = async (method: string, path: string, form = "", headers: Record<string, string> = {}) => {
  const answer = await fetch(`${double.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${double.secretKey}`,
      "content-type": "application/x-www-form-urlencoded",
      ...headers,
    },
    ...(method === "POST" && { body: form }),
  });
  return {
    status: answer.status,
    headers: answer.headers,
    body: (await answer.json()) as Record<string, unknown>,
  };
};
const form =
  "mode=payment&success_url=https://acme.example/paid&line_items[0][quantity]=1" +
  "&line_items[0][price_data][currency]=eur&line_items[0][price_data][unit_amount]=4900" +
  "&line_items[0][price_data][product_data][name]=Move";
const session = async () =>
  (await call("POST", "/v1/checkout/sessions", form)).body as { id: string; url: string };

test("the excerpt has facts only, and matches the vendor's file if that is at hand", () => {
  expect(expectExcerpt("stripe", stripePlan).version).toBe("2025-10-15");
});

describe("conforms to the vendor's description", () => {
  const check = createStripeCheck();
  test("rejects an answer with an extra field, a missing field, or a wrong type", async () => {
    const { body } = await call("POST", "/v1/checkout/sessions", form);
    check.object("checkout.session", body);
    const { payment_status: _, ...without } = body;
    for (const wrong of [
      { ...body, paid: true },
      without,
      { ...body, amount_total: "4900" },
      { ...body, status: "x" },
    ])
      expect(() => check.object("checkout.session", wrong)).toThrow("Not a checkout.session");
  });
  test.each([
    ["unknown", `${form}&price=1`, /unknown parameter: price/],
    ["unknown further in", `${form}&line_items[0][price_data][cents]=1`, /unknown parameter: cents/],
    ["missing", "mode=payment", /success_url/],
    ["not a number", form.replace("4900", "49.5"), /unit_amount/],
    ["not one of the values", form.replace("mode=payment", "mode=gift"), /mode/],
  ])("rejects a request: %s", async (_, text, message) => {
    const { status, body } = await call("POST", "/v1/checkout/sessions", text);
    expect([status, (body as { error: { message: string } }).error.message]).toEqual([
      400,
      expect.stringMatching(message),
    ]);
  });
});

test("no key, a wrong key, an unknown address", async () => {
  expect((await call("GET", "/v1/events", "", { authorization: "" })).status).toBe(401);
  expect((await call("GET", "/v1/events", "", { authorization: "Bearer sk_other" })).status).toBe(401);
  expect((await call("GET", "/v1/balance")).status).toBe(404);
  expect((await call("GET", "/v1/checkout/sessions/cs_none")).status).toBe(404);
});

test("idempotency: replayed, refused for another body, not kept for a mistake, forgotten after a day", async () => {
  const key = { "idempotency-key": "k1" };
  expect((await call("POST", "/v1/checkout/sessions", "mode=payment", key)).status).toBe(400);
  const first = await call("POST", "/v1/checkout/sessions", form, key);
  const again = await call("POST", "/v1/checkout/sessions", form, key);
  expect([first.headers.get("idempotent-replayed"), again.headers.get("idempotent-replayed")]).toEqual([
    null,
    "true",
  ]);
  expect(again.body).toEqual(first.body);
  const other = await call("POST", "/v1/checkout/sessions", form.replace("4900", "5000"), key);
  expect(other).toMatchObject({ status: 400, body: { error: { type: "idempotency_error" } } });
  double.forgetKeys();
  expect((await call("POST", "/v1/checkout/sessions", form, key)).body["id"]).not.toBe(first.body["id"]);
});

test("the page: stays open after a decline, redirects after payment, refuses a second payment", async () => {
  const { id, url } = await session();
  expect(await (await fetch(url)).text()).toContain("49.00 EUR");
  const declined = await fetch(`${url}/decline`, { method: "POST" });
  expect(await declined.text()).toContain("Your card was declined.");
  expect(double.sessions.get(id)?.status).toBe("open");
  const paid = await fetch(`${url}/pay`, { method: "POST", redirect: "manual" });
  expect([paid.status, paid.headers.get("location")]).toEqual([303, "https://acme.example/paid"]);
  expect(await (await fetch(`${url}/pay`, { method: "POST" })).text()).toContain("You have paid already");
  expect([...double.intents.values()]).toHaveLength(1);
});

test("refunds: never more than the payment", async () => {
  const { id } = await session();
  double.pay(id);
  const intent = double.sessions.get(id)?.paymentIntent;
  expect((await call("POST", "/v1/refunds", `payment_intent=${intent}&amount=4901`)).status).toBe(400);
  expect((await call("POST", "/v1/refunds", `payment_intent=${intent}&amount=4000`)).status).toBe(200);
  expect((await call("POST", "/v1/refunds", `payment_intent=${intent}&amount=901`)).status).toBe(400);
  expect((await call("POST", "/v1/refunds", `payment_intent=${intent}`)).body["amount"]).toBe(900);
  expect((await call("POST", "/v1/refunds", `payment_intent=${intent}`)).body).toMatchObject({
    error: { code: "charge_already_refunded" },
  });
});

test("parses nested forms", () => {
  expect(readForm("a=1&b[c]=2&d[0][e]=3&d[1][e]=4&f[0]=x%20y")).toEqual({
    a: "1",
    b: { c: "2" },
    d: [{ e: "3" }, { e: "4" }],
    f: ["x y"],
  });
});
