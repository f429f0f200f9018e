import { inspect } from "node:util";
import { afterEach, expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { createPayments, type Payments } from "./payments.ts";

const required = {
  DATABASE_URL: "postgres://127.0.0.1/portage",
  PORTAGE_KEYS: `k1:${Buffer.alloc(32).toString("base64")}`,
  PUBLIC_URL: "https://portage.example.com/",
};
const keys = { STRIPE_SECRET_KEY: "sk_test_of_acme", STRIPE_WEBHOOK_SECRET: "whsec_made_for_acme" };
const made: Payments[] = [];
afterEach(async () => {
  await Promise.all(made.splice(0).map((each) => each.close()));
});
const read = (env: Record<string, string>) => {
  const payments = createPayments(readConfig({ ...required, ...env }));
  made.push(payments);
  return [payments.offered?.name ?? null, payments.providers.map(({ name }) => name)];
};

test("offers the configured provider and keeps every provider with credentials", () => {
  expect(read({})).toEqual([null, ["manual"]]);
  expect(read({ PAYMENTS: "manual" })).toEqual(["manual", ["manual"]]);
  expect(read({ PAYMENTS: "stripe", ...keys })).toEqual(["stripe", ["stripe", "manual"]]);
  // Stripe refunds the payments that it took, even after the operator switches to another provider.
  expect(read({ PAYMENTS: "manual", ...keys })).toEqual(["manual", ["stripe", "manual"]]);
  expect(read(keys)).toEqual([null, ["stripe", "manual"]]);
});

test.each([
  [{ PAYMENTS: "stripe" }, /PAYMENTS is stripe: set STRIPE_SECRET_KEY/],
  [{ STRIPE_SECRET_KEY: keys.STRIPE_SECRET_KEY }, /belong together/],
  [{ STRIPE_WEBHOOK_SECRET: keys.STRIPE_WEBHOOK_SECRET }, /belong together/],
  [{ PAYMENTS: "cash" }, /PAYMENTS must be stripe, manual or none/],
  [{ ...keys, STRIPE_SECRET_KEY: keys.STRIPE_WEBHOOK_SECRET }, /STRIPE_SECRET_KEY must be what Stripe shows/],
  [{ ...keys, STRIPE_WEBHOOK_SECRET: "whsec_" }, /STRIPE_WEBHOOK_SECRET must be what Stripe shows/],
  [{ ...keys, STRIPE_API_URL: "http://stripe.example.com" }, /sent unencrypted/],
  [{ ...keys, STRIPE_API_URL: "http://127.0.0.1.example.com" }, /sent unencrypted/],
  [{ ...keys, STRIPE_API_URL: "https://stripe.example.com/v1" }, /host and port only/],
  [{ ...keys, STRIPE_AUTOMATIC_TAX: "yes" }, /STRIPE_AUTOMATIC_TAX must be true or false/],
] as [Record<string, string>, RegExp][])("rejects %j", (env, message) => {
  expect(() => read(env)).toThrow(message);
});

test("neither an error nor the created provider shows the key", () => {
  const wrong = { ...keys, STRIPE_SECRET_KEY: "pk_very_secret" };
  expect(() => read(wrong)).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining("very") }),
  );
  read({ PAYMENTS: "stripe", ...keys, STRIPE_API_URL: "http://127.0.0.1:1" });
  expect(inspect(made, { depth: 10 }) + JSON.stringify(made)).not.toMatch(/(of|for)_acme/);
});
