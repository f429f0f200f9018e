import { createHash, randomBytes } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { startStandIn } from "./stand-in.ts";

const tool = await startStandIn({ tokenLifeMs: 60_000 });
afterAll(() => tool.close());

const back = "http://127.0.0.1:1/back";
const verifier = randomBytes(32).toString("base64url");

const consent = async () => {
  const url = new URL(`${tool.url}/oauth/authorize`);
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  url.search = new URLSearchParams({ redirect_uri: back, state: "s", code_challenge: challenge }).toString();
  const answer = await fetch(url, { redirect: "manual" });
  return new URL(answer.headers.get("location") ?? "").searchParams;
};
const redeem = async (code: string, changed: Record<string, string> = {}) => {
  const form = { grant_type: "authorization_code", code, redirect_uri: back, code_verifier: verifier };
  const body = new URLSearchParams({ ...form, ...changed });
  const answer = await fetch(`${tool.url}/oauth/token`, { method: "POST", body });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
};

test("a code becomes a token of the tool's own account, once", async () => {
  const given = await consent();
  expect(given.get("state")).toBe("s");
  const { status, body } = await redeem(given.get("code") ?? "");
  expect([status, body.token_type, body.expires_in]).toEqual([200, "bearer", 60]);
  const me = await fetch(`${tool.url}/me`, { headers: { authorization: `Bearer ${body.access_token}` } });
  expect(await me.json()).toMatchObject({ account: tool.account });
  expect((await redeem(given.get("code") ?? "")).body).toEqual({ error: "invalid_grant" });
});

test.each([
  ["another verifier", { code_verifier: "x" }],
  ["another address", { redirect_uri: "http://127.0.0.1:1/elsewhere" }],
])("no token for %s", async (_, changed) => {
  const code = (await consent()).get("code") ?? "";
  expect((await redeem(code, changed)).status).toBe(400);
});

test("a revoked token can't be refreshed, an expired one can", async () => {
  const refresh = async (token: string) =>
    (await redeem("", { grant_type: "refresh_token", refresh_token: token })).status;
  const { account, refreshToken } = tool.newAccount();
  tool.access.expire(account);
  expect(await refresh(refreshToken)).toBe(200);
  expect(await refresh(refreshToken)).toBe(400);
  const other = tool.newAccount();
  tool.access.revokeAll(other.account);
  expect(await refresh(other.refreshToken)).toBe(400);
});
