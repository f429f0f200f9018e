import {
  type Connector,
  type DestinationStream,
  type FamilyRecord,
  familyStreams,
  type FileBody,
  type Outcome,
  type Write,
} from "@portage/connector-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRunsFixture } from "../../../../../test/runs/runs-fixture.ts";
import {
  type StandInConnectorOptions,
  standInConnector,
} from "../../../../../test/tools/stand-in/connector.ts";
import { type StandIn, startStandIn } from "../../../../../test/tools/stand-in/stand-in.ts";
import { makeReport, type StreamReport } from "../report/report.ts";
import { findReportedRun } from "../report/store-report.ts";

const counts = {
  users: 6,
  contacts: 4,
  organizations: 3,
  groups: 3,
  tickets: 40,
  comments: 60,
  attachments: 12,
};
const files = counts.attachments;

let fixture: Awaited<ReturnType<typeof createRunsFixture>>;
const tools: StandIn[] = [];
beforeAll(async () => {
  fixture = await createRunsFixture();
});
afterAll(async () => {
  for (const tool of tools) await tool.close();
  await fixture.drop();
});

type Change = (write: Write<FamilyRecord>) => Write<FamilyRecord>;
type Losses = Readonly<Record<string, { readonly id: string; readonly change: Change }>>;

const plain = () => standInConnector({ family: "helpdesk", paging: "keyset" }) as unknown as Connector;

/** The check reads a stream by pages first if these cost its tool less. */
const ways = [
  ["by ids", []],
  ["by pages", familyStreams.helpdesk.map(({ name }) => name)],
] as const;

/** From before the family got further fields: it names none of them. */
const earlier = () =>
  standInConnector({ family: "helpdesk", paging: "keyset", holdsAdded: false }) as unknown as Connector;

const destinations = (change: (stream: DestinationStream) => DestinationStream): Connector => {
  const connector = plain();
  return { ...connector, destination: { helpdesk: (connector.destination?.helpdesk ?? []).map(change) } };
};

/** The same tool, but it loses a part of one record of each named stream, and answers as if all were well. */
const losing = (losses: Losses): Connector =>
  destinations((stream) => ({
    ...stream,
    write: (io, batch) => {
      const loss = losses[stream.stream.name];
      const lost = (each: (typeof batch)[number]) => (each.record.id === loss?.id ? loss.change(each) : each);
      return stream.write(io, batch.map(lost));
    },
  }));

const fields =
  (change: Readonly<Record<string, unknown>>): Change =>
  (write) => ({ ...write, record: { ...write.record, ...change } });

/** The same length, and one other byte. */
const flipped = (file: FileBody): FileBody => ({
  ...file,
  async *open() {
    let isFirst = true;
    for await (const chunk of await file.open()) {
      const bytes = Buffer.from(chunk);
      if (isFirst) bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
      isFirst = false;
      yield bytes;
    }
  },
});

interface Beginning {
  readonly hostile?: boolean;
  readonly verifyAtMost?: number;
  readonly from?: Partial<StandInConnectorOptions>;
  readonly more?: Readonly<Record<string, number>>;
}

const beginBy =
  (cheaperByPages: readonly string[]) =>
  async (to: Connector, options: Beginning = {}) => {
    const source = await startStandIn({
      fillsAdded: true,
      counts: { ...counts, ...options.more },
      hostile: options.hostile ?? false,
      largeText: 100,
    });
    const destination = await startStandIn({ seed: "destination" });
    tools.push(source, destination);
    const one = await fixture.begin(
      {
        connector: standInConnector({
          family: "helpdesk",
          paging: "keyset",
          ...options.from,
          cheaperByPages,
        }) as never,
        tool: source,
      },
      { connector: to as never, tool: destination },
      { partitions: 2, ...(options.verifyAtMost ? { verifyAtMost: options.verifyAtMost } : {}) },
    );
    const report = async () => {
      const run = await findReportedRun(fixture.db, one.importId);
      if (!run) throw new Error("There is no report.");
      return makeReport({ importId: one.importId, family: "helpdesk" }, run);
    };
    const streams = async (): Promise<ReadonlyMap<string, StreamReport>> =>
      new Map((await report()).streams.map((stream) => [stream.stream, stream]));
    return { ...one, source, destination, report, streams };
  };

