import { afterAll, beforeAll, expect, test } from "vitest";
import { created, useApi } from "../../../../../test/contract/api.ts";
import { send } from "../../../../../test/contract/http-client.ts";
import { client, openSignInPage, type SignInPage } from "../../../../../test/support/authorization-server.ts";
import { asConnector, callback } from "../../../../../test/support/signed-in.ts";
import { createToolChecks } from "../../../features/connections/index.ts";
import { findTokens } from "../../../features/connections/store-tokens.ts";
import { makeLink } from "../../../features/links/index.ts";
import { createToolRegistry, setOAuthClient } from "../../../features/tools/index.ts";
import { createOutbound, type Outbound } from "../../../platform/outbound/index.ts";
import { Secret } from "../../../platform/secret.ts";

let page: SignInPage;
let outbound: Outbound;
const registry = createToolRegistry([asConnector()]);
beforeAll(async () => {
  page = await openSignInPage({ callback });
  outbound = createOutbound({ allow: [page.host] });
});
afterAll(() => page.close());
const api = useApi({
  registry,
  get outbound() {
    return outbound;
  },
  get toolChecks() {
    return createToolChecks(registry, outbound);
  },
});

const newLink = async () => {
  const { token } = await api.partner({ destinationTool: "acme-cloud" });
  return created(api, token, { source_tool: "acme-cloud" });
};
const ask = ({ id, token }: { id: string; token: string }, method: string, path: string, body?: object) =>
  send(api.origin, {
    method,
    path: `/wizard/api/imports/${id}${path}`,
    ...(body && { body }),
    headers: { authorization: `Bearer ${token}` },
  });

test("a customer signs in at the tool's own page, and the API connects the side", async () => {
  const link = await newLink();
  const settings = { instanceUrl: page.url };
  const start = () => ask(link, "POST", "/connections/source/sign-in", { settings });
  expect(await start()).toMatchObject({
    status: 422,
    json: {
      base: [expect.stringContaining(`You can't sign in to Acme Cloud at ${page.url} from here yet.`)],
    },
  });
  await setOAuthClient(api.db, api.sealer, "acme-cloud", {
    id: client.id,
    secret: new Secret(client.secret),
    origins: [page.url],
  });
  expect(await ask(link, "PUT", "/connections/source", { settings })).toMatchObject({
    status: 422,
    json: { base: ["Sign in at the tool's own page to connect it."] },
  });
  expect(await ask(link, "POST", "/connections/source/sign-in", { settings: {} })).toMatchObject({
    status: 422,
    json: { instanceUrl: ["can't be blank"] },
  });
  const begun = await start();
  expect(begun.status).toBe(200);
  const query = String(await page.visit((begun.json as { url: string }).url));
  const stranger = await newLink();
  expect((await ask(stranger, "POST", "/sign-ins", { query })).status).toBe(422);
  expect(await ask(link, "POST", "/sign-ins", { query })).toMatchObject({
    status: 200,
    json: { accountName: page.host, signInName: "jo" },
  });
  expect(await ask(link, "POST", "/sign-ins", { query })).toMatchObject({
    status: 422,
    json: { base: [expect.stringContaining("Start it again")] },
  });
  expect((await ask(link, "GET", "")).json).toMatchObject({
    sides: { source: { signIn: "oauth2", connected: true, signInName: "jo" } },
  });
  expect((await ask({ ...link, token: stranger.token }, "POST", "/sign-ins", { query })).status).toBe(401);
  const code = new URLSearchParams(query).get("code") ?? "";
  for (const secret of [code, client.secret, link.token]) expect(api.logged()).not.toContain(secret);
});

test("an admin of one side can't complete the other side's sign-in", async () => {
  const link = await newLink();
  const admin = async (side: "source" | "destination") => {
    const made = await makeLink(api.db, { importId: link.id, purpose: "admin", side, expiresInMs: 60_000 });
    if (made.kind !== "made") throw new Error(made.kind);
    const entered = await send(api.origin, { path: `/imports/${link.id}/${made.token.reveal()}` });
    const cookie = entered.headers["set-cookie"]?.[0]?.split(";", 1)[0] ?? "";
    const path = `/wizard/api/imports/${link.id}`;
    const { csrf } = (await send(api.origin, { path, headers: { cookie } })).json as { csrf: string };
    return (to: string, body: object) =>
      send(api.origin, {
        method: "POST",
        path: `${path}${to}`,
        body,
        headers: { cookie, "x-portage-csrf": csrf },
      });
  };
  const source = await admin("source");
  const destination = await admin("destination");
  const begun = await source("/connections/source/sign-in", { settings: { instanceUrl: page.url } });
  expect(begun.status).toBe(200);
  const query = String(await page.visit((begun.json as { url: string }).url));
  expect((await destination("/sign-ins", { query })).status).toBe(422);
  expect((await source("/sign-ins", { query })).status).toBe(200);
});

test("a token from the partner replaces the sign-in until it expires", async () => {
  const first = await newLink();
  const begun = await ask(first, "POST", "/connections/source/sign-in", {
    settings: { instanceUrl: page.url },
  });
  await ask(first, "POST", "/sign-ins", {
    query: String(await page.visit((begun.json as { url: string }).url)),
  });
  const tokens = await findTokens(api.db, api.sealer, { importId: first.id, side: "source" });
  const { token } = await api.partner({ destinationTool: "acme-cloud" });
  const link = await created(api, token, {
    source_tool: "acme-cloud",
    destination_instance_url: page.url,
    destination_token: tokens?.access.reveal() ?? "",
  });
  expect((await ask(link, "GET", "")).json).toMatchObject({
    sides: { destination: { connected: true, signInName: "jo" } },
  });
  const kept = await findTokens(api.db, api.sealer, { importId: link.id, side: "destination" });
  expect(kept?.access.reveal()).toBe(tokens?.access.reveal());
  expect(kept?.refresh).toBeNull();
});
