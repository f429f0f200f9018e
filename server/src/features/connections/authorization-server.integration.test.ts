import type { OAuth2 } from "@portage/connector-kit";
import type { TransportRequest } from "@portage/connector-kit/http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { client, openSignInPage, type SignInPage } from "../../../../test/support/authorization-server.ts";
import { asConnector, callback } from "../../../../test/support/signed-in.ts";
import { createOutbound, type Outbound } from "../../platform/outbound/index.ts";
import { Secret } from "../../platform/secret.ts";
import { createAuthorizationServer, hasSignInPage } from "./authorization-server.ts";

let page: SignInPage;
let outbound: Outbound;
beforeAll(async () => {
  page = await openSignInPage({ callback });
  outbound = createOutbound({ allow: [page.host] });
});
afterAll(async () => {
  await outbound.close();
  page.close();
});

const toolWith = (more: Partial<OAuth2>) => {
  const { manifest } = asConnector();
  if (!hasSignInPage(manifest)) throw new Error("no sign-in page");
  const auth = { ...manifest.auth, ...more };
  return { manifest: { ...manifest, auth }, settings: { instanceUrl: page.url } };
};

/** A whole sign-in and a refresh, with what was sent to the token endpoint. */
const signIn = async (of: ReturnType<typeof toolWith>) => {
  const sent: TransportRequest[] = [];
  const server = createAuthorizationServer({
    transport: {
      send: (request) => {
        sent.push(request);
        return outbound.send(request);
      },
    },
    findClient: async () => ({ id: client.id, secret: new Secret(client.secret) }),
  });
  const asked = { redirectUri: callback, state: "a-state", verifier: "v".repeat(43) };
  const url = await server.signInUrl(of, { side: "source", ...asked });
  if (!url) throw new Error("not registered");
  const query = await page.visit(url.href);
  const granted = await server.redeemCode(of, { ...asked, query });
  if (granted.kind !== "granted" || !granted.tokens.refresh) throw new Error(granted.kind);
  const refreshed = await server.refresh(of, granted.tokens.refresh);
  const forms = sent.map(({ body }) => new URLSearchParams(typeof body === "string" ? body : ""));
  return { url, refreshed, sent, forms };
};

test("a client's secret goes by HTTP Basic where the tool wants it", async () => {
  const { refreshed, sent, forms } = await signIn(toolWith({ clientAuth: "basic" }));
  expect(refreshed.kind).toBe("granted");
  expect(sent).toHaveLength(2);
  for (const { headers } of sent) expect(headers.authorization).toMatch(/^Basic /);
  for (const form of forms) expect(form.has("client_secret")).toBe(false);
  const usual = await signIn(toolWith({}));
  for (const { headers } of usual.sent) expect(headers).not.toHaveProperty("authorization");
  for (const form of usual.forms) expect(form.get("client_secret")).toBe(client.secret);
});

test("a tool gets the parameters that it wants beyond the standard's", async () => {
  const { url, forms } = await signIn(
    toolWith({
      clientAuth: "basic",
      authorizeParameters: {
        audience: "api.acme.example",
        prompt: "consent",
        state: "chosen by the connector",
      },
      tokenParameters: { expires_in: "1800" },
    }),
  );
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    audience: "api.acme.example",
    prompt: "consent",
    state: "a-state",
  });
  expect(forms.map((form) => [form.get("grant_type"), form.get("expires_in")])).toEqual([
    ["authorization_code", "1800"],
    ["refresh_token", "1800"],
  ]);
});

test("scopes are separated as the tool separates them", async () => {
  const server = createAuthorizationServer({
    transport: outbound,
    findClient: async () => ({ id: client.id, secret: new Secret(client.secret) }),
  });
  const asked = { side: "destination", redirectUri: callback, state: "s", verifier: "v".repeat(43) } as const;
  const url = await server.signInUrl(toolWith({ scopeSeparator: "," }), asked);
  expect(url?.searchParams.get("scope")).toBe("tickets:read,tickets:write");
});
