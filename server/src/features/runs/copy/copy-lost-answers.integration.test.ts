import type { DestinationStream, FamilyRecord, Outcome, SourceStream } from "@portage/connector-kit";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { copiesOf, plain, subjectOf, total, useKinds } from "../../../../../test/runs/kinds-fixture.ts";
import { asItIs } from "../../../../../test/runs/runs-fixture.ts";
import { losing } from "../../../../../test/runs/losing-fixture.ts";
import { stateName } from "../ledger/row-state.ts";
import { addsUp, makeReport } from "../report/report.ts";
import { findReportedRun } from "../report/store-report.ts";

const { given, ledgerId, database, opened } = useKinds();

const ledgerRow = async (importId: string, sourceId: string) => {
  const { rows } = await database().query<{ reason: string | null; state: number }>(
    "select reason, state from ledger where import_id = $1 and stream = 'tickets' and source_id = $2",
    [importId, sourceId],
  );
  return rows[0];
};

/** As a run leaves records to whose writes it got no answer. */
const giveUp = async (importId: string, sourceIds: readonly string[]) => {
  const { rowCount } = await database().query(
    `update ledger set state = 4, reason = 'in_doubt', dest_id = null, source_hash = null, dest_hash = null
     where import_id = $1 and stream = 'tickets' and source_id = any($2)`,
    [importId, sourceIds],
  );
  expect(rowCount).toBe(sourceIds.length);
};

const reasonOf = async (importId: string, sourceId: string) => (await ledgerRow(importId, sourceId))?.reason;

describe("an update that took effect without an answer, in a tool that converts what it gets", () => {
  const changeTwice = async (isUntouched?: (id: string) => boolean) => {
    const lost = new Set<string>();
    const connector = losing({
      loses: ({ id }) => id !== null && !lost.has(id) && Boolean(lost.add(id)),
      ...(isUntouched ? { isUntouched } : {}),
    });
    const { one, source, destination } = await given({ connector });
    await one.run({ type: "full_started" });
    const copy = await ledgerId(one.importId, "7");
    lost.clear();
    for (const subject of ["changed once", "changed twice"]) {
      source.source.get("tickets")?.update("7", { subject } as never);
      await one.run({ type: "delta_started", withinWindow: true });
      expect(lost).toContain(copy);
    }
    return { one, destination, copy };
  };

  test("a copy reported as untouched keeps being updated", async () => {
    const { one, destination, copy } = await changeTwice(() => true);
    expect(subjectOf(destination, copy)).toBe("changed twice");
    expect(await reasonOf(one.importId, "7")).toBeNull();
    expect(destination.stats().duplicates).toBe(0);
  });

  test.each([
    ["reported as untouched goes with an undo", true, "undone"],
    ["reported as edited stays after an undo", false, "kept"],
  ])("the copy %s", async (_, isUntouched, state) => {
    const lost = new Set<string>();
    let untouched = false;
    const connector = losing({
      loses: ({ id }) => id !== null && !lost.has(id) && Boolean(lost.add(id)),
      isUntouched: () => untouched,
    });
    const { one, source } = await given({ connector });
    await one.run({ type: "full_started" });
    source.source.get("tickets")?.update("7", { subject: "changed once" } as never);
    await one.run({ type: "delta_started", withinWindow: true });
    untouched = isUntouched;
    await one.run({ type: "undo_started" });
    const row = await ledgerRow(one.importId, "7");
    expect(row && stateName(row.state)).toBe(state);
  });

  test.each([
    ["without such a report", undefined],
    ["reported as edited", () => false],
  ])("the copy %s is left alone, and that is reported", async (_, isUntouched) => {
    const { one, destination, copy } = await changeTwice(isUntouched);
    expect(subjectOf(destination, copy)).toBe("changed once");
    expect(await reasonOf(one.importId, "7")).toBe("maybe_edited");
  });
});

