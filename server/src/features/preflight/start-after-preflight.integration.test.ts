import { afterAll, beforeAll, expect, test } from "vitest";
import { createPreflightFixture } from "../../../../test/runs/preflight-fixture.ts";
import { noteConnected } from "../imports/store-connecting.ts";

let fixture: Awaited<ReturnType<typeof createPreflightFixture>>;
beforeAll(async () => {
  fixture = await createPreflightFixture();
});
afterAll(() => fixture.drop());

const codesOf = async ({ warnings }: { warnings(): Promise<readonly { code: string }[]> }) =>
  (await warnings()).map(({ code }) => code);

test("without a blocking finding, the full run is requested once, however many calls there are", async () => {
  const all = await fixture.begin();
  expect((await all.state())?.status).toBe("in_preparation");
  const asked = await Promise.allSettled([all.start(), all.start(), all.start()]);
  for (const each of asked) if (each.status === "fulfilled") expect(each.value).toEqual([]);
  expect(await all.start()).toEqual([]);
  expect((await all.state())?.status).toBe("migration_in_progress");
  expect(await all.runsAskedFor()).toBe(1);
});

test("other findings become warnings and do not stop the start", async () => {
  const all = await fixture.begin({ requestsPerMinute: 0.01 });
  await all.start();
  expect((await all.state())?.status).toBe("migration_in_progress");
  expect(await codesOf(all)).toContain("takes_long");
  expect(await codesOf(all)).not.toContain("action_required");
});

test("a blocking finding prevents the start, requests attention once and shows the reason", async () => {
  const all = await fixture.begin({ destination: { plan: { tickets: 2 } } });
  expect(await all.start()).toEqual([]);
  expect((await all.state())?.status).toBe("in_preparation");
  expect(await all.runsAskedFor()).toBe(0);
  expect(await all.warnings()).toContainEqual(
    expect.objectContaining({ code: "no_room", stream: "tickets", count: 3 }),
  );
  expect(await all.warnings()).toContainEqual(
    expect.objectContaining({ code: "action_required", stream: "preflight" }),
  );
  const { rows } = await fixture.db.pool.query(
    "select from events where import_id = $1 and type = 'import.attention_required'",
    [all.importId],
  );
  expect(rows).toHaveLength(1);
  // A manual start removes the warnings about the obstacle.
  await all.move({ type: "full_started" });
  expect(await codesOf(all)).not.toContain("no_room");
  expect(await codesOf(all)).not.toContain("action_required");
});

test("a refused sign-in requests attention for that side, until the side is connected again", async () => {
  const all = await fixture.begin();
  all.source.revoke(all.source.token);
  await all.start();
  expect(await all.warnings()).toMatchObject([
    { code: "action_required", stream: "source_sign_in" },
    { code: "sign_in_refused", stream: "source" },
  ]);
  await fixture.db.sql.transaction().execute((tx) => noteConnected(tx, all.importId, "source", "importer"));
  expect(await all.warnings()).toEqual([]);
});

test("a new sign-in repeats the pre-flight and starts the run", async () => {
  const all = await fixture.begin();
  all.source.revoke(all.source.token);
  await all.start();
  await all.dispatched();
  expect(await all.startsAskedFor()).toBe(0);
  const { token } = all.source.newAccount();
  await all.connect("source", { ...all.source, token });
  await fixture.db.sql.transaction().execute((tx) => noteConnected(tx, all.importId, "source", "importer"));
  await all.move({ type: "connected", side: "source" });
  expect(await all.startsAskedFor()).toBe(1);
  await all.start();
  expect((await all.state())?.status).toBe("migration_in_progress");
  expect(await codesOf(all)).not.toContain("action_required");
  await all.dispatched();
  // During the run, a sign-in concerns only the run.
  await all.move({ type: "connected", side: "source" });
  expect(await all.startsAskedFor()).toBe(0);
});

