import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/database.ts";
import { acme, testRegistry, testSealer } from "../../../../test/support/fixtures.ts";
import { Secret } from "../../platform/secret.ts";
import { createToolRegistry, sourceToolsFor } from "./registry.ts";
import { findOAuthClient, listToolSettings, setOAuthClient, setToolEnabled } from "./store.ts";
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

test("an OAuth client's secret is sealed, and opens for its own tool only", async () => {
  const sealer = testSealer();
  await setOAuthClient(db, sealer, "acme", { id: "client-1", secret: new Secret("oauth-secret") });
  expect((await findOAuthClient(db, sealer, "acme"))?.secret.reveal()).toBe("oauth-secret");
  const { rows } = await db.pool.query<{ kept: Buffer }>(
    "select oauth_client_secret as kept from tool_settings where tool = 'acme'",
  );
  expect(rows[0]?.kept.toString("latin1")).not.toContain("oauth-secret");
  await db.pool.query("update tool_settings set tool = 'other' where tool = 'acme'");
  await expect(findOAuthClient(db, sealer, "other")).rejects.toThrow(/Can't decrypt/);
  await setOAuthClient(db, sealer, "other", null);
  expect(await findOAuthClient(db, sealer, "other")).toBeUndefined();
  expect((await listToolSettings(db)).find(({ tool }) => tool === "other")).toMatchObject({
    enabled: true,
    oauthClientId: null,
  });
});
