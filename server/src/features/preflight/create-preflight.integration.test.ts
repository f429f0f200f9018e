import { type Connector, type DestinationStream, ConnectorError } from "@portage/connector-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPreflightFixture } from "../../../../test/runs/preflight-fixture.ts";
import { emptyMapping, hasFacts, loadFacts, saveMapping } from "../mapping/index.ts";
import { ensureLedgerMonth } from "../runs/index.ts";
import type { Preflight } from "./preflight.ts";

let fixture: Awaited<ReturnType<typeof createPreflightFixture>>;
beforeAll(async () => {
  fixture = await createPreflightFixture();
});
afterAll(() => fixture.drop());

const blocks = ({ findings }: Preflight) => findings.filter(({ level }) => level === "blocks");
const codes = ({ findings }: Preflight) => findings.map(({ code }) => code);

/** The destination with changed streams. */
const adaptStreams =
  (change: (streams: readonly DestinationStream[]) => readonly DestinationStream[]) =>
  (connector: Connector): Connector => ({
    ...connector,
    destination: { helpdesk: change(connector.destination?.helpdesk ?? []) },
  });

test("two working tools have no blocking finding; the facts are stored, and gathered once", async () => {
  const all = await fixture.begin();
  const first = await all.preflight();
  expect(blocks(first)).toEqual([]);
  expect(codes(first)).not.toContain("may_notify");
  expect(codes(first)).not.toContain("left_behind");
  expect(codes(first)).not.toContain("not_checked");
  expect(first.estimate).toMatchObject({ records: 15, durationMs: null });
  expect(await hasFacts(fixture.db, all.importId)).toBe(true);
  const before = all.source.stats().requests;
  expect(await all.preflight()).toEqual(first);
  const again = all.source.stats().requests - before;
  expect(again).toBeLessThan(before);
  expect(all.destination.stats()).toMatchObject({ written: 0 });
});

describe("the sides", () => {
  test("a refused sign-in", async () => {
    const all = await fixture.begin();
    all.source.revoke(all.source.token);
    const found = await all.preflight();
    expect(found).toMatchObject({
      findings: [{ code: "sign_in_refused", level: "blocks", side: "source", fix: expect.any(String) }],
      estimate: null,
    });
  });

  test("a sign-in without permission", async () => {
    const all = await fixture.begin();
    all.destination.weather.begin({ ms: 60_000, status: 403 });
    expect((await all.preflight()).findings).toMatchObject([
      { code: "no_permission", level: "blocks", side: "destination" },
    ]);
  });

  test("a tool that is down, on both sides", async () => {
    const all = await fixture.begin();
    await Promise.all([all.source.close(), all.destination.close()]);
    expect((await all.preflight()).findings).toMatchObject([
      { code: "unreachable", level: "blocks", side: "source" },
      { code: "unreachable", level: "blocks", side: "destination" },
    ]);
  });

  test("a tool that never answers is unreachable, not unchecked", async () => {
    const all = await fixture.begin({ withinMs: 300 });
    all.source.weather.setLatency(5_000);
    expect((await all.preflight()).findings).toMatchObject([{ code: "unreachable", side: "source" }]);
  });

  test("an address where something else answers", async () => {
    const all = await fixture.begin({
      adapt: (connector) => ({
        ...connector,
        check: async ({ http }) => {
          await http.send({ url: "nothing/here" });
          throw new Error("not reached");
        },
      }),
    });
    expect((await all.preflight()).findings).toMatchObject([{ code: "wrong_address", side: "destination" }]);
  });

  test("a side that is not connected", async () => {
    const all = await fixture.begin();
    await fixture.db.pool.query("delete from connections where import_id = $1 and side = 'source'", [
      all.importId,
    ]);
    expect((await all.preflight()).findings).toMatchObject([{ code: "not_connected", side: "source" }]);
  });
});

describe("streams", () => {
  test("an unreadable stream blocks, unless it is not selected", async () => {
    // A tool that has the records of another family answers 404 for each stream of this one.
    const all = await fixture.begin({ source: { family: "content" } });
    const found = await all.preflight();
    expect(blocks(found).map(({ code }) => code)).toContain("cannot_read");
    expect(blocks(found)).toContainEqual(
      expect.objectContaining({ code: "cannot_read", stream: "tickets", side: "source" }),
    );
    await saveMapping(fixture.db, all.importId, {
      mapping: { ...emptyMapping, selection: { ...emptyMapping.selection, streams: ["users"] } },
      based: 0,
      actor: "customer",
    });
    const streams = blocks(await all.preflight()).map(({ stream }) => stream);
    expect(streams).not.toContain("tickets");
  });

  test("a stream that the destination does not take is counted if it is selected", async () => {
    const all = await fixture.begin({
      adapt: adaptStreams((streams) => streams.filter(({ stream }) => stream.name !== "comments")),
    });
    expect((await all.preflight()).findings).toContainEqual(
      expect.objectContaining({ code: "left_behind", level: "warns", stream: "comments", count: 7 }),
    );
    await saveMapping(fixture.db, all.importId, {
      mapping: { ...emptyMapping, selection: { ...emptyMapping.selection, streams: ["users", "tickets"] } },
      based: 0,
      actor: "customer",
    });
    expect(codes(await all.preflight())).not.toContain("left_behind");
  });

  test("a stream that may notify people is reported if it has records", async () => {
    const all = await fixture.begin({
      adapt: adaptStreams((streams) => streams.map((each) => ({ ...each, guarantees: ["backdates"] }))),
    });
    const noisy = (await all.preflight()).findings.filter(({ code }) => code === "may_notify");
    expect(noisy.map(({ stream, count }) => [stream, count])).toEqual([
      ["users", 3],
      ["tickets", 5],
      ["comments", 7],
    ]);
  });
});

