import { expect, test } from "vitest";
import { createMetrics } from "../../platform/metrics/index.ts";
import { createManual, measureProvider, PaymentRefused, PaymentUnavailable } from "./index.ts";

test("counts what a payment provider answers, from zero", async () => {
  const metrics = createMetrics();
  let failure: Error | null = null;
  const provider = measureProvider(
    {
      ...createManual(),
      name: "stripe",
      find: async () => {
        if (failure) throw failure;
        return { kind: "open" };
      },
    },
    metrics,
  );
  const counts = async () =>
    (await metrics.text()).body
      .split("\n")
      .filter((line) => line.startsWith("portage_payment_requests_total"));
  const name = 'portage_payment_requests_total{provider="stripe",outcome=';
  expect(await counts()).toEqual([`${name}"ok"} 0`, `${name}"refused"} 0`, `${name}"unavailable"} 0`]);
  await provider.find("ref");
  // A key that was revoked: nothing is overdue, because the next look is put off each time.
  failure = new PaymentUnavailable("Stripe", "status_401");
  await expect(provider.find("ref")).rejects.toBe(failure);
  await expect(provider.find("ref")).rejects.toBe(failure);
  failure = new PaymentRefused("Stripe", "resource_missing");
  await expect(provider.find("ref")).rejects.toBe(failure);
  expect(await counts()).toEqual([`${name}"ok"} 1`, `${name}"refused"} 1`, `${name}"unavailable"} 2`]);
});
