import type { FastifyRequest } from "fastify";
import type { Authenticator, Partner } from "../../features/partners/index.ts";
import { requestsPerSecond, type RateLimitDecision } from "../../features/rate-limit/index.ts";
import { Problem } from "../answer.ts";
import type { SignInGuard } from "../sign-in-guard.ts";
import { basicToken } from "./basic-token.ts";

const challenge = { "www-authenticate": 'Basic realm="Portage API", charset="UTF-8"' };

export const unauthorized = () =>
  new Problem(
    "unauthorized",
    "Send your API token as the username of HTTP Basic authentication. This one is missing, wrong or revoked.",
    challenge,
  );

export interface PartnerAuthNeeds {
  readonly authenticator: Authenticator;
  readonly guard: SignInGuard;
}

export const signIn = async (
  { authenticator, guard }: PartnerAuthNeeds,
  request: FastifyRequest,
): Promise<Partner> => {
  const token = basicToken(request.headers.authorization);
  guard.admit(request.ip, token ?? "");
  const partner = token === undefined ? undefined : await authenticator.authenticate(token);
  if (partner) {
    guard.accepted(token ?? "");
    return partner;
  }
  guard.failed(request.ip);
  throw unauthorized();
};

export type TakeTurn = (partnerId: string) => Promise<RateLimitDecision>;

const policy = `"default";q=${requestsPerSecond};w=1`;

export const rateLimited = (headers: Readonly<Record<string, string>> = {}) =>
  new Problem(
    "rate_limited",
    `More than ${requestsPerSecond} requests in a second: wait and send it again.`,
    { ...headers, "retry-after": "1" },
  );

/** Counts the request towards the partner's rate limit and returns the RateLimit headers. */
export const limit = async (
  takeTurn: TakeTurn,
  partner: Partner,
): Promise<Readonly<Record<string, string>>> => {
  const { accepted, remaining } = await takeTurn(partner.id);
  const headers = { "ratelimit-policy": policy, ratelimit: `"default";r=${remaining};t=1` };
  if (!accepted) throw rateLimited(headers);
  return headers;
};