const verifiedOf = async (one: { streams(): Promise<ReadonlyMap<string, StreamReport>> }, stream: string) => {
  const found = (await one.streams()).get(stream);
  if (!found) throw new Error(`${stream} is not in the report.`);
  return found.verified;
};

/** The source id of the first record whose field has a value. */
const idWith = (one: { readonly source: StandIn }, stream: string, field: string): string => {
  for (let id = 1; id <= 60; id += 1) {
    const record = one.source.source.get(stream)?.find(String(id)) as
      | Record<string, unknown>
      | null
      | undefined;
    const value = record?.[field];
    if (value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0))
      return String(id);
  }
  throw new Error(`No record of ${stream} has ${field}.`);
};

describe.each(ways)("a check %s", (_way, cheaperByPages) => {
  const begin = beginBy(cheaperByPages);

  test.each([false, true])(
    "an untouched import gives no false alarm (hostile texts: %s)",
    async (hostile) => {
      const one = await begin(plain(), { hostile });
      await one.run({ type: "full_started" });
      expect(await one.status()).toBe("migration_completed");
      for (const [name, { written, verified }] of await one.streams())
        expect([name, verified]).toEqual([
          name,
          {
            oneOf: 1,
            compared: written,
            same: written,
            differs: 0,
            gone: 0,
            doubled: 0,
            changedAtSource: 0,
            refused: 0,
            fields: [],
            files: name === "attachments" ? { compared: files, same: files, unread: 0 } : null,
            examples: { differs: [], gone: [], doubled: [], changedAtSource: [], refused: [] },
          },
        ]);
    },
  );

  test.each([
    ["a field", "tickets", "description", { description: null }],
    ["a custom field", "tickets", "customFields.color", { customFields: {} }],
    ["an author", "comments", "author", { author: null }],
    ["a date", "tickets", "createdAt", { createdAt: "2001-01-01T00:00:00.000Z" }],
    ["a reference", "tickets", "groupId", { groupId: null }],
    ["an added field", "tickets", "number", { number: null }],
  ] as const)("finds and names %s that the destination lost at write", async (_, stream, field, change) => {
    const losses: Record<string, Losses[string]> = {};
    const one = await begin(losing(losses));
    const id =
      field === "customFields.color"
        ? Array.from({ length: 40 }, (__, index) => String(index + 1)).find(
            (each) => one.source.source.get("tickets")?.find(each)?.customFields.color,
          )
        : idWith(one, stream, field);
    if (!id) throw new Error("No record has it.");
    losses[stream] = { id, change: fields(change) };
    await one.run({ type: "full_started" });
    for (const [name, { verified }] of await one.streams())
      expect([name, verified.differs]).toEqual([name, name === stream ? 1 : 0]);
    const verified = await verifiedOf(one, stream);
    expect(verified).toMatchObject({ differs: 1, gone: 0, changedAtSource: 0, examples: { differs: [id] } });
    expect(verified.fields).toContainEqual({ field, count: 1, examples: [id] });
  });

  test("a destination from before a field was added gets no such field, and the report says what stayed behind", async () => {
    const one = await begin(earlier());
    await one.run({ type: "full_started" });
    expect(await one.status()).toBe("migration_completed");
    const streams = await one.streams();
    for (const [name, { written, verified }] of streams)
      expect([name, verified.same, verified.differs]).toEqual([name, written, 0]);
    const tickets = one.source.source.get("tickets");
    const numbered = Array.from({ length: counts.tickets }, (_, index) =>
      tickets?.find(String(index + 1)),
    ).filter((ticket) => (ticket as { number?: unknown } | null | undefined)?.number);
    expect(numbered.length).toBeGreaterThan(0);
    expect(streams.get("tickets")?.changes).toContainEqual(
      expect.objectContaining({ field: "number", change: "cleared", count: numbered.length }),
    );
    for (const { record } of one.destination.written("tickets").all())
      expect(Object.keys(record)).not.toContain("number");
  });

  const linked = { url: "https://drive.example/plan", size: null };

  test("a link in place of a file is copied and compared by its address, without a call for its bytes", async () => {
    const one = await begin(plain());
    one.source.source.get("attachments")?.update("5", linked as never);
    await one.run({ type: "full_started" });
    const { written, verified } = (await one.streams()).get("attachments") ?? {};
    expect(written).toBe(files);
    expect(verified).toMatchObject({ same: files, files: { compared: files - 1, same: files - 1 } });
    const copies = [...one.destination.written("attachments").all()];
    expect(copies.filter(({ record }) => "url" in record && record.url === linked.url)).toHaveLength(1);
  });

  test("a tool that holds no links gets none, and the report says so", async () => {
    const one = await begin(earlier());
    one.source.source.get("attachments")?.update("5", linked as never);
    await one.run({ type: "full_started" });
    const { written, failed } = (await one.streams()).get("attachments") ?? {};
    expect(written).toBe(files - 1);
    expect(failed).toMatchObject([{ code: "link_not_held", count: 1, examples: ["5"] }]);
  });

  const added = {
    brands: 3,
    macros: 3,
    ticketRelations: 6,
    timeEntries: 8,
    ratings: 5,
    articleCategories: 4,
    articles: 5,
    articleTranslations: 6,
  };

  const later = () =>
    standInConnector({ family: "helpdesk", paging: "keyset", addedStreams: true }) as unknown as Connector;

  test("streams that the family got later are copied and compared", async () => {
    const one = await begin(later(), { from: { addedStreams: true }, more: added });
    await one.run({ type: "full_started" });
    expect(await one.status()).toBe("migration_completed");
    const streams = await one.streams();
    for (const name of Object.keys(added)) {
      const stream = streams.get(name);
      expect([name, stream?.written]).toEqual([name, stream?.source]);
      expect([name, stream?.verified.same]).toEqual([name, stream?.written]);
      expect(stream?.written, name).toBeGreaterThan(0);
    }
  });

  test("a destination from before a stream was added leaves its records behind, and the report says so", async () => {
    const one = await begin(earlier(), { from: { addedStreams: true }, more: added });
    await one.run({ type: "full_started" });
    const { leftBehind, streams } = await one.report();
    const names = Object.keys(added).filter((name) => name !== "articles");
    expect(leftBehind.map(({ stream, code }) => [stream, code])).toEqual(
      expect.arrayContaining(names.map((name) => [name, "not_supported"])),
    );
    for (const { stream } of streams) expect(names).not.toContain(stream);
  });

  test("finds a comment that the destination did not keep", async () => {
    const lost = "3";
    const one = await begin(
      destinations((stream) =>
        stream.stream.name !== "comments"
          ? stream
          : {
              ...stream,
              // Takes it, and drops it.
              write: async (io, batch) => {
                const outcomes = await stream.write(io, batch);
                const at = batch.findIndex(({ record }) => record.id === lost);
                const made = outcomes[at];
                if (made?.kind === "written" && stream.remove)
                  await stream.remove(io, [{ id: made.id, key: batch[at]?.key ?? "" }]);
                return outcomes;
              },
            },
      ),
    );
    await one.run({ type: "full_started" });
    expect(await verifiedOf(one, "comments")).toMatchObject({
      compared: counts.comments,
      same: counts.comments - 1,
      differs: 0,
      gone: 1,
      examples: { gone: [lost] },
    });
  });

  test("finds one byte of one file, by streams and without a declared size", async () => {
    const one = await begin(
      losing({
        attachments: {
          id: "5",
          change: (write) => (write.file ? { ...write, file: flipped(write.file) } : write),
        },
      }),
    );
    await one.run({ type: "full_started" });
    expect(await verifiedOf(one, "attachments")).toMatchObject({
      differs: 1,
      files: { compared: files, same: files - 1, unread: 0 },
      fields: [{ field: "file", count: 1, examples: ["5"] }],
      examples: { differs: ["5"] },
    });
  });

  test("a declared change is no difference, unless the copy has another value than the promised one", async () => {
    const declaring = (isKept: boolean): Connector =>
      destinations((stream) =>
        stream.stream.name !== "tickets"
          ? stream
          : {
              ...stream,
              write: async (io, batch) => {
                const subjects = batch.map(({ record }) => `Copy of ${record.id}`);
                const outcomes = await stream.write(
                  io,
                  batch.map(
                    (each, index) =>
                      ({
                        ...each,
                        record: { ...each.record, subject: isKept ? subjects[index] : "?" },
                      }) as never,
                  ),
                );
                return outcomes.map((outcome, index): Outcome<FamilyRecord> => {
                  const change = {
                    field: "subject",
                    change: "converted",
                    why: "Ours.",
                    becomes: subjects[index],
                  } as const;
                  return outcome.kind === "written" ? { ...outcome, changes: [change] } : outcome;
                });
              },
            },
      );
    const good = await begin(declaring(true));
    await good.run({ type: "full_started" });
    expect(await verifiedOf(good, "tickets")).toMatchObject({ same: counts.tickets, differs: 0 });
    const bad = await begin(declaring(false));
    await bad.run({ type: "full_started" });
    const { fields: found, differs } = await verifiedOf(bad, "tickets");
    expect({ differs, found }).toMatchObject({
      differs: counts.tickets,
      found: [{ field: "subject", count: counts.tickets }],
    });
  });

  test("a record that changed in the source since its copy counts by itself; an edited copy is a difference", async () => {
    const one = await begin(
      destinations((stream) =>
        stream.stream.name !== "tickets"
          ? stream
          : {
              ...stream,
              // The first ticket changes in the source right after it was copied.
              write: async (io, batch) => {
                const outcomes = await stream.write(io, batch);
                one.source.source.get("tickets")?.update("1", { tags: ["meanwhile"] });
                return outcomes;
              },
            },
      ),
    );
    await one.run({ type: "full_started" });
    expect(await verifiedOf(one, "tickets")).toMatchObject({
      compared: counts.tickets - 1,
      differs: 0,
      changedAtSource: 1,
      examples: { changedAtSource: ["1"] },
    });
    const copy = [...one.destination.written("tickets").all()].find(({ sourceId }) => sourceId === "7");
    one.destination.written("tickets").edit(copy?.id ?? "", { tags: ["by hand"] });
    await one.run({ type: "retry_started", withinWindow: true });
    expect(await verifiedOf(one, "tickets")).toMatchObject({
      differs: 1,
      fields: [{ field: "tags", count: 1, examples: ["7"] }],
    });
  });

  test("a copy that was left alone because a person had edited it differs, also from a source that changed", async () => {
    const one = await begin(plain());
    await one.run({ type: "full_started" });
    const copies = one.destination.written("tickets");
    const copy = [...copies.all()].find(({ sourceId }) => sourceId === "7");
    copies.edit(copy?.id ?? "", { tags: ["by hand"] });
    one.source.source.get("tickets")?.update("7", { tags: ["meanwhile"] });
    await one.run({ type: "delta_started", withinWindow: true });
    expect(await verifiedOf(one, "tickets")).toMatchObject({
      differs: 1,
      changedAtSource: 0,
      fields: [{ field: "tags", count: 1, examples: ["7"] }],
    });
  });

  test("a sample of the files is as large as the report says", async () => {
    const one = await begin(plain(), { verifyAtMost: 5 });
    await one.run({ type: "full_started" });
    const { oneOf, compared, files: read } = await verifiedOf(one, "attachments");
    expect(oneOf).toBe(3);
    expect(read).toEqual({ compared, same: compared, unread: 0 });
    expect(compared).toBeLessThan(files);
  });
});
