export { isWhatWasAsked } from "./asked-amount.ts";
export { createManual } from "./manual.ts";
export {
  type Notice,
  type PaymentProvider,
  PaymentRefused,
  type PaymentState,
  PaymentUnavailable,
  type RefundState,
} from "./provider.ts";
export { createStripe } from "./stripe.ts";
