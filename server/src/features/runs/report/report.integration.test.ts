import type { Connector, Outcome } from "@portage/connector-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refusing } from "../../../../../test/runs/refusing.ts";
import { createRunsFixture } from "../../../../../test/runs/runs-fixture.ts";
import { standInConnector } from "../../../../../test/tools/stand-in/connector.ts";
import { type StandIn, startStandIn } from "../../../../../test/tools/stand-in/stand-in.ts";
import { noCounts } from "../chunk/lease.ts";
import { addsUp, makeReport, type Report, type StreamReport } from "./report.ts";
import { progressOf } from "../progress/progress.ts";
import { listReportRecords } from "./list-report-records.ts";
import { reportCsv } from "./report-csv.ts";
import { createAddressOf, noAddresses } from "./source-address.ts";
import { findReportedRun, type ReportedRun } from "./store-report.ts";

let fixture: Awaited<ReturnType<typeof createRunsFixture>>;
const tools: StandIn[] = [];
beforeAll(async () => {
  fixture = await createRunsFixture();
});
afterAll(async () => {
  await Promise.all(tools.map((tool) => tool.close()));
  await fixture.drop();
});

const counts = {
  users: 4,
  tickets: 50,
  comments: 30,
  contacts: 0,
  organizations: 0,
  groups: 0,
  articles: 0,
  attachments: 0,
};
const connector = standInConnector({
  family: "helpdesk",
  paging: "keyset",
  pageSize: 20,
  settles: "lookup",
}) as never as Connector<never>;

const rejected = (code: string): Outcome => ({
  kind: "rejected",
  code,
  message: '=HYPERLINK("http://evil")',
});

const begin = async (from: Connector<never> = connector) => {
  const source = await startStandIn({ counts, hostile: false, largeText: 100 });
  const destination = await startStandIn({ seed: "destination", upserts: false });
  tools.push(source, destination);
  const refused = new Set(["3", "5"]);
  const picky = refusing(connector, (stream, { id }) =>
    stream === "tickets" && refused.has(id) ? rejected("too_large") : null,
  );
  const people = new Map([
    ["1", { kind: "person", id: "u1" }],
    ["2", { kind: "none" }],
  ] as const);
  const one = await fixture.begin(
    { connector: from, tool: source },
    { connector: picky, tool: destination },
    { mapping: { personFor: ({ id }) => people.get(id as never) ?? { kind: "copy" } }, partitions: 2 },
  );
  const run = async (): Promise<ReportedRun> => {
    const found = await findReportedRun(fixture.db, one.importId);
    if (!found) throw new Error("There is no report.");
    return found;
  };
  const report = async () => makeReport({ importId: one.importId, family: "helpdesk" }, await run());
  const settings = { instanceUrl: source.url, token: source.token };
  const csv = async () => {
    let text = "";
    const addressOf = createAddressOf({ connector, settings }, "helpdesk");
    for await (const piece of reportCsv(fixture.db, one.importId, {
      run: await run(),
      family: "helpdesk",
      addressOf,
    }))
      text += piece;
    return text;
  };
  return { ...one, source, destination, refused, report, reportedRun: run, csv };
};

const streamOf = (report: Report, name: string): StreamReport => {
  const found = report.streams.find(({ stream }) => stream === name);
  if (!found) throw new Error(`${name} is not in the report.`);
  return found;
};
const total = (causes: StreamReport["skipped"]) => causes.reduce((sum, { count }) => sum + count, 0);

