import { redmine } from "@portage/connectors";
import { type Connector, ConnectorError } from "@portage/connector-kit";
import { createLocalLimiter } from "@portage/connector-kit/http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/database.ts";
import { givenPartner, testRegistry, testSealer } from "../../../../test/support/fixtures.ts";
import { openRedmineDoor, type RedmineDoor } from "../../../../test/support/redmine-door.ts";
import { createOutbound, type Outbound } from "../../platform/outbound/index.ts";
import { connectSide, createImport, disconnectSide, findAnyImport, moveImport } from "../imports/index.ts";
import { createToolRegistry, type ToolRegistry } from "../tools/index.ts";
import { destinationStreams } from "./destination-streams.ts";
import { createOpenSide, type LimitedAccount } from "./open-side.ts";
import { listConnections, markExpired } from "./store.ts";
import { createToolChecks } from "./tool-check.ts";
import { createTrySettings } from "./try-settings.ts";

let db: TestDatabase;
let door: RedmineDoor;
let outbound: Outbound;
const sealer = testSealer();
const registry = testRegistry();
beforeAll(async () => {
  db = await createTestDatabase();
  door = await openRedmineDoor();
  outbound = createOutbound({ allow: [door.host] });
});
afterAll(async () => {
  await outbound.close();
  door.close();
  await db.drop();
});

const givenImport = async () => {
  const { partner } = await givenPartner(db);
  const checkDestination = async () => ({ kind: "not_all_given" }) as const;
  const create = createImport({ db, sealer, registry, checkDestination });
  const made = await create(partner, { source_tool: "redmine", family: "helpdesk" });
  if (made.kind !== "created") throw new Error("not created");
  return made.id;
};

const connect = async (importId: string, token = "right-key") => {
  const trySettings = createTrySettings(registry, createToolChecks(registry, outbound));
  const found = await findAnyImport(db, sealer, importId);
  if (!found) throw new Error("not found");
  const typed = { instanceUrl: door.url, token };
  const outcome = await connectSide({ db, sealer, trySettings })(found, "source", typed);
  expect(outcome.kind).toBe("connected");
};

const asked: LimitedAccount[] = [];
const openWith = (tools: ToolRegistry = registry) => {
  const openSide = createOpenSide({
    db,
    sealer,
    registry: tools,
    transport: outbound,
    limiterFor: (of) => {
      asked.push(of);
      return createLocalLimiter(of.limits, of.concurrency);
    },
  });
  return (importId: string, runId: string | null = "run_1") => openSide({ importId, side: "source", runId });
};
const opened = async (importId: string, open = openWith(), runId?: string | null) => {
  const side = await open(importId, runId);
  if (side.kind !== "open") throw new Error("missing");
  return side;
};
const never = new AbortController().signal;
const stateOf = async (importId: string) => (await listConnections(db, sealer, importId))[0]?.state;

test("a connected side opens with its settings, its key and its account's limits", async () => {
  const importId = await givenImport();
  expect(await openWith()(importId)).toEqual({ kind: "missing" });
  await connect(importId);
  const side = await opened(importId);
  expect(side).toMatchObject({
    connector: { manifest: { name: "redmine" } },
    settings: { instanceUrl: door.url, token: "right-key", textFormat: "textile" },
    accountId: door.host,
  });
  expect(asked.at(-1)).toEqual({
    tool: "redmine",
    instance: door.host,
    accountId: door.host,
    side: "source",
    runId: "run_1",
    limits: [],
    concurrency: 4,
  });
  const before = door.keys.length;
  await side.connector.check(side.io(never));
  expect(door.keys.slice(before)).toEqual(["right-key"]);
});

test("all steps of a run share a session, and a key that gets none is marked as expired", async () => {
  const importId = await givenImport();
  await connect(importId);
  let given = 0;
  let refuses = false;
  const session = async () => {
    if (refuses)
      throw new ConnectorError({ recovery: "reauthorize", code: "unauthorized", message: "No session." });
    given += 1;
    return { "x-redmine-api-key": "right-key" };
  };
  const auth = { ...redmine.manifest.auth, headers: () => ({}), session };
  const tools = createToolRegistry([{ ...redmine, manifest: { ...redmine.manifest, auth } }]);
  const open = openWith(tools);
  for (let step = 0; step < 3; step += 1) {
    const side = await opened(importId, open);
    await side.connector.check(side.io(never));
  }
  expect(given).toBe(1);
  refuses = true;
  const elsewhere = await opened(importId, openWith(tools));
  await expect(elsewhere.connector.check(elsewhere.io(never))).rejects.toMatchObject({
    code: "unauthorized",
  });
  expect(await stateOf(importId)).toBe("expired");
});

test("steps of a run share what connectors keep for some minutes, but no other run, import or newer sign-in does", async () => {
  const [one, other] = [await givenImport(), await givenImport()];
  await connect(one);
  await connect(other);
  const open = openWith();
  const shared = async (importId: string, runId?: string | null) =>
    (await opened(importId, open, runId)).io(never).shared;
  const first = await shared(one);
  expect(first).toBeTypeOf("object");
  expect(await shared(one)).toBe(first);
  expect(await shared(other)).not.toBe(first);
  expect(await shared(one, "run_2")).not.toBe(first);
  expect(await shared(one, null)).toBeUndefined();
  await connect(one);
  expect(await shared(one)).not.toBe(first);
});

test("steps of a run keep what an answer has of other streams, for that run alone", async () => {
  const importId = await givenImport();
  await connect(importId);
  const open = openWith();
  const keptBy = async (runId?: string | null) => (await opened(importId, open, runId)).io(never).kept;
  (await keptBy())?.keep("thread 7", "[]");
  expect((await keptBy("run_2"))?.take("thread 7")).toBeUndefined();
  expect(await keptBy(null)).toBeUndefined();
  expect((await keptBy())?.take("thread 7")).toBe("[]");
});

