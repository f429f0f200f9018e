import { Stripe } from "stripe";
import { PaymentRefused, PaymentUnavailable } from "./provider.ts";

const provider = "Stripe";

/**
 * What a failed call comes to for whoever made it. Nothing of Stripe's own error goes on: its message may quote what was
 * sent, and its headers are kept in it.
 */
export const stripeFailure = (error: unknown): Error => {
  if (!(error instanceof Stripe.errors.StripeError)) return new PaymentUnavailable(provider, "no_answer");
  const status = error.statusCode ?? 0;
  const code = error.code ?? (status === 0 ? "no_answer" : `status_${status}`);
  // 401 and 403: the operator's key is wrong, which is mended without anybody's order being wrong.
  const isFinal = status >= 400 && status < 500 && ![401, 403, 409, 429].includes(status);
  return isFinal ? new PaymentRefused(provider, code) : new PaymentUnavailable(provider, code);
};