describe("a full, a delta and an undo", () => {
  test("accounts for every record of the source, and reports problems of copies with examples", async () => {
    const one = await begin();
    expect(await findReportedRun(fixture.db, one.importId)).toBeUndefined();
    await one.run({ type: "full_started" });
    const full = await one.report();
    expect(addsUp(full)).toBe(true);
    expect(full).toMatchObject({ undone: false, run: { kind: "full", number: 1 } });
    expect(streamOf(full, "users")).toMatchObject({
      label: "Agents",
      source: 4,
      written: 2,
      matched: 1,
      failed: [],
      deletedAtSource: 0,
      skipped: [{ code: "user_unmatched", count: 1, examples: ["2"] }],
    });
    const tickets = streamOf(full, "tickets");
    expect(tickets).toMatchObject({
      source: 50,
      written: 48,
      matched: 0,
      skipped: [],
      failed: [{ code: "too_large", count: 2, examples: ["3", "5"] }],
      verified: { oneOf: 1, compared: 48, same: 48, differs: 0, gone: 0, doubled: 0 },
    });
    expect(tickets.changes).toContainEqual({
      field: "author",
      change: "cleared",
      why: "What it pointed to was not copied.",
      count: expect.any(Number) as number,
    });
    const comments = streamOf(full, "comments");
    expect(comments.source).toBe(30);
    expect(comments.skipped).toEqual([
      { code: "parent_missing", count: total(comments.skipped), examples: expect.any(Array) as [] },
    ]);
    expect(full.streams.filter(({ source }) => source === 0).map(({ stream }) => stream)).toContain(
      "contacts",
    );

    // Meanwhile one is deleted in the source, a copy is edited, one is deleted, one exists twice.
    one.source.source.get("tickets")?.remove("9");
    one.source.source.get("tickets")?.add({
      ...one.source.source.get("tickets")?.find("10"),
      updatedAt: new Date().toISOString(),
    } as never);
    const written = one.destination.written("tickets");
    const [edited, deleted, twice] = [...written.all()];
    if (!edited || !deleted || !twice) throw new Error("nothing was written");
    const silent = { notify: false, keepDates: true, keepAuthor: true };
    written.write({ ...edited, ...silent, record: { ...edited.record, subject: "Mine" } as never });
    written.remove(deleted.id);
    written.write({ ...twice, ...silent, id: null });
    await one.run({ type: "delta_started", withinWindow: true });
    const delta = await one.report();
    expect(addsUp(delta)).toBe(true);
    expect(streamOf(delta, "tickets")).toMatchObject({
      source: 50,
      written: 48,
      deletedAtSource: 1,
      verified: {
        compared: 48,
        same: 46,
        differs: 1,
        gone: 1,
        doubled: 1,
        fields: [{ field: "subject", count: 1 }],
      },
    });
    const { examples } = streamOf(delta, "tickets").verified;
    expect([examples.differs.length, examples.gone.length, examples.doubled.length]).toEqual([1, 1, 1]);
    // Field changes are reported for all written records, not only those of the last run.
    expect(streamOf(delta, "tickets").changes.length).toBeGreaterThan(0);

    await one.run({ type: "undo_started" });
    expect(await one.report()).toMatchObject({ undone: true, run: { kind: "delta" } });
  });

  test("a retry is reported against the previous sweep, and a sample against its choice", async () => {
    const one = await begin();
    await one.run({ type: "full_started" });
    one.source.source.get("tickets")?.remove("5");
    await one.run({ type: "retry_started", withinWindow: true });
    const retried = await one.report();
    expect(addsUp(retried)).toBe(true);
    expect(retried.run).toMatchObject({ kind: "retry_failed", number: 2 });
    expect(streamOf(retried, "tickets")).toMatchObject({
      source: 50,
      skipped: [{ code: "source_deleted", count: 1 }],
      failed: [{ code: "too_large", count: 1 }],
    });

    const other = await begin();
    await fixture.db.pool.query(
      "update imports set status = 'waiting_for_sample', start_full = false where id = $1",
      [other.importId],
    );
    await other.run({ type: "sample_started" });
    const sample = await other.report();
    expect(addsUp(sample)).toBe(true);
    expect(streamOf(sample, "tickets").source).toBe(20);
  });
});

test("a record that the source lists but no longer has is reported as deleted, and adds up", async () => {
  const lists = (name: string) => ({
    ...connector,
    source: {
      helpdesk: (connector.source?.helpdesk ?? []).map((stream) =>
        stream.stream.name !== name
          ? stream
          : {
              ...stream,
              readIds: async (io: never, at: never) => {
                const page = await stream.readPage(io, at);
                return { records: [...page.records.map(({ id }) => id), "x9"], next: page.next };
              },
            },
      ),
    },
  });
  const one = await begin(lists("tickets"));
  await one.run({ type: "full_started" });
  const report = await one.report();
  expect(addsUp(report)).toBe(true);
  expect(streamOf(report, "tickets")).toMatchObject({
    source: 51,
    skipped: [{ code: "source_deleted", count: 1 }],
  });
});

describe("a report that does not add up says so", () => {
  const part = {
    ...noCounts,
    task: "verify",
    stream: "tickets",
    expected: null,
    sweptBy: 1,
    oneOf: 1,
  } as const;
  const run = (tallies: Record<string, number>, swept: Record<string, number> = {}): ReportedRun => ({
    id: "run_x",
    number: 1,
    kind: "full",
    leaf: "",
    undone: false,
    written: [],
    startedAt: new Date(0),
    endedAt: new Date(0),
    parts: [{ ...part, tallies }],
    swept: [{ ...part, task: "sweep", read: 10, tallies: swept }],
  });
  const of = (...args: Parameters<typeof run>) =>
    makeReport({ importId: "imp_x", family: "helpdesk" }, run(...args));

  test.each([
    ["all there", { "count|row|source|written|": 9, "count|row|source|failed|x": 1 }, {}, true],
    ["one lost between the sweep and the check", { "count|row|source|written|": 9 }, {}, false],
    ["one counted twice", { "count|row|source|written|": 11 }, {}, false],
    [
      "one seen in the source and unknown here",
      { "count|row|source|written|": 10 },
      { "count|unaccounted": 1 },
      false,
    ],
    [
      "one that was undone and not copied again",
      { "count|row|source|written|": 9, "count|row|source|undone|": 1 },
      {},
      false,
    ],
    [
      "one more that the source has deleted",
      { "count|row|source|written|": 10, "count|row|deleted|written|": 1 },
      {},
      true,
    ],
  ])("%s", (_, tallies, swept, expected) => {
    expect(addsUp(of(tallies as never, swept as never))).toBe(expected);
  });
});

