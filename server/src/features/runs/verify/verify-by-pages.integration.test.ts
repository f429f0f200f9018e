import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type At,
  type Connector,
  type DestinationStream,
  type FamilyRecord,
  type Io,
  skipRecord,
  type SourceStream,
} from "@portage/connector-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BeginOptions, createRunsFixture } from "../../../../../test/runs/runs-fixture.ts";
import { withPatchedPool } from "../../../../../test/support/patched-pool.ts";
import { standInConnector } from "../../../../../test/tools/stand-in/connector.ts";
import { type StandIn, startStandIn } from "../../../../../test/tools/stand-in/stand-in.ts";
import type { Database } from "../../../platform/db.ts";
import { makeReport } from "../report/report.ts";
import { findReportedRun } from "../report/store-report.ts";

const counts = { tickets: 30, comments: 60, attachments: 12 };

let fixture: Awaited<ReturnType<typeof createRunsFixture>>;
const tools: StandIn[] = [];
beforeAll(async () => {
  fixture = await createRunsFixture();
});
afterAll(async () => {
  for (const tool of tools) await tool.close();
  await fixture.drop();
});

interface Watched {
  /** Which records no page of the check shows. */
  readonly hides?: (id: string) => boolean;
  /** Pages of the check show these as they were once. */
  readonly wasOnce?: (record: FamilyRecord) => FamilyRecord;
  /** Deleted after the copy, though pages still show it. */
  readonly lingers?: string;
  /** The tool refuses the pages that the check asks for. */
  readonly refuses?: boolean;
}

/** A source whose pages are cheaper; tells which comments were read by their ids. */
const watch = ({ hides = () => false, wasOnce = (record) => record, lingers, refuses = false }: Watched) => {
  const byId: string[] = [];
  const connector = standInConnector({
    family: "helpdesk",
    paging: "keyset",
    pageSize: 25,
    cheaperByPages: Object.keys(counts),
  }) as unknown as Connector;
  const comments = (stream: SourceStream): SourceStream => ({
    ...stream,
    readPage: async (io: Io, at: At) => {
      const isCheck = at.copiedOnly === true;
      if (isCheck && refuses) throw skipRecord("refused", "Refused.", 403);
      const page = await stream.readPage(io, at);
      if (!isCheck) return page;
      return { ...page, records: page.records.filter(({ id }) => !hides(id)).map(wasOnce) };
    },
    readIds: async (io: Io, at: At) => {
      const page = await stream.readIds?.(io, at);
      return { next: null, ...page, records: (page?.records ?? []).filter((id) => id !== lingers) };
    },
    readByIds: async (io: Io, ids: readonly string[]) => {
      byId.push(...ids);
      return (await stream.readByIds(io, ids)).filter(({ id }) => id !== lingers);
    },
  });
  const source = (connector.source?.helpdesk ?? []).map((stream) =>
    stream.stream.name === "comments" ? comments(stream) : stream,
  );
  return { connector: { ...connector, source: { helpdesk: source } }, byId };
};

const begin = async (
  watched: Watched = {},
  options: BeginOptions = {},
  comments: (stream: DestinationStream) => DestinationStream = (stream) => stream,
) => {
  const source = await startStandIn({ counts, hostile: false, largeText: 100 });
  const destination = await startStandIn({ seed: "destination" });
  tools.push(source, destination);
  const { connector, byId } = watch(watched);
  const plain = standInConnector({ family: "helpdesk", paging: "keyset" }) as unknown as Connector;
  const to = {
    ...plain,
    destination: {
      helpdesk: (plain.destination?.helpdesk ?? []).map((stream) =>
        stream.stream.name === "comments" ? comments(stream) : stream,
      ),
    },
  };
  const one = await fixture.begin(
    { connector: connector as never, tool: source },
    { connector: to as never, tool: destination },
    options,
  );
  const verified = async () => {
    const run = await findReportedRun(fixture.db, one.importId);
    if (!run) throw new Error("There is no report.");
    const { streams } = makeReport({ importId: one.importId, family: "helpdesk" }, run);
    return Object.fromEntries(
      streams
        .filter(({ stream }) => stream in counts)
        .map(({ stream, written, verified: { compared, same, files } }) => [
          stream,
          { written, compared, same, files: files?.same ?? null },
        ]),
    );
  };
  /** How many rows each check has counted as read. */
  const checked = async () =>
    Object.fromEntries(
      ((await one.partitions()) as { task: string; stream: string; read: number }[])
        .filter(({ task, stream }) => task === "verify" && stream in counts)
        .map(({ stream, read }) => [stream, read]),
    );
  return { ...one, source, byId, verified, checked };
};

const each = (count: number, files: number | null = null) => ({
  written: count,
  compared: count,
  same: count,
  files,
});
const everyCopyOnce = {
  tickets: each(counts.tickets),
  comments: each(counts.comments),
  attachments: each(counts.attachments, counts.attachments),
};

test("what pages settle is not read by its id, and what they do not show is", async () => {
  const one = await begin({ hides: (id) => id === "7" || id === "33" });
  await one.run({ type: "full_started" });
  expect(await one.verified()).toEqual(everyCopyOnce);
  expect(one.byId.toSorted()).toEqual(["33", "7"]);
  expect(await one.checked()).toEqual(counts);
});

test("a page that shows another version than was copied settles nothing", async () => {
  const one = await begin({
    wasOnce: (record) => (record.id === "7" ? { ...record, tags: ["once"] } : record),
  });
  await one.run({ type: "full_started" });
  expect(await one.verified()).toEqual(everyCopyOnce);
  expect(one.byId).toEqual(["7"]);
});