test("an unreachable tool is retried, and after ten minutes attention is requested", async () => {
  const all = await fixture.begin();
  all.destination.weather.begin({ ms: 600_000, status: 503, retryAfterMs: 60_000 });
  await expect(all.start()).rejects.toMatchObject({ code: "unreachable" });
  expect(await all.warnings()).toEqual([]);
  await all.backdate(9 * 60_000);
  await expect(all.start()).rejects.toMatchObject({ code: "unreachable" });
  await all.backdate(11 * 60_000);
  expect(await all.start()).toEqual([]);
  expect(await codesOf(all)).toEqual(["action_required", "unreachable"]);
  expect(await all.runsAskedFor()).toBe(0);
});

test("a tool that recovers in time lets the run start", async () => {
  const all = await fixture.begin();
  all.destination.weather.begin({ ms: 600_000, status: 503, retryAfterMs: 60_000 });
  await expect(all.start()).rejects.toMatchObject({ code: "unreachable" });
  all.destination.weather.begin({ ms: 0 });
  await all.start();
  expect((await all.state())?.status).toBe("migration_in_progress");
});

test("a bug in a connector is retried as well, but not forever", async () => {
  const all = await fixture.begin({
    adapt: (connector) => ({ ...connector, check: () => Promise.reject(new TypeError("a bug")) }),
  });
  await expect(all.start()).rejects.toThrow("a bug");
  await all.backdate(11 * 60_000);
  expect(await all.start()).toEqual([]);
  expect(await codesOf(all)).toEqual(["action_required"]);
});

test("a slow pre-flight does not block the caller, and continues in the background", async () => {
  const all = await fixture.begin({ patienceMs: 100 });
  all.source.weather.setLatency(60);
  await expect(all.start()).rejects.toMatchObject({ code: "under_way" });
  expect((await all.state())?.status).toBe("in_preparation");
  await expect
    .poll(
      async () => {
        await all.start().catch(() => {});
        return (await all.state())?.status;
      },
      { timeout: 600_000 },
    )
    .toBe("migration_in_progress");
  // One pre-flight served all these calls.
  expect(all.destination.stats().requests).toBeLessThan(60);
});

test.each([
  ["cancelled", { type: "cancelled" }],
  ["started by another caller", { type: "full_started" }],
] as const)("%s before the call: nothing happens, and no tool is called", async (_, event) => {
  const all = await fixture.begin({ destination: { plan: { tickets: 2 } } });
  await all.move(event);
  const before = await all.runsAskedFor();
  expect(await all.start()).toEqual([]);
  expect(await all.runsAskedFor()).toBe(before);
  expect(await all.warnings()).toEqual([]);
  expect(all.source.stats().requests).toBe(0);
});

test.each([
  ["cancelled", { type: "cancelled" }],
  ["started by another caller", { type: "full_started" }],
] as const)("%s during the pre-flight: no start and no warning", async (_, event) => {
  for (const plan of [{}, { tickets: 2 }]) {
    const all = await fixture.begin({ destination: { plan } });
    all.source.weather.setLatency(30);
    const asked = all.start().catch((error: unknown) => error);
    await expect.poll(() => all.source.stats().requests).toBeGreaterThan(1);
    await all.move(event);
    const before = await all.runsAskedFor();
    await asked;
    expect(await all.start()).toEqual([]);
    expect(await all.runsAskedFor()).toBe(before);
    expect(await codesOf(all)).not.toContain("action_required");
    expect(await codesOf(all)).not.toContain("no_room");
  }
});

test("a new sign-in during the pre-flight discards the findings of the old one", async () => {
  const all = await fixture.begin();
  all.source.revoke(all.source.token);
  all.source.weather.setLatency(0);
  all.destination.weather.setLatency(300);
  const asked = all.start();
  await expect.poll(() => all.destination.stats().requests).toBeGreaterThan(0);
  const { token } = all.source.newAccount();
  await all.connect("source", { ...all.source, token });
  await expect(asked).rejects.toMatchObject({ code: "changed_meanwhile" });
  expect(await all.warnings()).toEqual([]);
  await all.start();
  expect((await all.state())?.status).toBe("migration_in_progress");
});
