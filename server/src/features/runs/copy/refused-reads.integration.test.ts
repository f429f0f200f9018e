import { type At, type Connector, ConnectorError, type SourceStream } from "@portage/connector-kit";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRunsFixture } from "../../../../../test/runs/runs-fixture.ts";
import { standInConnector } from "../../../../../test/tools/stand-in/connector.ts";
import { startStandIn } from "../../../../../test/tools/stand-in/stand-in.ts";
import { addsUp, makeReport } from "../report/report.ts";
import { findReportedRun } from "../report/store-report.ts";

let fixture: Awaited<ReturnType<typeof createRunsFixture>>;
beforeAll(async () => {
  fixture = await createRunsFixture();
});
afterAll(() => fixture.drop());

const refusal = (status: number, code: string) =>
  new ConnectorError({ recovery: "skip-record", code, message: `The old tool answered ${status}.`, status });
const tooLarge = () => refusal(200, "too_large");

type Read = SourceStream["readPage"];
type ReadIds = SourceStream["readByIds"];

type Explain = NonNullable<SourceStream["unreadableAmong"]>;

interface Change {
  readonly stream: string;
  readonly perParent?: boolean;
  readonly readPage?: (read: Read) => Read;
  readonly readByIds?: (read: ReadIds) => ReadIds;
  readonly unreadableAmong?: Explain;
  /** The tool can't list ids from a place in the list. */
  readonly withoutIds?: boolean;
}

const counts = { users: 5, tickets: 130, comments: 90 };

const given = async (change: Change) => {
  const source = await startStandIn({ counts, hostile: false, largeText: 100 });
  const destination = await startStandIn({ seed: "destination", upserts: false });
  const options = { family: "helpdesk", paging: "keyset", settles: "lookup", slices: false } as const;
  const plain = standInConnector(options) as unknown as Connector;
  const perParent = change.perParent ? { comments: "tickets" } : {};
  const base = standInConnector({ ...options, perParent }) as unknown as Connector;
  const changed = (stream: SourceStream): SourceStream => {
    const { readIds: _, ...withoutIds } = stream;
    return {
      ...(change.withoutIds ? withoutIds : stream),
      readPage: change.readPage?.(stream.readPage) ?? stream.readPage,
      readByIds: change.readByIds?.(stream.readByIds) ?? stream.readByIds,
      ...(change.unreadableAmong && { unreadableAmong: change.unreadableAmong }),
    };
  };
  const connector = {
    ...base,
    source: {
      helpdesk: (base.source?.helpdesk ?? []).map((stream) =>
        stream.stream.name === change.stream ? changed(stream) : stream,
      ),
    },
  };
  const one = await fixture.begin(
    { connector: connector as never, tool: source },
    { connector: plain as never, tool: destination },
  );
  const failed = async () =>
    (
      await fixture.db.pool.query<{ id: string; reason: string }>(
        "select source_id as id, reason from ledger where import_id = $1 and state = 4 order by 1",
        [one.importId],
      )
    ).rows;
  const report = async () => {
    const run = await findReportedRun(fixture.db, one.importId);
    if (!run) throw new Error("There is no report.");
    return makeReport({ importId: one.importId, family: "helpdesk" }, run);
  };
  return { one, destination, failed, report };
};

const all = counts.users + counts.tickets + counts.comments;

test("a page that is too large is read in smaller ones", async () => {
  const sizes = new Set<number | undefined>();
  const { one, destination, failed } = await given({
    stream: "tickets",
    readPage: (read) => async (io, at: At) => {
      sizes.add(at.size);
      const page = await read(io, at);
      if (page.records.length > 1 && page.records.some(({ id }) => id === "57")) throw tooLarge();
      return page;
    },
  });
  await one.run({ type: "full_started" });
  expect(await one.status()).toBe("migration_completed");
  expect(destination.stats()).toMatchObject({ written: all, duplicates: 0 });
  expect(await failed()).toEqual([]);
  expect(sizes).toEqual(new Set([undefined, 10, 1]));
});