test("what is deleted counts as deleted, though a page shows it", async () => {
  const one = await begin({ lingers: "7" });
  await one.run({ type: "full_started" });
  expect(await one.verified()).toEqual({ ...everyCopyOnce, comments: each(counts.comments - 1) });
  expect(one.byId).toEqual(["7"]);
});

test("a copy that was left behind is judged by its id, though a page shows the version that it has", async () => {
  let isRefused = false;
  const once = new Map<string, FamilyRecord>();
  const one = await begin(
    {
      wasOnce: (record) => {
        const known = once.get(record.id) ?? record;
        once.set(record.id, known);
        return known;
      },
    },
    {},
    (stream) => ({
      ...stream,
      write: (io, batch) =>
        isRefused
          ? Promise.resolve(batch.map(() => ({ kind: "rejected", code: "locked", message: "Locked." })))
          : stream.write(io, batch),
    }),
  );
  await one.run({ type: "full_started" });
  isRefused = true;
  one.source.source.get("comments")?.update("7", { tags: ["later"] });
  await one.run({ type: "delta_started", withinWindow: true });
  expect(await one.verified()).toMatchObject({
    comments: { compared: counts.comments, same: counts.comments - 1 },
  });
});

test("if the tool refuses its pages, every copy is compared by its id", async () => {
  const one = await begin({ refuses: true });
  await one.run({ type: "full_started" });
  expect(await one.verified()).toEqual(everyCopyOnce);
  expect(new Set(one.byId).size).toBe(counts.comments);
});

test("a second run compares what the first one compared", async () => {
  const one = await begin();
  await one.run({ type: "full_started" });
  await one.run({ type: "retry_started", withinWindow: true });
  expect(await one.verified()).toEqual(everyCopyOnce);
});

interface Query {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}
type Ask = () => Promise<unknown>;

/** The statements that mark compared rows go through `change`. */
const marking =
  (change: (query: Query, ask: (query: Query) => Promise<unknown>) => Promise<unknown>) =>
  (db: Database): Database => {
    const query = (...args: readonly [string | Query, ...unknown[]]) => {
      const [asked] = args;
      const ask = (given: unknown) => db.pool.query(given as string);
      return typeof asked !== "string" && asked.name.startsWith("mark-compared")
        ? change(asked, ask)
        : db.pool.query(...(args as unknown as [string]));
    };
    return withPatchedPool(db, { query });
  };

const breaksOff = () => Promise.reject(new Error("The connection was terminated."));

test.each([
  ["before a page is committed", (_: Ask) => breaksOff()],
  ["after a page was committed", (ask: Ask) => ask().then(breaksOff)],
])("an attempt that ends %s leaves nothing out and counts nothing twice", async (_, breakOff) => {
  let asked = 0;
  const database = marking((query, ask) => {
    asked += 1;
    return asked % 2 === 1 ? breakOff(() => ask(query)) : ask(query);
  });
  const one = await begin({}, { database });
  await one.run({ type: "full_started" });
  expect(asked).toBeGreaterThan(5);
  expect(await one.verified()).toEqual(everyCopyOnce);
  expect(await one.checked()).toEqual(counts);
});

test("two attempts at the same check count each copy once", async () => {
  const one = await begin();
  await one.move({ type: "full_started" });
  await one.work(await one.dispatch(), 2);
  expect(await one.status()).toBe("migration_completed");
  expect(await one.verified()).toEqual(everyCopyOnce);
});

test("an attempt whose lease another one has marks and counts nothing", async () => {
  let isOutdated = true;
  const database = marking((query, ask) =>
    ask(isOutdated ? { ...query, values: query.values.with(2, randomUUID()) } : query),
  );
  const one = await begin({}, { database });
  await one.run({ type: "full_started" });
  const { rows } = await fixture.db.pool.query(
    "select from ledger where import_id = $1 and compared is not null",
    [one.importId],
  );
  expect(rows).toEqual([]);
  expect(await one.checked()).toEqual({ tickets: 0, comments: 0, attachments: 0 });
  isOutdated = false;
  while ((await one.status()) !== "migration_completed") {
    await one.work(await one.runs.findOverdue(100));
    await sleep(100);
  }
  expect(await one.verified()).toEqual(everyCopyOnce);
});

test("a run that is paused in the middle of a page rests there, and goes on without counting twice", async () => {
  let pause: (() => Promise<unknown>) | null = null;
  const database = marking(async (query, ask) => {
    if (query.values.includes("attachments")) await pause?.();
    return ask(query);
  });
  const one = await begin({}, { database });
  pause = async () => {
    pause = null;
    await one.move({ type: "pause_requested" });
    await one.dispatch();
  };
  await one.run({ type: "full_started" });
  expect(await one.status()).toBe("migration_in_progress");
  // Files are compared eight at a time.
  expect(await one.checked()).toMatchObject({ attachments: 8 });
  await one.run({ type: "resume_requested" });
  expect(await one.status()).toBe("migration_completed");
  expect(await one.verified()).toEqual(everyCopyOnce);
});

test("without the mark, copies count twice", async () => {
  const database = marking(({ name, text, ...rest }, ask) =>
    ask({
      ...rest,
      name: `${name}-none`,
      text: text.replace("set compared = $7", "set compared = nullif($7::int, $7::int)"),
    }),
  );
  const one = await begin({}, { database });
  await one.run({ type: "full_started" });
  expect(await one.verified()).toMatchObject({ comments: { compared: 2 * counts.comments } });
});
