import { Stripe } from "stripe";
import { PaymentRefused, PaymentUnavailable } from "./provider.ts";

const provider = "Stripe";

/**
 * Translates a failed Stripe call for the caller. It passes on nothing of Stripe's own error, whose message may quote
 * the request and which contains headers.
 */
export const stripeFailure = (error: unknown): Error => {
  if (!(error instanceof Stripe.errors.StripeError)) return new PaymentUnavailable(provider, "no_answer");
  const status = error.statusCode ?? 0;
  const code = error.code ?? (status === 0 ? "no_answer" : `status_${status}`);
  // 401 and 403: the operator's key is wrong; the order itself is fine once the key is fixed.
  const isFinal = status >= 400 && status < 500 && ![401, 403, 409, 429].includes(status);
  return isFinal ? new PaymentRefused(provider, code) : new PaymentUnavailable(provider, code);
};
