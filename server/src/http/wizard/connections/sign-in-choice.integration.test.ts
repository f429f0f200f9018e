import { createLocalLimiter } from "@portage/connector-kit/http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { created, useApi } from "../../../../../test/contract/api.ts";
import { send } from "../../../../../test/contract/http-client.ts";
import {
  choiceConnector,
  client,
  openSignInPage,
  person,
  type SignInPage,
} from "../../../../../test/support/authorization-server.ts";
import { createOpenSide, createToolChecks } from "../../../features/connections/index.ts";
import { createToolRegistry, setOAuthClient } from "../../../features/tools/index.ts";
import { createOutbound, type Outbound } from "../../../platform/outbound/index.ts";
import { Secret } from "../../../platform/secret.ts";

let page: SignInPage;
let outbound: Outbound;
const registry = createToolRegistry([choiceConnector()]);
beforeAll(async () => {
  page = await openSignInPage({ callback: "https://portage.example/oauth/callback/acme-both" });
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
  const { token } = await api.partner({ destinationTool: "acme-both" });
  return created(api, token, { source_tool: "acme-both" });
};
type Link = Awaited<ReturnType<typeof newLink>>;
const ask = ({ id, token }: Link, method: string, path: string, body?: object) =>
  send(api.origin, {
    method,
    path: `/wizard/api/imports/${id}${path}`,
    ...(body && { body }),
    headers: { authorization: `Bearer ${token}` },
  });
const sourceOf = async (link: Link) =>
  ((await ask(link, "GET", "")).json as { sides: { source: { signIn: string; alternative: unknown } } }).sides
    .source;

/** Who the tool takes us for when a run calls it. */
const callAs = async ({ id }: Link) => {
  const open = createOpenSide({
    db: api.db,
    sealer: api.sealer,
    registry,
    transport: outbound,
    limiterFor: () => createLocalLimiter([], 8),
  });
  const opened = await open({ importId: id, side: "source", runId: null });
  if (opened.kind !== "open") throw new Error(opened.kind);
  return (await opened.io(new AbortController().signal).http.send({ url: "me" })).json();
};

const byKey = () => ({ instanceUrl: page.url, email: "jo@acme.example", token: person.key });

test("a tool with a key and a sign-in page: only the key, until the operator registers with the tool", async () => {
  const link = await newLink();
  expect(await sourceOf(link)).toMatchObject({ signIn: "secret", alternative: null });
  const settings = { instanceUrl: page.url };
  expect(await ask(link, "PUT", "/connections/source", { settings })).toMatchObject({
    status: 422,
    json: { token: ["can't be blank"] },
  });
  expect(await ask(link, "PUT", "/connections/source", { settings: byKey() })).toMatchObject({ status: 200 });
  expect(await callAs(link)).toMatchObject({ login: "jo", scope: "by key" });

  await setOAuthClient(api.db, api.sealer, "acme-both", {
    id: client.id,
    secret: new Secret(client.secret),
    origins: [page.url],
  });
  // Who used the key before sees the key first.
  expect(await sourceOf(link)).toMatchObject({ signIn: "secret", alternative: { signIn: "oauth2" } });
  const fresh = await newLink();
  expect(await sourceOf(fresh)).toMatchObject({
    signIn: "oauth2",
    readOnly: true,
    form: { required: ["instanceUrl"] },
    alternative: {
      signIn: "secret",
      readOnly: false,
      form: { required: ["instanceUrl", "token", "email"], properties: { token: { writeOnly: true } } },
    },
  });

  const begun = await ask(fresh, "POST", "/connections/source/sign-in", { settings });
  const query = await page.visit((begun.json as { url: string }).url);
  expect(await ask(fresh, "POST", "/sign-ins", { query: query.toString() })).toMatchObject({ status: 200 });
  expect(await callAs(fresh)).toMatchObject({ login: "jo", scope: "tickets:read" });
  const wrong = { ...byKey(), token: "a-wrong-key" };
  expect(await ask(fresh, "PUT", "/connections/source", { settings: wrong })).toMatchObject({
    status: 422,
    json: { refusal: { code: "wrong_key" } },
  });
  // And may change to the key, which ends the use of the tokens.
  expect(await ask(fresh, "PUT", "/connections/source", { settings: byKey() })).toMatchObject({
    status: 200,
  });
  expect(await callAs(fresh)).toMatchObject({ scope: "by key" });
});
