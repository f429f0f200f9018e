import { randomUUID } from "node:crypto";
import type { Breaches } from "../kit/laws.ts";
import { createSignInPage } from "../kit/sign-in-page.ts";
import { type VendorAnswer, type VendorCall } from "../kit/vendor-server.ts";
import type { VendorClock } from "../kit/clock.ts";
import type { zendeskLaws } from "./laws.ts";

const invalidGrant: VendorAnswer = {
  status: 400,
  body: {
    error: "invalid_grant",
    error_description: "The provided authorization grant is invalid, expired or revoked.",
  },
};

/** Zendesk's authorization server: it consents at once. Refresh tokens work once. */
export const createZendeskOAuth = (clock: VendorClock, breaches: Breaches<typeof zendeskLaws>) => {
  const page = createSignInPage();
  const accessTokens = new Map<string, number>();
  const refreshTokens = new Set<string>();
  const usedUp = new Set<string>();

  const issue = (call: VendorCall, given: Readonly<Record<string, string>>): VendorAnswer => {
    const token = randomUUID();
    const life = given["expires_in"];
    accessTokens.set(
      token,
      life === undefined ? Number.POSITIVE_INFINITY : clock.now() + Number(life) * 1000,
    );
    const body = { access_token: token, token_type: "bearer", scope: given["scope"] ?? "read write" };
    if (life === undefined) {
      breaches.record("ask-for-expiry", call.operation, given["grant_type"] ?? "");
      return { status: 200, body };
    }
    const refreshToken = randomUUID();
    refreshTokens.add(refreshToken);
    return { status: 200, body: { ...body, expires_in: Number(life), refresh_token: refreshToken } };
  };
  const refresh = (call: VendorCall, given: Readonly<Record<string, string>>): VendorAnswer => {
    const token = given["refresh_token"] ?? "";
    if (usedUp.has(token)) breaches.record("refresh-token-once", call.operation, "used again");
    if (!refreshTokens.delete(token)) return invalidGrant;
    usedUp.add(token);
    return issue(call, given);
  };
  return {
    accepts: (token: string) => (accessTokens.get(token) ?? 0) > clock.now(),
    /** As if their time was over; refresh tokens still work. */
    expireAll: () => accessTokens.clear(),
    operations: {
      "GET /oauth/authorizations/new": page.consent,
      "POST /oauth/tokens": (call: VendorCall): VendorAnswer => {
        const given = (call.body.value ?? {}) as Readonly<Record<string, string>>;
        if (given["grant_type"] === "refresh_token") return refresh(call, given);
        return page.redeems(given) ? issue(call, given) : invalidGrant;
      },
    },
  };
};
