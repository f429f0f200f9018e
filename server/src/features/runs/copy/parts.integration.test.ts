import {
  type Connector,
  ConnectorError,
  type DestinationStream,
  type FamilyRecord,
  type SourceStream,
} from "@portage/connector-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRunsFixture } from "../../../../../test/runs/runs-fixture.ts";
import { standInConnector } from "../../../../../test/tools/stand-in/connector.ts";
import type { Faults } from "../../../../../test/tools/stand-in/options.ts";
import { type StandIn, startStandIn } from "../../../../../test/tools/stand-in/stand-in.ts";
import { addsUp, makeReport } from "../report/report.ts";
import { findReportedRun } from "../report/store-report.ts";

const counts = {
  users: 4,
  contacts: 4,
  organizations: 2,
  groups: 2,
  tickets: 30,
  comments: 90,
  attachments: 30,
};

let fixture: Awaited<ReturnType<typeof createRunsFixture>>;
const tools: StandIn[] = [];
beforeAll(async () => {
  fixture = await createRunsFixture();
});
afterAll(async () => {
  for (const tool of tools) await tool.close();
  await fixture.drop();
});

interface Given {
  readonly source?: (stream: SourceStream) => Partial<SourceStream>;
  readonly perParent?: Readonly<Record<string, string>>;
  readonly faults?: Partial<Faults>;
  /** How long the destination's look-up misses a new record. */
  readonly findLagMs?: number;
  /** Called after each write of tickets. */
  readonly onTickets?: () => void;
}

/** An import into a tool that takes comments and files together with their ticket. */
const begin = async (given: Given = {}) => {
  const { source: change = () => ({}), perParent = {}, faults, findLagMs = 0, onTickets } = given;
  const source = await startStandIn({ counts, hostile: false, largeText: 100, fileBytes: 2_000 });
  const destination = await startStandIn({ seed: "destination", upserts: false, findLagMs });
  tools.push(source, destination);
  if (faults) destination.weather.setFaults({ ...destination.weather.faults(), ...faults });
  const from = standInConnector({ family: "helpdesk", paging: "keyset", perParent }) as unknown as Connector;
  const to = standInConnector({
    family: "helpdesk",
    paging: "keyset",
    settles: "lookup",
    findLagMs,
    takes: { tickets: ["comments", "attachments"] },
  }) as unknown as Connector;
  /** How many records of a stream were written by themselves. */
  const alone: Record<string, { created: number; updated: number }> = {};
  const watch = (stream: DestinationStream): DestinationStream => ({
    ...stream,
    write: async (io, batch) => {
      const own = (alone[stream.stream.name] ??= { created: 0, updated: 0 });
      for (const { id } of batch) own[id === null ? "created" : "updated"] += 1;
      const outcomes = await stream.write(io, batch);
      if (stream.stream.name === "tickets") onTickets?.();
      return outcomes;
    },
  });
  const one = await fixture.begin(
    {
      connector: {
        ...from,
        source: {
          helpdesk: (from.source?.helpdesk ?? []).map((stream) => ({ ...stream, ...change(stream) })),
        },
      } as never,
      tool: source,
    },
    {
      connector: { ...to, destination: { helpdesk: (to.destination?.helpdesk ?? []).map(watch) } } as never,
      tool: destination,
    },
    { partitions: 2 },
  );
  const report = async () => {
    const run = await findReportedRun(fixture.db, one.importId);
    if (!run) throw new Error("There is no report.");
    return makeReport({ importId: one.importId, family: "helpdesk" }, run);
  };
  const reported = async (name: string) => (await report()).streams.find(({ stream }) => stream === name);
  const rows = (name: string) => [...destination.written(name).all()];
  const created = async (stream: string) => {
    const { rows: sums } = await fixture.db.pool.query<{ n: number }>(
      "select sum(created)::int as n from partitions where import_id = $1 and stream = $2",
      [one.importId, stream],
    );
    return sums[0]?.n;
  };
  return { ...one, source, destination, alone, report, reported, rows, created };
};

