import type { Connector, FamilyRecord, SourceStream } from "@portage/connector-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRunsFixture } from "../../../../../test/runs/runs-fixture.ts";
import { standInConnector } from "../../../../../test/tools/stand-in/connector.ts";
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
  attachments: 0,
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

type Comment = FamilyRecord & { readonly ticketId: string };

const withStreams = (
  connector: Connector,
  change: (stream: SourceStream) => Partial<SourceStream>,
): Connector => ({
  ...connector,
  source: {
    helpdesk: (connector.source?.helpdesk ?? []).map((stream) => ({ ...stream, ...change(stream) })),
  },
});

/** An import whose comments are read per ticket, after its full run. */
const begin = async (change: (stream: SourceStream) => Partial<SourceStream> = () => ({})) => {
  const source = await startStandIn({ counts, largeText: 100 });
  const destination = await startStandIn({ seed: "destination" });
  tools.push(source, destination);
  /** The tickets whose comments were asked for. */
  const asked = new Set<string>();
  let calls = 0;
  const plain = () => standInConnector({ family: "helpdesk", paging: "keyset" }) as unknown as Connector;
  const perTicket = standInConnector({
    family: "helpdesk",
    paging: "keyset",
    perParent: { comments: "tickets" },
    changesWithParent: ["comments"],
  }) as unknown as Connector;
  const watched = withStreams(perTicket, (stream) => ({
    ...(stream.stream.name === "comments" && {
      readPage: (io, at) => {
        calls += 1;
        asked.add(at.parentId ?? "");
        return stream.readPage(io, at);
      },
      readIds: async (io, at) => {
        calls += 1;
        asked.add(at.parentId ?? "");
        return (await stream.readIds?.(io, at)) ?? { records: [], next: null };
      },
    }),
    ...change(stream),
  }));
  const one = await fixture.begin(
    { connector: watched as never, tool: source },
    { connector: plain() as never, tool: destination },
    { partitions: 2 },
  );
  await one.run({ type: "full_started" });
  const fullCalls = calls;
  asked.clear();
  const rows = (name: string) => {
    const found = source.source.get(name);
    if (!found) throw new Error(`There is no stream ${name}.`);
    return found;
  };
  const comment = (id: string) => {
    const found = rows("comments").find(id) as Comment | null;
    if (!found) throw new Error(`There is no comment ${id}.`);
    return found;
  };
  let touches = 0;
  const touch = (ticketId: string) => {
    touches += 1;
    rows("tickets").update(ticketId, { tags: [`touched-${touches}`] });
  };
  const delta = async () => {
    await one.run({ type: "delta_started", withinWindow: true });
    const run = await findReportedRun(fixture.db, one.importId);
    if (!run) throw new Error("There is no report.");
    const report = makeReport({ importId: one.importId, family: "helpdesk" }, run);
    const of = (name: string) => report.streams.find(({ stream }) => stream === name);
    return { report, comments: of("comments"), tickets: of("tickets") };
  };
  const copies = () => [...destination.written("comments").all()];
  return { ...one, source, destination, rows, comment, touch, delta, asked, fullCalls, copies };
};

test("a delta asks only for the comments of tickets that changed, and finds every change", async () => {
  const one = await begin();
  const [added, changed, removed, untouched] = ["1", "2", "3", "4"].map((id) => one.comment(id));
  if (!added || !changed || !removed || !untouched) throw new Error("no comments");
  const now = new Date().toISOString();
  one.rows("comments").add({ ...added, createdAt: now, updatedAt: now, tags: ["new"] });
  one.rows("comments").update(changed.id, { tags: ["changed"] });
  one.rows("comments").remove(removed.id);
  const touched = [...new Set([added, changed, removed].map(({ ticketId }) => ticketId))];
  for (const id of touched) one.touch(id);

  const { report, comments } = await one.delta();

  expect(one.asked).toEqual(new Set(touched));
  expect(addsUp(report)).toBe(true);
  expect(comments).toMatchObject({ source: 90, written: 90, deletedAtSource: 1, failed: [], skipped: [] });
  expect(comments?.verified).toMatchObject({ differs: 0, gone: 0, doubled: 0 });
  const tagsOf = (id: string) => one.copies().find(({ sourceId }) => sourceId === id)?.record.tags;
  expect([tagsOf("91"), tagsOf(changed.id)]).toEqual([["new"], ["changed"]]);
});

test("a delta without changes asks for no comments and still counts all of them", async () => {
  const one = await begin();
  const { report, comments } = await one.delta();
  expect(one.asked.size).toBe(0);
  expect(addsUp(report)).toBe(true);
  expect(comments).toMatchObject({ source: 90, written: 90, deletedAtSource: 0 });
});

test("the comments of a deleted ticket count as deleted without a call for them", async () => {
  const one = await begin();
  const { ticketId } = one.comment("5");
  const gone = Array.from({ length: 90 }, (_, index) => String(index + 1)).filter(
    (id) => one.comment(id).ticketId === ticketId,
  );
  for (const id of gone) one.rows("comments").remove(id);
  one.rows("tickets").remove(ticketId);

  const { report, comments, tickets } = await one.delta();

  expect(addsUp(report)).toBe(true);
  expect(tickets).toMatchObject({ source: 29, deletedAtSource: 1 });
  expect(comments).toMatchObject({ source: 90 - gone.length, deletedAtSource: gone.length });
});

test("the comments of a ticket that only the sweep finds are copied", async () => {
  const late = "31";
  const one = await begin((stream) =>
    stream.stream.name === "tickets"
      ? {
          // A list of changes that passes one over, as with a ticket that was restored with its old date.
          readPage: async (io, at) => {
            const page = await stream.readPage(io, at);
            return { ...page, records: page.records.filter(({ id }) => id !== late) };
          },
        }
      : {},
  );
  const now = new Date().toISOString();
  one
    .rows("tickets")
    .add({ ...(one.rows("tickets").find("1") as FamilyRecord), createdAt: now, updatedAt: now });
  one.rows("comments").add({ ...one.comment("1"), ticketId: late, updatedAt: now } as FamilyRecord);

  const { report, comments, tickets } = await one.delta();

  expect(addsUp(report)).toBe(true);
  expect(tickets).toMatchObject({ source: 31, written: 31 });
  expect(comments).toMatchObject({ source: 91, written: 91 });
  expect(one.asked).toEqual(new Set([late]));
});

test("a full run reads each ticket's comments to their end, without reading any again", async () => {
  const { fullCalls, comment } = await begin();
  const ids = Array.from({ length: counts.comments }, (_, index) => String(index + 1));
  const commented = new Set(ids.map((id) => comment(id).ticketId)).size;
  // Once for the copy and once for the sweep: all comments of a ticket, if it has any, and an empty page.
  expect(fullCalls).toBe(2 * (commented + counts.tickets));
});
