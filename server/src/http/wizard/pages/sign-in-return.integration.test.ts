import { afterAll, beforeAll, expect, test } from "vitest";
import { created, useApi } from "../../../../../test/contract/api.ts";
import { send } from "../../../../../test/contract/http-client.ts";
import { client, openSignInPage, type SignInPage } from "../../../../../test/support/authorization-server.ts";
import { asConnector, callback } from "../../../../../test/support/signed-in.ts";
import { createToolRegistry, setOAuthClient } from "../../../features/tools/index.ts";
import { createOutbound, type Outbound } from "../../../platform/outbound/index.ts";
import { Secret } from "../../../platform/secret.ts";

let page: SignInPage;
let outbound: Outbound;
beforeAll(async () => {
  page = await openSignInPage({ callback });
  outbound = createOutbound({ allow: [page.host] });
});
afterAll(() => page.close());
const api = useApi({
  registry: createToolRegistry([asConnector()]),
  get outbound() {
    return outbound;
  },
});

const begin = async (side = "source") => {
  await setOAuthClient(api.db, api.sealer, "acme-cloud", {
    id: client.id,
    secret: new Secret(client.secret),
    origins: [page.url],
  });
  const { token } = await api.partner({ destinationTool: "acme-cloud" });
  const link = await created(api, token, { source_tool: "acme-cloud" });
  const { json } = await send(api.origin, {
    method: "POST",
    path: `/wizard/api/imports/${link.id}/connections/${side}/sign-in`,
    headers: { authorization: `Bearer ${link.token}` },
    body: { settings: { instanceUrl: page.url } },
  });
  return { link, query: String(await page.visit((json as { url: string }).url)) };
};
const back = (query: string, tool = "acme-cloud") =>
  send(api.origin, { method: "GET", path: `/oauth/callback/${tool}?${query}` });

test.each([
  ["source", "connect"],
  ["destination", "destination"],
])("redirects from the tool to the page of the import that started the sign-in: %s", async (side, screen) => {
  const { link, query } = await begin(side);
  const answer = await back(query);
  expect(answer.status).toBe(303);
  const { pathname, hash } = new URL(answer.headers.location ?? "", api.origin);
  expect(pathname).toBe(`/imports/${link.id}/${screen}`);
  expect(decodeURIComponent(hash)).toBe(`#signed-in=${query}`);
  expect(answer.headers["referrer-policy"]).toBe("no-referrer");
  const code = new URLSearchParams(query).get("code") ?? "";
  for (const secret of [code, new URLSearchParams(query).get("state") ?? ""])
    expect(api.logged()).not.toContain(secret);
  // The redirect does not consume the sign-in: a session of the import can still complete it.
  const ended = await send(api.origin, {
    method: "POST",
    path: `/wizard/api/imports/${link.id}/sign-ins`,
    body: { query },
    headers: { authorization: `Bearer ${link.token}` },
  });
  expect(ended.status).not.toBe(401);
  expect(await back(query)).toMatchObject({ status: 404 });
});

test("a state that is unknown, another tool's or too old shows a page that explains what to do", async () => {
  const { link, query } = await begin();
  for (const answer of [
    await back("code=x&state=y"),
    await back(""),
    await back(query, "other-cloud"),
    await back("state=%22%3E%3Cscript%3Ealert(1)%3C/script%3E"),
  ]) {
    expect(answer.status).toBe(404);
    expect(answer.headers.location).toBeUndefined();
    expect(answer.text).toContain("This sign-in took too long");
    expect(answer.text).not.toContain("<script");
  }
  await api.db.pool.query("update sign_ins set expires_at = now() where import_id = $1", [link.id]);
  expect((await back(query)).status).toBe(404);
});
