import { setTimeout as sleep } from "node:timers/promises";
import { ConnectorError, type SourceStream } from "@portage/connector-kit";
import { describe, expect, test } from "vitest";
import { edit, subjectOf, useKinds } from "../../../../../test/runs/kinds-fixture.ts";
import { asItIs } from "../../../../../test/runs/runs-fixture.ts";
import { type Fate, shouting } from "../../../../../test/runs/shouting-fixture.ts";
import { addsUp, makeReport } from "../report/report.ts";
import { findReportedRun } from "../report/store-report.ts";

const { given, ledgerId, database, opened } = useKinds();
type Given = Awaited<ReturnType<typeof given>>;

const reasonOf = async (importId: string, sourceId: string) => {
  const { rows } = await database().query<{ reason: string | null }>(
    "select reason from ledger where import_id = $1 and stream = 'tickets' and source_id = $2",
    [importId, sourceId],
  );
  return rows[0]?.reason;
};

/** What the copy of tickets counted in the last run. */
const counted = async (importId: string) => {
  const { rows } = await database().query<Record<"read" | "updated" | "kept", number>>(
    `select read::int, updated::int, kept::int from partitions where stream = 'tickets' and task = 'copy'
       and run_id = (select id from runs where import_id = $1 order by id desc limit 1)`,
    [importId],
  );
  return rows[0];
};

const reportAddsUp = async (importId: string) => {
  const run = await findReportedRun(opened(), importId);
  if (!run) throw new Error("There is no report.");
  return addsUp(makeReport({ importId, family: "helpdesk" }, run));
};

const change = ({ source }: Given, id: string, subject = "changed") =>
  source.source.get("tickets")?.update(id, { subject } as never);
const delta = ({ one }: Given) => one.run({ type: "delta_started", withinWindow: true });
const retry = ({ one }: Given) => one.run({ type: "retry_started", withinWindow: true });

/** The fates of ticket 7's updates, one after the other. */
const ofSeven = (...fates: Fate[]) =>
  shouting(({ record }) => (record.id === "7" ? (fates.shift() ?? "ok") : "ok"));

/** Reads tickets with a change to each page. */
const reading =
  (changed: (page: Awaited<ReturnType<SourceStream["readPage"]>>) => typeof page) =>
  (stream: SourceStream): SourceStream =>
    stream.stream.name === "tickets"
      ? { ...stream, readPage: async (io, at) => changed(await stream.readPage(io, at)) }
      : stream;

describe("a copy that an update without an answer may have changed stays one, and is never said to be edited,", () => {
  const isFollowed = async (all: Given) => {
    change(all, "7", "changed again");
    await delta(all);
    expect(await reasonOf(all.one.importId, "7")).toBe("maybe_edited");
  };

  test("if the run gives up on it", async () => {
    let tries = 0;
    const connector = shouting(async ({ record }) => {
      if (record.id !== "7") return "ok";
      tries += 1;
      if (tries > 1) return tries === 2 ? "lost" : "ok";
      await database().query(
        "update partitions set failures = 12 where state = 'running' and task = 'copy' and stream = 'tickets'",
      );
      throw new ConnectorError({ recovery: "retry", code: "unavailable", message: "Down." });
    });
    const all = await given({ connector });
    await all.one.run({ type: "full_started" });
    change(all, "7");
    await delta(all);
    expect(await reasonOf(all.one.importId, "7")).toBe("update_failed");
    await isFollowed(all);
  });

  test("if the new tool does not show it for a while", async () => {
    let [id, hidden] = ["", ""];
    const connector = shouting(
      ({ record }) => {
        if (record.id !== "7" || hidden !== "") return "ok";
        hidden = id;
        return "lost";
      },
      { hides: (each) => each === hidden },
    );
    const all = await given({ connector });
    await all.one.run({ type: "full_started" });
    id = await ledgerId(all.one.importId, "7");
    change(all, "7");
    await delta(all);
    expect(await reasonOf(all.one.importId, "7")).toBe("update_failed");
    hidden = "nothing";
    await isFollowed(all);
  });

  test("if the old tool does not show its original for a while", async () => {
    let isHidden: boolean | null = null;
    const connector = shouting(({ record }) => {
      if (record.id !== "7" || isHidden !== null) return "ok";
      isHidden = true;
      return "lost";
    });
    const unreadable = [{ id: "7", code: "not_shown", message: "Not shown." }];
    const all = await given({
      connector,
      reading: reading((page) =>
        isHidden === true && page.records.some(({ id }) => id === "7")
          ? { ...page, records: page.records.filter(({ id }) => id !== "7"), unreadable }
          : page,
      ),
    });
    await all.one.run({ type: "full_started" });
    change(all, "7");
    await delta(all);
    expect(await reasonOf(all.one.importId, "7")).toBe("update_failed");
    isHidden = false;
    await isFollowed(all);
  });
});

test.each(["lost", "dropped"] as const)(
  "a retry whose update has no answer is not forgotten (%s)",
  async (fate) => {
    const all = await given({ connector: ofSeven("refused", fate) });
    await all.one.run({ type: "full_started" });
    change(all, "7");
    await delta(all);
    expect(await reasonOf(all.one.importId, "7")).toBe("update_failed");
    await retry(all);
    expect(subjectOf(all.destination, await ledgerId(all.one.importId, "7"))).toBe("changed");
    expect(await reasonOf(all.one.importId, "7")).toBeNull();
  },
);