const expectWhole = async (one: Awaited<ReturnType<typeof begin>>) => {
  expect(addsUp(await one.report())).toBe(true);
  for (const stream of ["tickets", "comments", "attachments"] as const) {
    expect(one.rows(stream).length).toBe(counts[stream]);
    expect(one.destination.written(stream).duplicates()).toBe(0);
    const reported = await one.reported(stream);
    expect(reported).toMatchObject({ source: counts[stream], written: counts[stream], failed: [] });
    expect(reported?.verified).toMatchObject({ differs: 0, gone: 0, doubled: 0, same: counts[stream] });
    expect([stream, await one.created(stream)]).toEqual([stream, counts[stream]]);
  }
};

test.each([
  ["which lists the parts of several records", {}],
  ["which lists comments per ticket", { comments: "tickets" }],
])("comments and files come with their ticket, from a tool %s", async (_, perParent) => {
  const one = await begin({ perParent });
  await one.run({ type: "full_started" });
  await expectWhole(one);
  expect(one.alone["comments"]).toBeUndefined();
  const ids = new Set(one.rows("tickets").map(({ id }) => id));
  for (const { record } of one.rows("comments"))
    expect(ids.has((record as FamilyRecord & { ticketId: string }).ticketId)).toBe(true);
  expect(one.destination.stats().mails).toBe(0);
});

test("an answer that is lost makes no part twice", async () => {
  const one = await begin({ faults: { resetAfterWrite: 0.3, errorAfterWrite: 0.2 } });
  await one.run({ type: "full_started" });
  await expectWhole(one);
});

test("a look-up that shows new records late makes no part twice", async () => {
  const one = await begin({ findLagMs: 1_500 });
  await one.run({ type: "full_started" });
  await expectWhole(one);
  expect(one.alone["comments"]).toBeUndefined();
});

test("a comment that changes after its ticket was written is brought up to date", async () => {
  let edits = 0;
  const one = await begin({
    onTickets: () => {
      edits += 1;
      if (edits === 1) one.source.source.get("comments")?.update("7", { tags: ["edited-meanwhile"] });
    },
  });
  await one.run({ type: "full_started" });
  await expectWhole(one);
  expect(one.alone["comments"]).toEqual({ created: 0, updated: 1 });
  expect(one.rows("comments").find(({ sourceId }) => sourceId === "7")?.record.tags).toEqual([
    "edited-meanwhile",
  ]);
});

test("a file that can't be read costs its ticket nothing", async () => {
  const broken = "3";
  const one = await begin({
    source: (stream) =>
      stream.stream.kind === "file"
        ? {
            openFile: async (io, record) => {
              const file = await stream.openFile?.(io, record);
              if (!file) throw new Error("no file");
              if (record.id !== broken) return file;
              const open = () => {
                throw new ConnectorError({
                  recovery: "skip-record",
                  code: "file_gone",
                  message: "The old tool lost this file.",
                });
              };
              return { ...file, open };
            },
          }
        : {},
  });
  await one.run({ type: "full_started" });
  expect(addsUp(await one.report())).toBe(true);
  expect(await one.reported("tickets")).toMatchObject({ written: counts.tickets, failed: [] });
  expect(await one.reported("attachments")).toMatchObject({
    written: counts.attachments - 1,
    failed: [{ code: "file_gone", count: 1 }],
  });
});

test("parts that an earlier run brought are found under that run's keys, though it did not get to note them", async () => {
  const one = await begin();
  await one.run({ type: "full_started" });
  const before = one.alone["comments"];
  await fixture.db.pool.query(
    "delete from ledger where import_id = $1 and stream in ('comments', 'attachments')",
    [one.importId],
  );
  await one.run({ type: "delta_started", withinWindow: true });
  expect(addsUp(await one.report())).toBe(true);
  for (const stream of ["tickets", "comments", "attachments"] as const) {
    expect(one.rows(stream).length).toBe(counts[stream]);
    expect(one.destination.written(stream).duplicates()).toBe(0);
    expect((await one.reported(stream))?.verified).toMatchObject({ differs: 0, gone: 0, doubled: 0 });
  }
  expect([before, one.alone["comments"]?.created]).toEqual([undefined, 0]);
});

test("an undo removes what came with a ticket", async () => {
  const one = await begin();
  await one.run({ type: "full_started" });
  await one.run({ type: "undo_started" });
  for (const stream of ["tickets", "comments", "attachments"]) expect(one.rows(stream)).toEqual([]);
});
