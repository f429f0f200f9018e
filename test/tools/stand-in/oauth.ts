import { createHash, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Access } from "./access.ts";
import { answer, readBody, type Target } from "./answer.ts";

interface Consent {
  readonly redirectUri: string;
  readonly challenge: string | null;
}

/** The tool's authorization server. It consents at once, for the given account. */
export const createOAuth = (access: Access, account: () => string) => {
  const consents = new Map<string, Consent>();

  const agree = (response: ServerResponse, query: URLSearchParams) => {
    const redirectUri = query.get("redirect_uri");
    if (redirectUri === null || !URL.canParse(redirectUri)) return answer(response, 400);
    const code = `code-${randomUUID()}`;
    consents.set(code, { redirectUri, challenge: query.get("code_challenge") });
    const back = new URL(redirectUri);
    back.searchParams.set("code", code);
    const state = query.get("state");
    if (state !== null) back.searchParams.set("state", state);
    answer(response, 302, undefined, { location: back.href });
  };

  const redeem = (given: URLSearchParams) => {
    const code = given.get("code") ?? "";
    const consent = consents.get(code);
    consents.delete(code);
    const verifier = given.get("code_verifier") ?? "";
    const shown = createHash("sha256").update(verifier).digest("base64url");
    if (!consent || (consent.challenge !== null && consent.challenge !== shown)) return null;
    return consent.redirectUri === given.get("redirect_uri") ? access.issue(account()) : null;
  };

  /** As forms are sent, or as JSON. */
  const readForm = async (request: IncomingMessage) => {
    const text = (await readBody(request)).toString();
    return text.startsWith("{")
      ? new URLSearchParams(JSON.parse(text) as Record<string, string>)
      : new URLSearchParams(text);
  };

  return async (request: IncomingMessage, response: ServerResponse, { parts, query }: Target) => {
    if (parts[1] === "authorize") return agree(response, query);
    if (parts[1] !== "token") return answer(response, 404);
    const given = await readForm(request);
    const fresh =
      given.get("grant_type") === "authorization_code"
        ? redeem(given)
        : access.refresh(given.get("refresh_token") ?? "");
    if (!fresh) return answer(response, 400, { error: "invalid_grant" });
    answer(response, 200, {
      access_token: fresh.token,
      token_type: "bearer",
      refresh_token: fresh.refreshToken,
      ...(access.tokenLifeMs === null ? {} : { expires_in: Math.ceil(access.tokenLifeMs / 1000) }),
    });
  };
};