test("a person's edit during an update that was refused without an effect stays", async () => {
  let then = () => {};
  let refusals = 0;
  const connector = shouting(({ record }) => {
    if (record.id !== "7" || refusals > 0) return "ok";
    refusals += 1;
    then();
    return "refused";
  });
  const all = await given({ connector });
  await all.one.run({ type: "full_started" });
  const id = await ledgerId(all.one.importId, "7");
  then = () => edit(all.destination, id, { subject: "a person's" });
  for (const each of ["7", "8"]) change(all, each);
  await delta(all);
  await retry(all);
  expect(refusals).toBe(1);
  expect(subjectOf(all.destination, id)).toBe("a person's");
});

test.each([
  ["of ours", false],
  ["that people may have edited", true],
])("many copies %s need not be looked at within one write deadline", async (_, areEdited) => {
  let isDown = false;
  const people = { edit: (id: string): void => void id };
  const connector = shouting(() => (isDown ? "lost" : "ok"), {
    slow: () => sleep(isDown ? 0 : 50),
    afterLost: ({ id }) => people.edit(id ?? ""),
  });
  const all = await given({ connector, times: { leaseMs: 3_000, writeMs: 1_500 } });
  const { one, destination } = all;
  if (areEdited) people.edit = (id) => edit(destination, id, { subject: "a person's" });
  await one.run({ type: "full_started" });
  for (let id = 1; id <= 60; id += 1) change(all, String(id), `changed ${id}`);
  isDown = true;
  await one.move({ type: "delta_started", withinWindow: true });
  const ends = one.dispatch().then((first) => one.work(first));
  const marked = "select 1 from ledger where import_id = $1 and unclear";
  await expect
    .poll(async () => (await database().query(marked, [one.importId])).rowCount)
    .toBeGreaterThan(30);
  isDown = false;
  await ends;
  expect(await one.status()).toBe("migration_completed");
  expect((await database().query(marked, [one.importId])).rowCount).toBe(areEdited ? 60 : 0);
  expect(subjectOf(destination, await ledgerId(one.importId, "60"))).toBe(
    areEdited ? "a person's" : "changed 60",
  );
  expect(await reasonOf(one.importId, "60")).toBe(areEdited ? "maybe_edited" : null);
});

test("a crash marks only what the run would have written", async () => {
  let [revision, crashes] = [1, 0];
  const all = await given({
    connector: shouting(({ record }) => {
      if (record.id !== "7" || crashes > 0) return "ok";
      crashes += 1;
      throw new Error("The process ended.");
    }),
    mapping: () => ({ ...asItIs, revision, differsFrom: () => false }),
  });
  await all.one.run({ type: "full_started" });
  revision = 2;
  change(all, "7");
  await delta(all);
  expect(crashes).toBe(1);
  expect(await counted(all.one.importId)).toEqual({ read: 1, updated: 1, kept: 0 });
});

describe("counts", () => {
  test("a record that is written again and again is read once", async () => {
    let tries = 0;
    const all = await given({
      connector: shouting(({ record }) => {
        if (record.id !== "7") return "ok";
        tries += 1;
        if (tries === 1) change(all, "8", "changed too");
        return tries <= 2 ? "dropped" : "ok";
      }),
    });
    await all.one.run({ type: "full_started" });
    change(all, "7");
    await delta(all);
    expect(await counted(all.one.importId)).toEqual({ read: 2, updated: 2, kept: 0 });
  });

  test("a copy that stays is counted once, however often its page is read", async () => {
    let tries = 0;
    const all = await given({
      connector: shouting(({ record }) => (record.id === "8" && tries++ < 2 ? "dropped" : "ok")),
    });
    await all.one.run({ type: "full_started" });
    edit(all.destination, await ledgerId(all.one.importId, "7"), { subject: "a person's" });
    for (const id of ["7", "8"]) change(all, id);
    await delta(all);
    expect(await counted(all.one.importId)).toEqual({ read: 2, updated: 1, kept: 1 });
  });

  test("the report adds up, if only the sweep comes across such a record", async () => {
    let isMoved = false;
    const all = await given({
      connector: shouting(({ record }) => {
        const isFirst = record.id === "7" && !isMoved;
        isMoved ||= isFirst;
        return isFirst ? "dropped" : "ok";
      }),
      reading: reading((page) =>
        isMoved ? { ...page, records: page.records.filter(({ id }) => id !== "7") } : page,
      ),
    });
    await all.one.run({ type: "full_started" });
    change(all, "7");
    await delta(all);
    expect(isMoved).toBe(true);
    expect(await reportAddsUp(all.one.importId)).toBe(true);
  });
});

test.each(["found_again", "edited_since"])(
  "a sweep ends, though the source lists a hundred records that it does not show by their ids (%s)",
  async (reason) => {
    let calls = 0;
    let isOver = true;
    const { one } = await given({
      reading: (stream) =>
        stream.stream.name === "tickets"
          ? {
              ...stream,
              readByIds: async (io, ids) => {
                if (isOver) return stream.readByIds(io, ids);
                calls += 1;
                if (calls > 40) throw new Error("This goes on for ever.");
                return [];
              },
            }
          : stream,
    });
    await one.run({ type: "full_started" });
    await database().query(
      "update ledger set reason = $2 where import_id = $1 and stream = 'tickets' and state = 1",
      [one.importId, reason],
    );
    isOver = false;
    await one.run({ type: "delta_started", withinWindow: true });
    expect(calls).toBeGreaterThan(0);
    expect(calls).toBeLessThan(20);
  },
);
