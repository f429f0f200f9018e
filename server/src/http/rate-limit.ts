import { requestsPerSecond, type RateLimitDecision } from "../features/rate-limit/index.ts";
import { Problem } from "./answer.ts";

/** `callerId`: a partner, or a person of the staff. */
export type TakeTurn = (callerId: string) => Promise<RateLimitDecision>;

const policy = `"default";q=${requestsPerSecond};w=1`;

export const rateLimited = (headers: Readonly<Record<string, string>> = {}) =>
  new Problem(
    "rate_limited",
    `More than ${requestsPerSecond} requests in a second: wait and send it again.`,
    { ...headers, "retry-after": "1" },
  );

/** Counts the request towards the caller's rate limit and returns the RateLimit headers. */
export const limit = async (
  takeTurn: TakeTurn,
  callerId: string,
): Promise<Readonly<Record<string, string>>> => {
  const { accepted, remaining } = await takeTurn(callerId);
  const headers = { "ratelimit-policy": policy, ratelimit: `"default";r=${remaining};t=1` };
  if (!accepted) throw rateLimited(headers);
  return headers;
};