test("one record that is too large is set aside; all others are copied", async () => {
  const { one, destination, failed, report } = await given({
    stream: "tickets",
    readPage: (read) => async (io, at) => {
      const page = await read(io, at);
      if (page.records.some(({ id }) => id === "57")) throw tooLarge();
      return page;
    },
    readByIds: (read) => async (io, ids) => {
      if (ids.includes("57")) throw tooLarge();
      return read(io, ids);
    },
  });
  await one.run({ type: "full_started" });
  expect(await one.status()).toBe("migration_completed");
  const lost = (await failed()).map(({ id, reason }) => `${id} ${reason}`);
  expect(lost).toEqual(["57 too_large_to_read"]);
  expect(destination.stats()).toMatchObject({ duplicates: 0 });
  const { streams } = await report();
  expect(streams.find(({ stream }) => stream === "tickets")).toMatchObject({ source: 130, written: 129 });
  expect(addsUp({ streams })).toBe(true);
});

test("an id that comes twice on a page has one outcome: that of its record, if there is one", async () => {
  const bad = (id: string) => ({ id, code: "bad_date", message: "The date is no date." });
  const { one, destination, failed, report } = await given({
    stream: "tickets",
    readPage: (read) => async (io, at) => {
      const page = await read(io, at);
      if (!page.records.some(({ id }) => id === "57")) return page;
      return {
        ...page,
        records: page.records.filter(({ id }) => id !== "57"),
        unreadable: [bad("57"), bad("57"), bad("58")],
      };
    },
  });
  await one.run({ type: "full_started" });
  expect(await one.status()).toBe("migration_completed");
  expect(await failed()).toEqual([{ id: "57", reason: "bad_date" }]);
  expect(destination.stats()).toMatchObject({ duplicates: 0 });
  const { rows } = await fixture.db.pool.query(
    `select sum(p.read)::int as read, sum(p.failed)::int as failed from partitions p join runs r on r.id = p.run_id
     where r.import_id = $1 and p.stream = 'tickets' and p.task = 'copy'`,
    [one.importId],
  );
  expect(rows).toEqual([{ read: counts.tickets, failed: 1 }]);
  const { streams } = await report();
  expect(streams.find(({ stream }) => stream === "tickets")).toMatchObject({
    source: 130,
    written: 129,
    failed: [{ code: "bad_date", count: 1 }],
  });
  expect(addsUp({ streams })).toBe(true);
});

test("a retry tells what can't be read, or has another id by now, from what is gone", async () => {
  let isMended = false;
  const bad = (id: string, code: string) => ({ id, code, message: "Mend it." });
  // As in a table: 57 can't be used, 58 has no key, 59 is there at first.
  const rows = new Map([
    ["57", bad("57", "bad_date")],
    ["58", bad("row-58", "no_key")],
    ["59", bad("59", "bad_date")],
  ]);
  const { one, destination, failed, report } = await given({
    stream: "tickets",
    withoutIds: true,
    readPage: (read) => async (io, at) => {
      const page = await read(io, at);
      const isBad = ({ id }: { id: string }) => rows.has(id) && !(isMended && id === "58");
      return {
        ...page,
        records: page.records.filter((record) => !isBad(record)),
        unreadable: page.records.filter(isBad).map(({ id }) => rows.get(id) ?? bad(id, "")),
      };
    },
    readByIds: (read) => async (io, ids) =>
      (await read(io, ids)).filter(({ id }) => id !== "57" && id !== "59"),
    unreadableAmong: async (_, ids) =>
      ids.flatMap((id) => {
        if (id === "57") return [bad(id, "bad_number")];
        return id === "row-58" ? [{ ...bad(id, "id_changed"), elsewhere: true }] : [];
      }),
  });
  const ofTickets = async () => (await report()).streams.find(({ stream }) => stream === "tickets");
  await one.run({ type: "full_started" });
  expect((await failed()).map(({ id, reason }) => `${id} ${reason}`)).toEqual([
    "57 bad_date",
    "59 bad_date",
    "row-58 no_key",
  ]);
  isMended = true;
  await one.run({ type: "retry_started", withinWindow: true });
  expect((await failed()).map(({ id, reason }) => `${id} ${reason}`)).toEqual([
    "57 bad_number",
    "row-58 id_changed",
  ]);
  expect(await ofTickets()).toMatchObject({
    source: 130,
    written: 127,
    failed: [
      { code: "bad_number", count: 1 },
      { code: "id_changed", count: 1 },
    ],
    skipped: [{ code: "source_deleted", count: 1, examples: ["59"] }],
  });
  // The record comes under its new id, and the old one is none of the source's any more.
  rows.delete("59");
  await one.run({ type: "delta_started", withinWindow: true });
  const after = await ofTickets();
  expect(after).toMatchObject({ source: 130, failed: [{ code: "bad_number", count: 1, examples: ["57"] }] });
  expect(addsUp({ streams: after ? [after] : [] })).toBe(true);
  expect(destination.stats()).toMatchObject({ duplicates: 0 });
});