describe("a copy found again after its answer was lost", () => {
  const half = "half of it";
  const copyByHalves = () => {
    const lost = new Set<string>();
    return losing({
      loses: ({ id, record, key }) =>
        id === null && record.id === "7" && !lost.has(key) && Boolean(lost.add(key)),
      half: (record) => ({ ...record, subject: half }) as typeof record,
    });
  };

  /** Ticket 7 moves while its list is read: only the sweep sees it. */
  const skipping = (stream: SourceStream): SourceStream =>
    stream.stream.name === "tickets"
      ? {
          ...stream,
          readPage: async (io, at) => {
            const page = await stream.readPage(io, at);
            return { ...page, records: page.records.filter(({ id }) => id !== "7") };
          },
        }
      : stream;

  test.each([
    ["", (stream: SourceStream) => stream],
    ["by the sweep ", skipping],
  ])("is written once more %s: it may be incomplete", async (_, reading) => {
    const { one, source, destination } = await given({ connector: copyByHalves(), reading });
    await one.run({ type: "full_started" });
    const copied = subjectOf(destination, await ledgerId(one.importId, "7"));
    expect(copied).not.toBe(half);
    expect(source.source.get("tickets")?.find("7")).toMatchObject({ subject: copied });
    expect(
      copiesOf(destination, "tickets").filter(({ record }) => JSON.stringify(record).includes(half)),
    ).toEqual([]);
    expect(await reasonOf(one.importId, "7")).toBeNull();
    expect(destination.stats()).toMatchObject({ written: total, duplicates: 0 });
    const run = await findReportedRun(opened(), one.importId);
    if (!run) throw new Error("There is no report.");
    expect(addsUp(makeReport({ importId: one.importId, family: "helpdesk" }, run))).toBe(true);
  });
});

test("a record that the tool has already, by a write of ours, is completed: the answer says nothing of its fields", async () => {
  const connector = plain();
  let searches = 0;
  const made: { id?: string } = {};
  const streams = (connector.destination?.helpdesk ?? []).map((stream): DestinationStream => {
    if (stream.stream.name !== "tickets") return stream;
    return {
      ...stream,
      find: async (io, asked) => {
        const found = await stream.find(io, asked);
        const missed = asked.find(({ key }) => made.id !== undefined && found.get(key)?.includes(made.id));
        searches += missed ? 1 : 0;
        // The first search does not show it yet.
        return missed && searches === 1 ? new Map([...found, [missed.key, []]]) : found;
      },
      write: async (io, batch) => {
        const outcomes: Outcome<FamilyRecord>[] = [];
        for (const write of batch) {
          const isIt = write.record.id === "7" && write.id === null;
          if (isIt && made.id !== undefined) outcomes.push({ kind: "matched", id: made.id });
          else {
            const record = isIt ? { ...write.record, subject: "half of it" } : write.record;
            const [outcome] = await stream.write(io, [{ ...write, record }]);
            if (isIt && outcome?.kind === "written") made.id = outcome.id;
            outcomes.push(isIt || !outcome ? { kind: "unknown", why: "The answer was lost." } : outcome);
          }
        }
        return outcomes;
      },
    };
  });
  const { one, source, destination } = await given({
    connector: { ...connector, destination: { helpdesk: streams } },
  });
  await one.run({ type: "full_started" });
  expect(searches).toBeGreaterThan(2);
  expect(await ledgerId(one.importId, "7")).toBe(made.id);
  expect(source.source.get("tickets")?.find("7")).toMatchObject({
    subject: subjectOf(destination, made.id ?? ""),
  });
  expect(await reasonOf(one.importId, "7")).toBeNull();
  expect(destination.stats()).toMatchObject({ written: total, duplicates: 0 });
});

