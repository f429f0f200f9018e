import { describe, expect, test } from "vitest";
import { failure, httpFor, manifestOf, plain, secret, serve, type Settings } from "../../test/local-tool.ts";
import type { Manifest, Secret } from "../manifest.ts";
import { createTestIo } from "../test-io.ts";
import { createAuthorizer } from "./authorize.ts";

/** OAuth's client credentials: the customer's own key and secret buy a token that expires. */
const auth: Secret<Settings> = {
  kind: "secret",
  secrets: ["token"],
  headers: () => ({}),
  async session(http, { token }) {
    const form = { grant_type: "client_credentials", client_secret: token };
    const answer = await http.send({ url: "token", method: "POST", form, idempotent: true });
    const { access_token } = answer.json() as { access_token: string };
    return { authorization: `Bearer ${access_token}` };
  },
};

/** Gives numbered tokens, and accepts only the latest. */
const openTool = async () => {
  const tool = { given: 0, valid: 0, asked: [] as (string | undefined)[], refusesKey: false };
  const { base } = await serve((response, { url, headers }) => {
    if (url === "/token") {
      tool.asked.push(headers.authorization);
      if (tool.refusesKey) return void response.writeHead(401).end();
      tool.given += 1;
      tool.valid = tool.given;
      return void response.end(JSON.stringify({ access_token: `token-${tool.given}` }));
    }
    response.writeHead(headers.authorization === `Bearer token-${tool.valid}` ? 200 : 401).end("done");
  });
  // One request at a time: the sign-in must not wait for the place of the request that needs it.
  const manifest: Manifest<Settings> = { ...manifestOf(), auth, concurrency: 1 };
  const settings = { instanceUrl: base, token: secret };
  return { tool, manifest, settings, http: createTestIo({ manifest, settings, transport: plain }).http };
};

describe("a session", () => {
  test("is opened once for all requests, without credentials", async () => {
    const { tool, http } = await openTool();
    await Promise.all([1, 2, 3].map(() => http.send({ url: "x", method: "POST", json: {} })));
    expect(tool.asked).toEqual([undefined]);
  });

  test("is opened again when the tool refuses it", async () => {
    const { tool, http } = await openTool();
    await http.send({ url: "x" });
    tool.valid = 99;
    expect((await http.send({ url: "x" })).text).toBe("done");
    expect(tool.given).toBe(2);
  });

  test("that the tool does not give asks the customer to sign in again", async () => {
    const { tool, http } = await openTool();
    tool.refusesKey = true;
    expect(await failure(http.send({ url: "x" }))).toMatchObject({ recovery: "reauthorize" });
    tool.refusesKey = false;
    expect((await http.send({ url: "x" })).text).toBe("done");
  });

  test("is a secret", async () => {
    const { manifest, settings } = await openTool();
    const authorizer = createAuthorizer(manifest, settings, null);
    await authorizer.headers(
      { method: "GET", url: new URL(settings.instanceUrl), headers: {}, body: null },
      httpFor(settings.instanceUrl),
    );
    expect(authorizer.secrets()).toEqual([secret, "token-1"]);
  });
});

test("a tool with its own scheme gets its token, and a new one, by this scheme", async () => {
  const { seen, base } = await serve((response, { headers }) =>
    response.writeHead(headers.authorization === "Acme-token new" ? 200 : 401).end("done"),
  );
  const { http } = createTestIo({
    manifest: {
      ...manifestOf(),
      auth: {
        kind: "oauth2",
        authorizationUrl: () => base,
        tokenUrl: () => base,
        scopes: { read: [], write: [] },
        refreshTokens: "reusable",
        pkce: false,
        scheme: "Acme-token",
      },
    },
    settings: { instanceUrl: base, token: "" },
    transport: plain,
    tokens: { current: async () => "old", refresh: async (spent) => (spent === "old" ? "new" : null) },
  });
  // `current` stays old, so the second attempt is refused too.
  await failure(http.send({ url: "x" }));
  expect(seen.map(({ headers }) => headers.authorization)).toEqual(["Acme-token old", "Acme-token old"]);
});