test("the records of a parent that the tool does not show are set aside together, and a retry reads them", async () => {
  let isShown = false;
  let hidden: string | null = null;
  const { one, destination, failed, report } = await given({
    stream: "comments",
    perParent: true,
    readPage: (read) => async (io, at) => {
      const page = await read(io, at);
      if (page.records.length > 1) hidden ??= at.parentId;
      if (at.parentId === hidden && !isShown) throw refusal(403, "forbidden");
      return page;
    },
    withoutIds: true,
  });
  await one.run({ type: "full_started" });
  expect(await one.status()).toBe("migration_completed");
  expect(await failed()).toEqual([{ id: `tickets/${hidden}/*`, reason: "not_shown" }]);
  const { written } = destination.stats();
  expect(written).toBeLessThan(all);
  expect(addsUp(await report())).toBe(true);
  await one.run({ type: "retry_started", withinWindow: true });
  expect(await failed()).toEqual([{ id: `tickets/${hidden}/*`, reason: "not_shown" }]);
  isShown = true;
  await one.run({ type: "retry_started", withinWindow: true });
  expect(await failed()).toEqual([]);
  expect(destination.stats()).toMatchObject({ written: all, duplicates: 0 });
});

test("a kind of record that the account may not read is left out, and the report says so", async () => {
  const { one, destination, report } = await given({
    stream: "comments",
    readPage: () => async () => {
      throw refusal(403, "forbidden");
    },
  });
  await one.run({ type: "full_started" });
  expect(await one.status()).toBe("migration_completed");
  expect(destination.stats()).toMatchObject({ written: counts.users + counts.tickets });
  const { leftBehind, streams } = await report();
  expect(leftBehind.filter(({ code }) => code === "not_allowed")).toMatchObject([
    { stream: "comments", count: null },
  ]);
  expect(streams.map(({ stream }) => stream)).not.toContain("comments");
});

test("a list that can't be continued fails the run soon, not after a day", async () => {
  const { one } = await given({
    stream: "tickets",
    readPage: (read) => async (io, at) => {
      if (at.cursor !== null) throw refusal(400, "rejected");
      return read(io, at);
    },
    withoutIds: true,
  });
  await one.run({ type: "full_started" });
  expect(await one.status()).toBe("in_preparation");
  const { rows } = await fixture.db.pool.query("select failure_code from runs where import_id = $1", [
    one.importId,
  ]);
  expect(rows).toEqual([{ failure_code: "rejected" }]);
});

test("a record that ends its process each time is set aside; everything else is copied", async () => {
  let ended = Promise.withResolvers<null>();
  // As if the process had ended: no answer, no error, no hand-over.
  const end = () => {
    ended.resolve(null);
    return new Promise<never>(() => {});
  };
  const { one, destination, failed, report } = await given({
    stream: "tickets",
    readPage: (read) => async (io, at) => {
      const page = await read(io, at);
      return page.records.some(({ id }) => id === "57") ? end() : page;
    },
    readByIds: (read) => async (io, ids) => (ids.includes("57") ? end() : read(io, ids)),
  });
  await one.move({ type: "full_started" });
  const { signal } = new AbortController();
  const attempts = new Map<string, number>();
  let open = [...(await one.dispatch())];
  while (open.length > 0) {
    const [chunk, ...rest] = open;
    if (!chunk) break;
    const key = `${chunk.partition}/${chunk.generation}`;
    attempts.set(key, (attempts.get(key) ?? 0) + 1);
    ended = Promise.withResolvers();
    const work = one.runs.workChunk(chunk, { signal });
    // What the process was writing by then takes effect, as it would.
    const done = await Promise.race([work, ended.promise.then(() => wait(1_500, null))]);
    open = done ? [...rest, ...done.send] : [...rest, chunk];
  }
  expect(await one.status()).toBe("migration_completed");
  expect(Math.max(...attempts.values())).toBeLessThan(25);
  expect(await failed()).toEqual([{ id: "57", reason: "set_aside" }]);
  expect(destination.stats()).toMatchObject({ duplicates: 0 });
  expect(addsUp(await report())).toBe(true);
});