test("a person who was matched, and is copied now without an answer, is copied once", async () => {
  const connector = plain();
  let lost = 0;
  const streams = (connector.destination?.helpdesk ?? []).map((stream): DestinationStream => {
    if (stream.stream.name !== "users") return stream;
    return {
      ...stream,
      write: async (io, batch) => {
        const outcomes = await stream.write(io, batch);
        return outcomes.map((outcome, index) => {
          if (batch[index]?.record.id !== "2" || lost > 0) return outcome;
          lost += 1;
          return { kind: "unknown", why: "The answer was lost." };
        });
      },
    };
  });
  let matched = true;
  const { one, source, destination } = await given({
    connector: { ...connector, destination: { helpdesk: streams } },
    mapping: () => ({
      ...asItIs,
      revision: matched ? 1 : 2,
      personFor: ({ stream, id }) =>
        matched && stream === "users" && id === "2" ? { kind: "person", id: "77" } : { kind: "copy" },
      differsFrom: (revision) => revision !== (matched ? 1 : 2),
    }),
  });
  await one.run({ type: "full_started" });
  const rowOf = async () =>
    (
      await database().query<{ state: number; dest_id: string }>(
        "select state, dest_id from ledger where import_id = $1 and stream = 'users' and source_id = '2'",
        [one.importId],
      )
    ).rows[0];
  expect(await rowOf()).toEqual({ state: 2, dest_id: "77" });
  matched = false;
  source.source.get("users")?.update("2", { name: "Changed" } as never);
  await one.run({ type: "delta_started", withinWindow: true });
  expect(lost).toBe(1);
  const copies = copiesOf(destination, "users").filter(({ sourceId }) => sourceId === "2");
  expect(await rowOf()).toEqual({ state: 1, dest_id: copies[0]?.id });
  expect(copies).toHaveLength(1);
  expect(destination.stats()).toMatchObject({ written: total, duplicates: 0 });
});

describe("a record given up without an answer", () => {
  test("is looked up by the next run: found, or written once", async () => {
    const { one, destination } = await given();
    await one.run({ type: "full_started" });
    const arrived = "7";
    const lost = "8";
    destination.written("tickets").remove((await ledgerId(one.importId, lost)) ?? "");
    await giveUp(one.importId, [arrived, lost]);
    await one.run({ type: "delta_started", withinWindow: true });
    for (const id of [arrived, lost])
      expect(stateName((await ledgerRow(one.importId, id))?.state ?? 0)).toBe("written");
    expect(destination.stats()).toMatchObject({ written: total, duplicates: 0 });
  });

  test("found by the next run, however long that takes", async () => {
    const connector = plain();
    const streams = (connector.destination?.helpdesk ?? []).map(
      (stream): DestinationStream => ({
        ...stream,
        find: async (io, asked) => {
          if (asked.length > 0 && stream.stream.name === "tickets") await sleep(600);
          return stream.find(io, asked);
        },
      }),
    );
    const { one, source, destination } = await given({
      connector: { ...connector, destination: { helpdesk: streams } },
      times: { leaseMs: 3_000, writeMs: 500 },
    });
    await one.run({ type: "full_started" });
    await giveUp(one.importId, ["7"]);
    source.source.get("tickets")?.update("7", { subject: "the latest" } as never);
    await one.run({ type: "retry_started", withinWindow: true });
    expect(subjectOf(destination, (await ledgerId(one.importId, "7")) ?? "")).toBe("the latest");
  });

  test.each([
    ["it is completed: it may be a part, or an earlier version", undefined, "the latest", null],
    ["it is completed, if the tool says that nobody has edited it", true, "the latest", null],
    ["it is left as it is, if somebody may have edited it", false, "half of it", "maybe_edited"],
  ] as const)("found by the next run, %s", async (_, isUntouched, subject, reason) => {
    const connector = losing({
      loses: () => false,
      ...(isUntouched === undefined ? {} : { isUntouched: () => isUntouched }),
    });
    const { one, source, destination } = await given({ connector });
    await one.run({ type: "full_started" });
    const copy = (await ledgerId(one.importId, "7")) ?? "";
    destination.written("tickets").edit(copy, { subject: "half of it" } as never);
    await giveUp(one.importId, ["7"]);
    source.source.get("tickets")?.update("7", { subject: "the latest" } as never);
    await one.run({ type: "retry_started", withinWindow: true });
    expect(await ledgerId(one.importId, "7")).toBe(copy);
    expect(subjectOf(destination, copy)).toBe(subject);
    const { rows } = await database().query<{ created: string; updated: string }>(
      `select sum(p.created) as created, sum(p.updated) as updated from partitions p join runs r on r.id = p.run_id
       where p.import_id = $1 and p.stream = 'tickets' and r.kind = 'retry_failed'`,
      [one.importId],
    );
    // Never counted before.
    expect(rows).toEqual([{ created: "1", updated: "0" }]);
    expect(await reasonOf(one.importId, "7")).toBe(reason);
    expect(destination.stats()).toMatchObject({ written: total, duplicates: 0 });
  });
});
