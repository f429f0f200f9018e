export { createAuthorizer, type AccessTokens, type Authorizer } from "./authorize.ts";
export { createByteBudget, type ByteBudget } from "./byte-budget.ts";
export {
  createHttp,
  defaultRetryPolicy,
  type HttpNeeds,
  type RetryPolicy,
} from "./http-client.ts";
export { createLocalLimiter, type Learned, type Limiter } from "./limiter.ts";
export { type Call, type QuotaReading, weightIn } from "./quotas.ts";
export { reachOf } from "./origins.ts";
export { recordExchanges, replayExchanges, ReplayError, type Exchange } from "./recording.ts";
export { createRedactor, type Redactor } from "./redact.ts";
export type { Transport, TransportRequest, TransportResponse } from "./transport.ts";