describe("the list of records", () => {
  test("has every record that was not simply written, with its address, and no formula", async () => {
    const one = await begin();
    await one.run({ type: "full_started" });
    one.source.source.get("tickets")?.remove("9");
    await one.run({ type: "delta_started", withinWindow: true });
    const text = await one.csv();
    const [header, ...lines] = text.trimEnd().split("\r\n");
    expect(header).toBe("stream,source_id,source_address,destination_id,state,reason,explanation");
    const report = await one.report();
    const expected = report.streams.reduce(
      (sum, { matched, skipped, failed, deletedAtSource }) =>
        sum + matched + total(skipped) + total(failed) + deletedAtSource,
      0,
    );
    expect(lines.length).toBe(expected);
    const at = (stream: string, id: string) => `${one.source.url}/show/${stream}/${id}`;
    expect(lines).toContain(
      `users,1,${at("users", "1")},u1,matched,already_there,"This record existed in the new tool already, and got linked."`,
    );
    expect(lines).toContain(
      `users,2,${at("users", "2")},,skipped,user_unmatched,This record could not be matched to anyone in the new tool.`,
    );
    expect(lines).toContain(
      `tickets,3,${at("tickets", "3")},,failed,too_large,"'=HYPERLINK(""http://evil"")"`,
    );
    expect(lines.filter((line) => line.includes(",written,deleted_at_source,"))).toHaveLength(1);
    for (const line of lines) expect(line).not.toMatch(/(^|,)"?[=+@-]/);
  });

  test("goes through rows by page: none missing and none twice, whatever lies between", async () => {
    const one = await begin();
    await one.run({ type: "full_started" });
    const { leaf } = await one.reportedRun();
    // Thousands of fine rows, and one in five hundred that is not.
    await fixture.db.pool.query(
      `insert into ${leaf} (import_id, stream, source_id, state, key_generation, mapping_revision, run_number, swept, reason)
       select $1, 'tickets', 'z' || lpad(n::text, 6, '0'), case when n % 500 = 0 then 4 else 1 end, 1, 0, 1, 1,
         case when n % 500 = 0 then 'too_large' end from generate_series(1, 9000) n`,
      [one.importId],
    );
    const ids = (await one.csv()).split("\r\n").flatMap((line) => /^tickets,(z\d+),/.exec(line)?.[1] ?? []);
    expect(ids).toEqual(
      Array.from({ length: 18 }, (_, index) => `z${String((index + 1) * 500).padStart(6, "0")}`),
    );
  });
});

test("behind every finding of a delta are as many records as it counts", async () => {
  const one = await begin();
  await one.run({ type: "full_started" });
  const source = one.source.source.get("tickets");
  const written = one.destination.written("tickets");
  const copyOf = (id: string) => {
    const copy = [...written.all()].find(({ sourceId }) => sourceId === id);
    if (!copy) throw new Error(`${id} was not written`);
    return copy;
  };
  const silent = { notify: false, keepDates: true, keepAuthor: true };
  const edit = (id: string) => {
    const copy = copyOf(id);
    written.write({ ...copy, ...silent, record: { ...copy.record, subject: "Mine" } as never });
  };
  for (const id of ["10", "11", "12", "13"])
    source?.update(id, { subject: "changed at the source" } as never);
  edit("10");
  written.remove(copyOf("11").id);
  one.refused.add("12");
  edit("13");
  await one.run({ type: "delta_started", withinWindow: true });
  // Of both a finding told: the source has neither any more.
  source?.remove("5");
  source?.remove("13");
  await one.run({ type: "delta_started", withinWindow: true });

  const states = new Set(["failed", "skipped", "matched", "written", "kept"] as const);
  const counted = async () => {
    const summary = (await progressOf(fixture.db, [one.importId], { causes: true })).get(one.importId);
    const run = await one.reportedRun();
    const lines: string[] = [];
    for (const { stream, kind, code, count } of summary?.findings ?? []) {
      if (kind === "changed" || kind === "checked") continue;
      const wanted = {
        run,
        addressOf: noAddresses,
        states,
        finding: kind,
        stream,
        code,
        limit: 100,
        from: null,
      };
      const { records } = await listReportRecords(fixture.db, one.importId, wanted);
      expect(records, `${stream} ${kind} ${code}`).toHaveLength(count);
      lines.push(`${stream} ${kind} ${code} ${count}`);
    }
    return lines;
  };
  expect(await counted()).toEqual(
    expect.arrayContaining([
      "users skipped user_unmatched 1",
      "tickets kept edited_since 1",
      "tickets kept deleted_since 1",
      "tickets failed update_failed 1",
      "tickets failed too_large 1",
    ]),
  );
  await one.run({ type: "undo_started" });
  expect(await counted()).toContain("tickets kept edited_since 2");
});