describe("streams that an undo could not remove", () => {
  const withoutRemove = (...names: string[]) =>
    adaptStreams((streams) =>
      streams.map((each) => {
        const { remove: _, ...rest } = each;
        return names.includes(each.stream.name) ? rest : each;
      }),
    );

  test("none, if the tool removes every stream, directly or with its parent", async () => {
    expect((await (await fixture.begin()).preflight()).stays).toEqual([]);
    const all = await fixture.begin({ adapt: withoutRemove("comments") });
    expect((await all.preflight()).stays).toEqual([]);
  });

  test("a stream that is selected, has records and can't be removed", async () => {
    const all = await fixture.begin({ adapt: withoutRemove("tickets", "contacts") });
    const named = (await all.preflight()).stays?.map(({ stream }) => stream);
    expect(named).toEqual(["tickets"]);
    await saveMapping(fixture.db, all.importId, {
      mapping: { ...emptyMapping, selection: { ...emptyMapping.selection, streams: ["users"] } },
      based: 0,
      actor: "customer",
    });
    expect((await all.preflight()).stays).toEqual([]);
  });

  test("unknown, if a tool could not be asked", async () => {
    const all = await fixture.begin();
    all.source.revoke(all.source.token);
    expect((await all.preflight()).stays).toBeNull();
  });
});

describe("plans", () => {
  test("records beyond the capacity block, records that just fit do not", async () => {
    const full = await fixture.begin({ destination: { plan: { tickets: 4, comments: 7 } } });
    expect(blocks(await full.preflight())).toMatchObject([
      { code: "no_room", side: "destination", stream: "tickets", count: 1 },
    ]);
    const fits = await fixture.begin({ destination: { plan: { tickets: 5 } } });
    expect(blocks(await fits.preflight())).toEqual([]);
  });

  test("with a date range the number of records is unknown, so the finding only warns", async () => {
    const all = await fixture.begin({ destination: { plan: { tickets: 4 } } });
    const selection = { ...emptyMapping.selection, createdFrom: "2020-01-01T00:00:00Z" };
    await saveMapping(fixture.db, all.importId, {
      mapping: { ...emptyMapping, selection },
      based: 0,
      actor: "customer",
    });
    const found = await all.preflight();
    expect(blocks(found)).toEqual([]);
    expect(codes(found)).toContain("no_room");
  });

  test("people who are not copied need no capacity", async () => {
    const all = await fixture.begin({ destination: { plan: { users: 1 } } });
    expect(blocks(await all.preflight())).toMatchObject([{ code: "no_room", stream: "users" }]);
    const facts = await loadFacts(fixture, all.importId);
    const choices = Object.fromEntries(
      (facts?.people.source ?? []).map(({ person }) => [person.id, { to: "nobody" as const }]),
    );
    await saveMapping(fixture.db, all.importId, {
      mapping: { ...emptyMapping, people: { ...emptyMapping.people, choices } },
      based: 0,
      actor: "customer",
    });
    expect(blocks(await all.preflight())).toEqual([]);
  });

  test("records that are there already need no capacity", async () => {
    const all = await fixture.begin({ destination: { plan: { tickets: 4 } } });
    await fixture.db.pool.query("update imports set full_copy = 'part' where id = $1", [all.importId]);
    expect(blocks(await all.preflight())).toHaveLength(1);
    await ensureLedgerMonth(fixture.db, new Date());
    await fixture.db.pool.query(
      `insert into ledger (import_id, stream, source_id, state, dest_id, mapping_revision, key_generation, run_number)
       values ($1, 'tickets', '1', 1, 'a', 0, 1, 1)`,
      [all.importId],
    );
    expect(blocks(await all.preflight())).toEqual([]);
  });
});

test("a copy that takes more than a day at the account's limit is reported", async () => {
  const slow = await fixture.begin({ requestsPerMinute: 0.01 });
  const found = await slow.preflight();
  expect(codes(found)).toContain("takes_long");
  expect(found.estimate?.durationMs).toBeGreaterThan(24 * 3_600_000);
  const fast = await fixture.begin({ requestsPerMinute: 600 });
  const quick = await fast.preflight();
  expect(codes(quick)).not.toContain("takes_long");
  expect(quick.estimate?.durationMs).toBeGreaterThan(0);
});

test("parts that were not checked in time are reported as such", async () => {
  const all = await fixture.begin({ withinMs: 1_000 });
  all.source.weather.setLatency(400);
  const found = await all.preflight();
  expect(found.findings).toContainEqual(
    expect.objectContaining({ code: "not_checked", level: "warns", side: null }),
  );
  expect(blocks(found)).toEqual([]);
});

test("a tool that fails in the middle of the checks is unreachable", async () => {
  const failing = await fixture.begin({
    adapt: adaptStreams((streams) =>
      streams.map((each) => ({
        ...each,
        remainingCapacity: async () => {
          throw new ConnectorError({
            recovery: "retry",
            code: "unavailable",
            status: 503,
            message: "New Desk is out of order.",
          });
        },
      })),
    ),
  });
  expect(blocks(await failing.preflight())).toMatchObject([{ code: "unreachable", side: "destination" }]);
});
