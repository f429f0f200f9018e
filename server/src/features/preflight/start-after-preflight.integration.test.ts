import { afterAll, beforeAll, expect, test } from "vitest";
import { createPreflightGround } from "../../../../test/runs/preflight-ground.ts";
import { noteConnected } from "../imports/store-connecting.ts";

let ground: Awaited<ReturnType<typeof createPreflightGround>>;
beforeAll(async () => {
  ground = await createPreflightGround();
});
afterAll(() => ground.drop());

const codesOf = async ({ warnings }: { warnings(): Promise<readonly { code: string }[]> }) =>
  (await warnings()).map(({ code }) => code);

test("nothing in the way: the full run is asked for, once, whoever asks how often", async () => {
  const all = await ground.begin();
  expect((await all.state())?.status).toBe("in_preparation");
  const asked = await Promise.allSettled([all.start(), all.start(), all.start()]);
  for (const each of asked) if (each.status === "fulfilled") expect(each.value).toEqual([]);
  expect(await all.start()).toEqual([]);
  expect((await all.state())?.status).toBe("migration_in_progress");
  expect(await all.runsAskedFor()).toBe(1);
});

test("what is worth knowing is kept as warnings, and does not stop it", async () => {
  const all = await ground.begin({ requestsPerMinute: 0.01 });
  await all.start();
  expect((await all.state())?.status).toBe("migration_in_progress");
  expect(await codesOf(all)).toContain("takes_long");
  expect(await codesOf(all)).not.toContain("action_required");
});

test("something in the way: it stays, a person is told once, and everybody sees why", async () => {
  const all = await ground.begin({ destination: { plan: { tickets: 2 } } });
  expect(await all.start()).toEqual([]);
  expect((await all.state())?.status).toBe("in_preparation");
  expect(await all.runsAskedFor()).toBe(0);
  expect(await all.warnings()).toContainEqual(
    expect.objectContaining({ code: "no_room", stream: "tickets", count: 3 }),
  );
  expect(await all.warnings()).toContainEqual(
    expect.objectContaining({ code: "action_required", stream: "preflight" }),
  );
  const { rows } = await ground.db.pool.query(
    "select from events where import_id = $1 and type = 'import.attention_required'",
    [all.importId],
  );
  expect(rows).toHaveLength(1);
  // Started by hand, after all: what was in the way is no longer said.
  await all.move({ type: "full_started" });
  expect(await codesOf(all)).not.toContain("no_room");
  expect(await codesOf(all)).not.toContain("action_required");
});

test("a sign-in that is refused calls for that side, and connecting it takes that back", async () => {
  const all = await ground.begin();
  all.source.revoke(all.source.token);
  await all.start();
  expect(await all.warnings()).toMatchObject([
    { code: "action_required", stream: "source_sign_in" },
    { code: "sign_in_refused", stream: "source" },
  ]);
  await ground.db.sql.transaction().execute((tx) => noteConnected(tx, all.importId, "source", "importer"));
  expect(await all.warnings()).toEqual([]);
});

test("signing in again is enough: it is looked at anew, and starts", async () => {
  const all = await ground.begin();
  all.source.revoke(all.source.token);
  await all.start();
  await all.dispatched();
  expect(await all.startsAskedFor()).toBe(0);
  const { token } = all.source.newAccount();
  await all.connect("source", { ...all.source, token });
  await ground.db.sql.transaction().execute((tx) => noteConnected(tx, all.importId, "source", "importer"));
  await all.move({ type: "connected", side: "source" });
  expect(await all.startsAskedFor()).toBe(1);
  await all.start();
  expect((await all.state())?.status).toBe("migration_in_progress");
  expect(await codesOf(all)).not.toContain("action_required");
  await all.dispatched();
  // While it runs, signing in is for the run alone.
  await all.move({ type: "connected", side: "source" });
  expect(await all.startsAskedFor()).toBe(0);
});

test("a tool that is away is tried again, and after ten minutes a person is told", async () => {
  const all = await ground.begin();
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

test("a tool that comes back in time is begun with", async () => {
  const all = await ground.begin();
  all.destination.weather.begin({ ms: 600_000, status: 503, retryAfterMs: 60_000 });
  await expect(all.start()).rejects.toMatchObject({ code: "unreachable" });
  all.destination.weather.begin({ ms: 0 });
  await all.start();
  expect((await all.state())?.status).toBe("migration_in_progress");
});

test("a bug in a connector is tried again, too, but not for ever", async () => {
  const all = await ground.begin({
    adapt: (connector) => ({ ...connector, check: () => Promise.reject(new TypeError("a bug")) }),
  });
  await expect(all.start()).rejects.toThrow("a bug");
  await all.backdate(11 * 60_000);
  expect(await all.start()).toEqual([]);
  expect(await codesOf(all)).toEqual(["action_required"]);
});

test("a look that takes long does not hold up whoever asks, and goes on meanwhile", async () => {
  const all = await ground.begin({ patienceMs: 100 });
  all.source.weather.setLatency(60);
  await expect(all.start()).rejects.toMatchObject({ code: "under_way" });
  expect((await all.state())?.status).toBe("in_preparation");
  await expect
    .poll(
      async () => {
        await all.start().catch(() => {});
        return (await all.state())?.status;
      },
      { timeout: 90_000 },
    )
    .toBe("migration_in_progress");
  // One look served all these calls.
  expect(all.destination.stats().requests).toBeLessThan(60);
});

test.each([
  ["cancelled", { type: "cancelled" }],
  ["started by somebody else", { type: "full_started" }],
] as const)("%s before it is asked: nothing happens, and no tool is called", async (_, event) => {
  const all = await ground.begin({ destination: { plan: { tickets: 2 } } });
  await all.move(event);
  const before = await all.runsAskedFor();
  expect(await all.start()).toEqual([]);
  expect(await all.runsAskedFor()).toBe(before);
  expect(await all.warnings()).toEqual([]);
  expect(all.source.stats().requests).toBe(0);
});

test.each([
  ["cancelled", { type: "cancelled" }],
  ["started by somebody else", { type: "full_started" }],
] as const)("%s meanwhile: neither started nor complained about", async (_, event) => {
  for (const plan of [{}, { tickets: 2 }]) {
    const all = await ground.begin({ destination: { plan } });
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

test("somebody signs in meanwhile: what was found with the sign-in before is not told", async () => {
  const all = await ground.begin();
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
