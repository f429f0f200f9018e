import {
  type Connector,
  ConnectorError,
  type DestinationStream,
  type SourceStream,
} from "@portage/connector-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { changedFiles } from "../../../../../test/runs/changed-files.ts";
import { type BeginOptions, createRunsFixture } from "../../../../../test/runs/runs-fixture.ts";
import { standInConnector } from "../../../../../test/tools/stand-in/connector.ts";
import type { StandInOptions } from "../../../../../test/tools/stand-in/options.ts";
import { startStandIn } from "../../../../../test/tools/stand-in/stand-in.ts";
import { withoutFences } from "../../../../../test/planted-bugs/with-statements.ts";

let fixture: Awaited<ReturnType<typeof createRunsFixture>>;
beforeAll(async () => {
  fixture = await createRunsFixture();
});
afterAll(() => fixture.drop());

const counts = { users: 5, contacts: 20, tickets: 400, comments: 300 };
const total = 725;

const given = async (options: Partial<StandInOptions>, database?: BeginOptions["database"]) => {
  const source = await startStandIn({ counts, hostile: false, largeText: 100 });
  const destination = await startStandIn({ seed: "destination", upserts: false, ...options });
  const connector = standInConnector({ family: "helpdesk", paging: "keyset", settles: "lookup" }) as never;
  const one = await fixture.begin(
    { connector, tool: source },
    { connector, tool: destination },
    database ? { database } : {},
  );
  return { one, source, destination };
};

describe("writes with an unknown outcome", () => {
  test.each([
    ["took effect, then 500", { errorAfterWrite: 0.1 }],
    ["took effect, then reset", { resetAfterWrite: 0.1 }],
    ["took effect, then silence", { silenceAfterWrite: 0.1 }],
    ["took effect late", { lateEffect: 0.1, lateEffectMs: 300 }],
    ["had no effect", { reset: 0.05, error: 0.05 }],
  ])("%s: nothing lost, nothing twice", async (_, faults) => {
    const { one, destination } = await given({ faults });
    await one.run({ type: "full_started" });
    expect(await one.status()).toBe("migration_completed");
    expect(destination.stats().faults).toBeGreaterThan(1);
    expect(destination.stats()).toMatchObject({ written: total, duplicates: 0 });
    const ledger = await one.ledger();
    expect(ledger.reduce((sum, { n }) => sum + n, 0)).toBe(total);
    expect(ledger.every(({ state }) => state === 1)).toBe(true);
    // What is found after its answer was lost is completed: it counts as created, and nothing was updated.
    const { rows } = await fixture.db.pool.query(
      `select sum(created)::int as created, sum(updated)::int as updated, sum(read)::int as read from partitions
       where import_id = $1 and task = 'copy'`,
      [one.importId],
    );
    expect(rows).toEqual([{ created: total, updated: 0, read: total }]);
  });

  test("without the look for a batch in doubt, duplicates show", async () => {
    const source = await startStandIn({ counts, hostile: false, largeText: 100 });
    const faults = { resetAfterWrite: 0.1 };
    const destination = await startStandIn({ seed: "destination", upserts: false, faults });
    const connector = standInConnector({
      family: "helpdesk",
      paging: "keyset",
      settles: "lookup",
    }) as unknown as Connector<never>;
    const streams = connector.destination?.helpdesk ?? [];
    const blind = {
      ...connector,
      destination: { helpdesk: streams.map((stream) => ({ ...stream, find: async () => new Map() })) },
    };
    const one = await fixture.begin({ connector, tool: source }, { connector: blind, tool: destination });
    await one.run({ type: "full_started" });
    expect(destination.stats().duplicates).toBeGreaterThan(0);
  });
});

