import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createToolChecks } from "../../server/src/features/connections/index.ts";
import { createApi } from "../../server/src/main/create-api.ts";
import { createTools } from "../../server/src/main/tools.ts";
import { openDatabase } from "../../server/src/platform/db.ts";
import { createLog } from "../../server/src/platform/log.ts";
import { migrate, readMigrations } from "../../server/src/platform/migrate.ts";
import { createOutbound } from "../../server/src/platform/outbound/index.ts";
import { givenPartner, testSealer, testSigner, testWebFolder } from "../support/fixtures.ts";
import { createPostgres } from "../support/postgres.ts";
import { send } from "../contract/http-client.ts";
import { startRedmine } from "./redmine/redmine-server.ts";
import { startRequestTracker } from "./request-tracker/request-tracker.ts";

/** The API as an operator starts it, with two allowed tools on loopback. */
const startAll = async () => {
  const redmine = await startRedmine();
  const tracker = await startRequestTracker();
  const postgres = await createPostgres();
  postgres.start();
  await migrate(postgres.url, await readMigrations());
  const db = openDatabase({
    url: postgres.url,
    poolSize: 5,
    statementTimeoutMs: 120_000,
    acquireTimeoutMs: 5_000,
    applicationName: "portage test",
    onConnectionLost: () => {},
  });
  const outbound = createOutbound({ allow: [new URL(redmine.url).host, new URL(tracker.url).host] });
  const registry = await createTools([]);
  const api = createApi({
    db,
    sealer: testSealer(),
    signer: testSigner(),
    registry,
    toolChecks: createToolChecks(registry, outbound),
    outbound,
    log: createLog("silent"),
    publicUrl: "https://portage.example",
    webFolder: testWebFolder,
    signInFailuresPerMinute: 60,
    requestTimeoutMs: 30_000,
    trustedProxies: [],
  });
  const origin = await api.app.listen({ host: "127.0.0.1", port: 0 });
  return {
    redmine,
    tracker,
    db,
    origin,
    stop: async () => {
      await api.app.close();
      await outbound.close();
      await db.close();
      postgres.remove();
      await tracker.stop();
      await redmine.stop();
    },
  };
};

let all: Awaited<ReturnType<typeof startAll>>;
beforeAll(async () => {
  all = await startAll();
});
afterAll(() => all?.stop());

const cases = [
  { tool: "redmine", address: () => all.redmine.url, key: () => all.redmine.adminKey, signInName: "admin" },
  {
    tool: "request-tracker",
    address: () => all.tracker.url,
    key: () => all.tracker.token,
    signInName: "root",
  },
];

describe.each(cases)("POST /imports into a real $tool", ({ tool, address, key, signInName }) => {
  const post = async (settings: { destination_instance_url: string; destination_token: string }) => {
    const { token } = await givenPartner(all.db, { destinationTool: tool });
    const body = { source_tool: "request-tracker", family: "helpdesk", ...settings };
    const answer = await send(all.origin, { method: "POST", path: "/api/v2.1/imports", token, body });
    return { ...answer, token };
  };

  test("right key: 201, and the key's sign-in name finds the import", async () => {
    const { status, json, token } = await post({
      destination_instance_url: address(),
      destination_token: key(),
    });
    expect([status, json]).toEqual([201, expect.objectContaining({ id: expect.any(String) as string })]);
    const { id } = json as { id: string };
    const shown = await send(all.origin, { path: `/api/v2.1/imports/${id}`, token });
    expect(shown.json).not.toHaveProperty("warnings");
    const list = await send(all.origin, {
      path: `/api/v2.1/imports?destination_username=${signInName}`,
      token,
    });
    expect(list.json).toMatchObject([{ id }]);
  });

  test("wrong key: 422 with destination, with a readable reason", async () => {
    const { status, json } = await post({
      destination_instance_url: address(),
      destination_token: "0".repeat(40),
    });
    expect(status).toBe(422);
    expect((json as { destination: string[] }).destination).toEqual([expect.stringMatching(/^\S.*\.$/)]);
  });

  test("an address without such a tool: 422 with destination", async () => {
    const { status, json } = await post({
      destination_instance_url: `${address()}/no/such/place`,
      destination_token: key(),
    });
    expect(status).toBe(422);
    expect((json as { destination: string[] }).destination).toHaveLength(1);
  });

  test("a private address that the operator did not allow: 422 without a call", async () => {
    const { status } = await post({
      destination_instance_url: "https://127.0.0.1:1",
      destination_token: key(),
    });
    expect(status).toBe(422);
  });
});

test("GET /tools lists them for a partner whose destination shares a family", async () => {
  const { token } = await givenPartner(all.db, { destinationTool: "destination-protocol" });
  const { json } = await send(all.origin, { path: "/api/v2.1/tools", token });
  expect((json as { name: string }[]).map(({ name }) => name)).toEqual([
    "csv",
    "freshdesk",
    "intercom",
    "redmine",
    "request-tracker",
    "zendesk",
    "znuny",
  ]);
});
