import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/database.ts";
import { acme, testRegistry, testSealer } from "../../../../test/support/fixtures.ts";
import { Secret } from "../../platform/secret.ts";
import { createToolRegistry, sourceToolsFor } from "./registry.ts";
import {
  findOAuthClient,
  listOAuthClients,
  removeOAuthClients,
  setOAuthClient,
  setToolEnabled,
} from "./store.ts";
import { watchSwitchedOff } from "./switched-off.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

test("a switched-off tool is no longer offered, but imports that use it still find it", async () => {
  const off = await watchSwitchedOff(db, () => {}, 20);
  const connectors = testRegistry().all("source");
  const registry = createToolRegistry(connectors, off.has);
  const offered = () => sourceToolsFor(registry, acme).map(({ name }) => name);
  expect(offered()).toEqual(["redmine", "request-tracker"]);
  await setToolEnabled(db, "redmine", false);
  for (let tries = 0; tries < 3_000 && offered().length > 1; tries++) await sleep(20);
  expect(offered()).toEqual(["request-tracker"]);
  expect(registry.find("redmine")?.manifest.name).toBe("redmine");
  await setToolEnabled(db, "redmine", true);
  for (let tries = 0; tries < 3_000 && offered().length < 2; tries++) await sleep(20);
  expect(offered()).toEqual(["redmine", "request-tracker"]);
  off.stop();
});

test("an OAuth client's secret is sealed, and opens for its own tool and origin only", async () => {
  const sealer = testSealer();
  const find = (tool: string, origin: string) => findOAuthClient(db, sealer, tool, origin);
  const secret = new Secret("oauth-secret");
  const origins = ["https://a.example", "https://b.example"] as const;
  await setOAuthClient(db, sealer, "acme", { id: "client-1", secret, origins });
  for (const origin of origins) expect((await find("acme", origin))?.secret.reveal()).toBe("oauth-secret");
  expect(await find("acme", "https://c.example")).toBeUndefined();
  expect(await find("other", "https://a.example")).toBeUndefined();
  const { rows } = await db.pool.query<{ kept: Buffer }>("select client_secret as kept from oauth_clients");
  for (const { kept } of rows) expect(kept.toString("latin1")).not.toContain("oauth-secret");
  await db.pool.query(
    "update oauth_clients set origin = 'https://c.example' where origin = 'https://b.example'",
  );
  await expect(find("acme", "https://c.example")).rejects.toThrow(/Can't decrypt/);
  const twice = ["https://a.example", "https://a.example"] as const;
  await setOAuthClient(db, sealer, "acme", { id: "client-2", secret, origins: twice });
  expect(await find("acme", "https://a.example")).toMatchObject({ id: "client-2" });
  await removeOAuthClients(db, "acme", "https://c.example");
  expect((await listOAuthClients(db)).map(({ origin }) => origin)).toEqual(["https://a.example"]);
  await removeOAuthClients(db, "acme", null);
  expect(await listOAuthClients(db)).toEqual([]);
});