test("a source is only read: a request that would change it is not sent", async () => {
  const importId = await givenImport();
  await connect(importId);
  const side = await opened(importId);
  const before = door.keys.length;
  await expect(
    side.io(never).http.send({ url: "issues.json", method: "POST", json: {} }),
  ).rejects.toMatchObject({ code: "write_refused" });
  expect(door.keys.length).toBe(before);
});

test("a disconnected or purged side is missing, and none of its data stays", async () => {
  const disconnected = await givenImport();
  const cancelled = await givenImport();
  for (const importId of [disconnected, cancelled]) await connect(importId);
  await disconnectSide(db)(disconnected, "source");
  await moveImport(
    db,
    { type: "cancelled" },
    { importId: cancelled, partnerId: null, actor: { kind: "operator" } },
  );
  for (const importId of [disconnected, cancelled])
    expect(await openWith()(importId)).toEqual({ kind: "missing" });
  const { rows } = await db.pool.query("select from connections where import_id = $1", [cancelled]);
  expect(rows).toEqual([]);
});

test("a cancelled import keeps its credentials until its run has settled", async () => {
  const importId = await givenImport();
  await connect(importId);
  const move = (type: "sample_started" | "cancelled" | "run_done") =>
    moveImport(db, { type }, { importId, partnerId: null, actor: { kind: "system" } });
  await moveImport(
    db,
    { type: "connected", side: "destination" },
    { importId, partnerId: null, actor: { kind: "system" } },
  );
  await move("sample_started");
  await move("cancelled");
  expect((await openWith()(importId)).kind).toBe("open");
  await move("run_done");
  expect(await openWith()(importId)).toEqual({ kind: "missing" });
});

test("a refused sign-in is marked as expired; a newer one is not", async () => {
  const importId = await givenImport();
  await connect(importId);
  const side = await opened(importId);
  expect(await stateOf(importId)).toBe("connected");
  door.refuseAll(true);
  const call = () => side.io(never).http.send({ url: "users/current.json" });
  await expect(call()).rejects.toMatchObject({ recovery: "reauthorize" });
  expect(await stateOf(importId)).toBe("expired");
  door.refuseAll(false);
  await connect(importId, "second-right-key");
  expect(await stateOf(importId)).toBe("connected");
  door.refuseAll(true);
  await expect(call()).rejects.toMatchObject({ recovery: "reauthorize" });
  door.refuseAll(false);
  expect(await stateOf(importId)).toBe("connected");
  const again = await opened(importId);
  expect(again.revision).toBe(side.revision + 1);
  expect(await markExpired(db.sql, { importId, side: "source" }, side.revision)).toBe(false);
});

test("a sealed key of one import does not open in another", async () => {
  const one = await givenImport();
  const two = await givenImport();
  for (const importId of [one, two]) await connect(importId);
  await db.pool.query(
    "update connections set settings = (select settings from connections where import_id = $1) where import_id = $2",
    [one, two],
  );
  await expect(openWith()(two)).rejects.toMatchObject({ code: "not_authentic" });
  await db.pool.query("update connections set side = 'destination' where import_id = $1", [one]);
  const openSide = createOpenSide({
    db,
    sealer,
    registry,
    transport: outbound,
    limiterFor: ({ limits, concurrency }) => createLocalLimiter(limits, concurrency),
  });
  await expect(openSide({ importId: one, side: "destination", runId: null })).rejects.toMatchObject({
    code: "not_authentic",
  });
});

const newer = (settings: z.ZodType) => {
  const connector = { ...redmine, manifest: { ...redmine.manifest, settings } } as unknown as Connector;
  return createToolRegistry([connector]);
};

test("a newer connector's defaults apply; a new required setting expires the connection", async () => {
  const importId = await givenImport();
  await connect(importId);
  const shape = redmine.manifest.settings as unknown as z.ZodObject;
  const withDefault = newer(shape.extend({ pace: z.string().default("gentle") }));
  expect((await opened(importId, openWith(withDefault))).settings).toMatchObject({ pace: "gentle" });
  expect(await stateOf(importId)).toBe("connected");
  const withMore = newer(shape.extend({ pace: z.string() }));
  expect(await openWith(withMore)(importId)).toEqual({ kind: "missing" });
  expect(await stateOf(importId)).toBe("expired");
});

test("the streams of an instance are cached, but a failure is not", async () => {
  const importId = await givenImport();
  await connect(importId);
  expect(await destinationStreams(await opened(importId), "helpdesk", never)).toBe(
    redmine.destination?.helpdesk,
  );
  let calls = 0;
  const some = redmine.destination?.helpdesk?.slice(0, 1) ?? [];
  const offering = {
    ...redmine,
    offers: async () => {
      calls += 1;
      if (calls === 1) throw new Error("not now");
      return { helpdesk: some };
    },
  } as unknown as Connector;
  const open = openWith(createToolRegistry([offering]));
  await expect(destinationStreams(await opened(importId, open), "helpdesk", never)).rejects.toThrow(
    "not now",
  );
  for (const _ of [1, 2])
    expect(await destinationStreams(await opened(importId, open), "helpdesk", never)).toBe(some);
  expect(await destinationStreams(await opened(importId, open), "crm", never)).toEqual([]);
  expect(calls).toBe(2);
  await connect(importId);
  await destinationStreams(await opened(importId, open), "helpdesk", never);
  expect(calls).toBe(3);
});