test("a file that is gone fails alone: the others of the same call are copied, once", async () => {
  const source = await startStandIn({ counts: { users: 5, tickets: 20, attachments: 60 }, hostile: false });
  const destination = await startStandIn({ seed: "destination", upserts: false });
  const connector = standInConnector({ family: "helpdesk", paging: "keyset", settles: "lookup" });
  const gone = { recovery: "skip-record", code: "not_found", message: "It was deleted." } as const;
  const losing = changedFiles(connector as never, (file, { id }) =>
    id === "7" ? { ...file, open: () => Promise.reject(new ConnectorError(gone)) } : file,
  );
  const one = await fixture.begin(
    { connector: losing, tool: source },
    { connector: connector as never, tool: destination },
  );
  await one.run({ type: "full_started" });
  const files = (await one.ledger()).filter(({ stream }) => stream === "attachments");
  expect(files).toContainEqual({ stream: "attachments", state: 4, reason: "not_found", n: 1 });
  expect(files.reduce((sum, { n }) => sum + n, 0)).toBe(60);
  expect(destination.stats()).toMatchObject({ written: 84, duplicates: 0 });
});

describe("two attempts at once", () => {
  const bothAtOnce = async (database?: BeginOptions["database"]) => {
    const { one, destination } = await given({ latencyMs: 20 }, database);
    await one.move({ type: "full_started" });
    await one.work(await one.dispatch(), 2);
    // A fenced attempt leaves the rest to the sweep.
    for (let round = 0; round < 30 && (await one.status()) !== "migration_completed"; round += 1) {
      await fixture.db.pool.query(
        "update partitions set due_at = now() where import_id = $1 and state = 'running'",
        [one.importId],
      );
      await one.work(await one.runs.findOverdue(100), 2);
    }
    return { one, destination };
  };

  test("the later one fences the earlier", async () => {
    const { one, destination } = await bothAtOnce();
    expect(await one.status()).toBe("migration_completed");
    expect(destination.stats()).toMatchObject({ written: total, duplicates: 0 });
  });

  test("without the lease's token, duplicates show", async () => {
    const { destination } = await bothAtOnce(withoutFences);
    expect(destination.stats().duplicates).toBeGreaterThan(0);
  });
});

test("texts of a tool that PostgreSQL can't store fail no run: not in messages, codes or cursors", async () => {
  const source = await startStandIn({ counts: { users: 5, tickets: 40 }, hostile: false });
  const destination = await startStandIn({ seed: "destination", upserts: false });
  const plain = standInConnector({
    family: "helpdesk",
    paging: "keyset",
    settles: "lookup",
  }) as unknown as Connector;
  const odd = `no\0 ${"😀".slice(0, 1)} ${"😀".repeat(250)}`;
  const reading = {
    ...plain,
    source: {
      helpdesk: (plain.source?.helpdesk ?? []).map(
        (stream): SourceStream => ({
          ...stream,
          readPage: async (io, at) => {
            const page = await stream.readPage(io, at);
            const isTicket = stream.stream.name === "tickets" && at.cursor === null;
            return {
              ...page,
              next: page.next && { ...page.next, odd },
              unreadable: isTicket ? [{ id: "9000", code: "odd", message: odd }] : [],
            };
          },
        }),
      ),
    },
  };
  const writing = {
    ...plain,
    destination: {
      helpdesk: (plain.destination?.helpdesk ?? []).map(
        (stream): DestinationStream => ({
          ...stream,
          write: async (io, batch) =>
            stream.stream.name === "tickets"
              ? batch.map(() => ({ kind: "rejected", code: "refused", message: odd }))
              : stream.write(io, batch),
        }),
      ),
    },
  };
  const one = await fixture.begin(
    { connector: reading as never, tool: source },
    { connector: writing as never, tool: destination },
  );
  await one.run({ type: "full_started" });
  expect(await one.status()).toBe("migration_completed");
  const details = await fixture.db.pool.query<{ detail: string; n: number }>(
    "select detail, count(*)::int as n from ledger where import_id = $1 and detail is not null group by 1 order by 2",
    [one.importId],
  );
  expect(details.rows.map(({ n }) => n)).toEqual([41]);
  expect(details.rows[0]?.detail).toMatch(/^no \ufffd (😀)+\ufffd?$/u);
});
