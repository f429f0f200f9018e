import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { destinationProtocol, redmine, requestTracker } from "@portage/connectors";
import { createLocalLimiter } from "@portage/connector-kit/http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { created, live, useApi } from "../../../../../test/contract/api.ts";
import { send } from "../../../../../test/contract/http-client.ts";
import { createOpenSide, createToolChecks, type ToolCheck } from "../../../features/connections/index.ts";
import { saveConnection } from "../../../features/connections/store.ts";
import { createToolRegistry } from "../../../features/tools/index.ts";
import { createOutbound, type Outbound } from "../../../platform/outbound/index.ts";

const registry = createToolRegistry([redmine, requestTracker, destinationProtocol]);
let shop: Server;
let url = "";
let outbound: Outbound;
let checks: ReadonlyMap<string, ToolCheck>;
beforeAll(async () => {
  shop = createServer((request, response) =>
    response.writeHead(request.url?.startsWith("/broken") ? 503 : 404).end(),
  );
  await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
  const { port } = shop.address() as AddressInfo;
  url = `http://127.0.0.1:${port}`;
  outbound = createOutbound({ allow: [`127.0.0.1:${port}`] });
  checks = createToolChecks(registry, outbound);
});
afterAll(() => shop.close());

const api = useApi({
  registry,
  get toolChecks() {
    return checks;
  },
  get outbound() {
    return outbound;
  },
});

const partner = { name: "Acme Desk", destinationTool: "destination-protocol" };
const given = async (settings: Parameters<typeof api.partner>[0] = partner) => {
  const { token: partnerToken } = await api.partner(settings);
  const wanted = { source_tool: "redmine", family: "helpdesk" };
  return { partnerToken, ...(await created(api, partnerToken, wanted)) };
};
type Link = Awaited<ReturnType<typeof given>>;
const ask = ({ id, token }: Link, method = "GET", path = "", body?: object) =>
  send(api.origin, {
    method,
    path: `/wizard/api/imports/${id}${path}`,
    headers: { authorization: `Bearer ${token}` },
    ...(body && { body }),
  });
const sidesOf = async (link: Link) =>
  ((await ask(link)).json as { sides: Record<string, { label: string; partnersOwn: boolean }> }).sides;
const connect = (link: Link, instanceUrl: string) =>
  ask(link, "PUT", "/connections/destination", {
    settings: { instanceUrl, token: "whsec_of-at-least-16-characters" },
  });
const protocolWords = /protocol|describe|whsec|base64|secret/i;

test("the partner's own application has the partner's name and plain labels", async () => {
  const link = await given();
  const { json, text } = await ask(link);
  expect(json).toMatchObject({
    sides: {
      source: { label: "Redmine", partnersOwn: false },
      destination: {
        label: "Acme Desk",
        partnersOwn: true,
        form: {
          properties: { instanceUrl: { title: "Connection address" }, token: { title: "Connection key" } },
        },
      },
    },
  });
  expect(
    JSON.stringify((await sidesOf(link))["destination"]).replace('"destination-protocol"', ""),
  ).not.toMatch(/protocol|describe\b|whsec|base64/i);
  expect(text).not.toContain("Destination protocol");
});

test("another tool keeps its own name", async () => {
  expect(
    (await sidesOf(await given({ ...partner, destinationTool: "redmine" })))["destination"],
  ).toMatchObject({
    label: "Redmine",
    partnersOwn: false,
  });
});

test("its error messages use the partner's name too", async () => {
  const link = await given();
  const wrong = await connect(link, url);
  expect(wrong.json).toMatchObject({
    refusal: {
      code: "wrong_address",
      message: "This address has no tool that can receive your data.",
    },
  });
  const broken = await connect(link, `${url}/broken`);
  expect(broken.text).toContain("Acme Desk is not working at the moment");
  for (const { text } of [wrong, broken]) expect(text).not.toMatch(protocolWords);
});

test("the messages of a run use that name too", async () => {
  const link = await given();
  await api.db.sql.transaction().execute((tx) =>
    saveConnection(
      tx,
      api.sealer,
      { importId: link.id, side: "destination" },
      {
        tool: "destination-protocol",
        settings: { instanceUrl: url, token: "whsec_of-at-least-16-characters" },
        account: { signInName: "jo", accountName: "Acme", accountId: "acme" },
        tokens: null,
      },
    ),
  );
  const openSide = createOpenSide({
    db: api.db,
    sealer: api.sealer,
    registry,
    transport: outbound,
    limiterFor: ({ limits, concurrency }) => createLocalLimiter(limits, concurrency),
  });
  const side = await openSide({ importId: link.id, side: "destination", runId: null });
  if (side.kind !== "open") throw new Error("missing");
  expect(side.connector.manifest).toMatchObject({ name: "destination-protocol", label: "Acme Desk" });
  const calls = side.io(AbortSignal.timeout(5_000)).http.send({ url: "anything" });
  await expect(calls).rejects.toThrow(/^Acme Desk /);
});

test("the page of a canceled move uses that name too", async () => {
  const link = await given();
  await api.ask({ method: "POST", path: `${live}/imports/${link.id}/cancel`, token: link.partnerToken });
  const { status, text } = await send(api.origin, { path: `/imports/${link.id}/${link.token}`, headers: {} });
  expect(status).toBe(410);
  expect(text).toContain("Acme Desk: nothing of this move is in it.");
  expect(text).not.toMatch(/protocol/i);
});
