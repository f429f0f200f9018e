import type { Connector, DestinationStream, FamilyRecord, SourceStream } from "@portage/connector-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asItIs, createRunsFixture } from "../../../../../test/runs/runs-fixture.ts";
import { standInConnector } from "../../../../../test/tools/stand-in/connector.ts";
import { type StandIn, startStandIn } from "../../../../../test/tools/stand-in/stand-in.ts";
import { addsUp, makeReport } from "../report/report.ts";
import type { RunMapping } from "../index.ts";
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

/** Its date is in the future: every list of changes has it. */
const always = "4";

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

type Change = (stream: SourceStream) => Partial<SourceStream>;

interface Given {
  /** Tickets that the destination refuses. */
  readonly refused?: ReadonlySet<string>;
  /** Before the full run. */
  readonly prepare?: (source: StandIn) => void;
  readonly mapping?: () => RunMapping;
}

/** An import whose comments are read per ticket, after its full run. */
const begin = async (change: Change = () => ({}), { refused, prepare, mapping }: Given = {}) => {
  const source = await startStandIn({ counts, largeText: 100 });
  const destination = await startStandIn({ seed: "destination" });
  tools.push(source, destination);
  prepare?.(source);
  /** The tickets whose comments were asked for. */
  const asked = new Set<string>();
  let calls = 0;
  const plain = standInConnector({ family: "helpdesk", paging: "keyset" }) as unknown as Connector;
  const refusing: Connector = {
    ...plain,
    destination: {
      helpdesk: (plain.destination?.helpdesk ?? []).map(
        (stream): DestinationStream => ({
          ...stream,
          write: async (io, batch) => {
            const refuses = ({ record }: { record: FamilyRecord }) =>
              stream.stream.name === "tickets" && refused?.has(record.id) === true;
            const taken = await stream.write(
              io,
              batch.filter((write) => !refuses(write)),
            );
            const outcomes = taken.values();
            return batch.map((write) =>
              refuses(write)
                ? { kind: "rejected", code: "refused", message: "Not now." }
                : (outcomes.next().value ?? { kind: "unknown", why: "no answer" }),
            );
          },
        }),
      ),
    },
  };
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
    { connector: refusing as never, tool: destination },
    { partitions: 2, ...(mapping ? { mapping } : {}) },
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

  expect(one.asked).toEqual(new Set([...touched, always]));
  expect(addsUp(report)).toBe(true);
  expect(comments).toMatchObject({ source: 90, written: 90, deletedAtSource: 1, failed: [], skipped: [] });
  expect(comments?.verified).toMatchObject({ differs: 0, gone: 0, doubled: 0 });
  const tagsOf = (id: string) => one.copies().find(({ sourceId }) => sourceId === id)?.record.tags;
  expect([tagsOf("91"), tagsOf(changed.id)]).toEqual([["new"], ["changed"]]);
});

test("a delta without changes asks for no comments of other tickets and still counts all of them", async () => {
  const one = await begin();
  const { report, comments } = await one.delta();
  expect([...one.asked]).toEqual([always]);
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
  expect(one.asked).toEqual(new Set([late, always]));
});

test("a full run reads each ticket's comments to their end, without reading any again", async () => {
  const { fullCalls, comment } = await begin();
  const ids = Array.from({ length: counts.comments }, (_, index) => String(index + 1));
  const commented = new Set(ids.map((id) => comment(id).ticketId)).size;
  // Once for the copy and once for the sweep: all comments of a ticket, if it has any, and an empty page.
  expect(fullCalls).toBe(2 * (commented + counts.tickets));
});

type Begun = Awaited<ReturnType<typeof begin>>;

/** A comment comes to a ticket, which the list of changes then has. */
const comment = (one: Pick<Begun, "rows" | "comment" | "touch">, ticketId: string) => {
  const now = new Date().toISOString();
  one.rows("comments").add({ ...one.comment("1"), ticketId, tags: ["late"], updatedAt: now } as FamilyRecord);
  one.touch(ticketId);
};

const expectLate = (one: Begun, { report, comments }: Awaited<ReturnType<Begun["delta"]>>) => {
  expect(one.copies().filter(({ record }) => JSON.stringify(record.tags) === '["late"]')).toHaveLength(1);
  expect(addsUp(report)).toBe(true);
  expect(comments).toMatchObject({ source: 91, written: 91, failed: [], skipped: [] });
};

describe("a delta finds the comments of a ticket whose last version another write has copied", () => {
  test("a delta that was stopped before the comments", async () => {
    let stop: (() => Promise<void>) | null = null;
    const one = await begin((stream) =>
      stream.stream.name === "comments"
        ? {
            readPage: async (io, at) => {
              await stop?.();
              return stream.readPage(io, at);
            },
          }
        : {},
    );
    comment(one, one.comment("5").ticketId);
    stop = async () => {
      stop = null;
      await one.move({ type: "stop_requested" });
      await one.dispatch();
    };
    await one.run({ type: "delta_started", withinWindow: true });
    expect(stop).toBeNull();
    expect(one.copies()).toHaveLength(counts.comments);
    expectLate(one, await one.delta());
  });

  test("a retry", async () => {
    const refused = new Set(["3"]);
    const one = await begin(undefined, { refused });
    comment(one, "3");
    refused.clear();
    await one.run({ type: "retry_started", withinWindow: true });
    expectLate(one, await one.delta());
  });

  test("the link step of the full run", async () => {
    let meanwhile: ((source: StandIn) => void) | null = null;
    let tool: StandIn | null = null;
    const linked = "3";
    const one = await begin(
      (stream) =>
        stream.stream.name === "tickets"
          ? {
              readByIds: async (io, ids) => {
                if (tool && ids.includes(linked)) meanwhile?.(tool);
                return stream.readByIds(io, ids);
              },
            }
          : {},
      {
        prepare: (source) => {
          tool = source;
          source.source.get("tickets")?.update(linked, { mergedInto: "20" } as never);
          meanwhile = ({ source: streams }) => {
            meanwhile = null;
            const now = new Date().toISOString();
            const first = streams.get("comments")?.find("1") as FamilyRecord;
            streams
              .get("comments")
              ?.add({ ...first, ticketId: linked, tags: ["late"], updatedAt: now } as never);
            streams.get("tickets")?.update(linked, { tags: ["touched"] });
          };
        },
      },
    );
    expect(meanwhile).toBeNull();
    expectLate(one, await one.delta());
  });
});

test("a delta that is the first to take comments asks for those of every ticket", async () => {
  let chosen = false;
  const one = await begin(undefined, {
    mapping: () => ({ ...asItIs, includes: (stream) => chosen || stream !== "comments" }),
  });
  expect(one.copies()).toEqual([]);
  chosen = true;
  const { report, comments } = await one.delta();
  expect(addsUp(report)).toBe(true);
  expect(comments).toMatchObject({ source: 90, written: 90, failed: [], skipped: [] });
});
