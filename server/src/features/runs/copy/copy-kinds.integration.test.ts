import { ConnectorError } from "@portage/connector-kit";
import { describe, expect, test } from "vitest";
import {
  copiesOf,
  edit,
  refusing,
  subjectOf,
  total,
  useKinds,
} from "../../../../../test/runs/kinds-fixture.ts";

const { given, ledgerId, database } = useKinds();

describe("delta", () => {
  test("updates changed records, copies new ones, leaves and reports copies that a person edited", async () => {
    const { one, source, destination } = await given();
    await one.run({ type: "full_started" });
    const tickets = source.source.get("tickets");
    const plainId = await ledgerId(one.importId, "7");
    const editedId = await ledgerId(one.importId, "8");
    tickets?.update("7", { subject: "changed at the source" } as never);
    tickets?.update("8", { subject: "changed at both" } as never);
    tickets?.remove("9");
    const like = tickets?.find("1");
    if (like) tickets?.add({ ...like, updatedAt: new Date().toISOString() });
    edit(destination, editedId, { subject: "a person's own words" });
    await one.run({ type: "delta_started", withinWindow: true });
    expect(await one.status()).toBe("migration_completed");
    expect(subjectOf(destination, plainId)).toBe("changed at the source");
    expect(subjectOf(destination, editedId)).toBe("a person's own words");
    expect(copiesOf(destination, "tickets")).toHaveLength(151);
    expect(destination.stats().duplicates).toBe(0);
    const verify = (await one.partitions()).findLast(
      ({ task, stream }: { task: string; stream: string }) => task === "verify" && stream === "tickets",
    ) as { tallies: Record<string, number> };
    expect(verify.tallies).toMatchObject({
      "count|row|source|written|edited_since": 1,
      "count|row|deleted|written|": 1,
      "count|row|source|written|": 149,
    });
  });

  test("sees changes in a tool whose clock is behind ours", async () => {
    const { one, source, destination } = await given();
    await one.run({ type: "full_started" });
    const id = await ledgerId(one.importId, "7");
    const written = destination.stats().written;
    const twoMinutesAgo = new Date(Date.now() - 120_000).toISOString();
    source.source
      .get("tickets")
      ?.update("7", { subject: "changed at the source", updatedAt: twoMinutesAgo } as never);
    await one.run({ type: "delta_started", withinWindow: true });
    expect(subjectOf(destination, id)).toBe("changed at the source");
    expect(destination.stats()).toMatchObject({ written, duplicates: 0 });
  });
});

describe("retry of failures", () => {
  test("copies failed records and those that depend on them; reports those gone from the source", async () => {
    let isOpen = false;
    const odd = new Set<string>();
    const connector = refusing(
      (stream, record) =>
        !isOpen && stream === "tickets" && odd.has((record as unknown as { id: string }).id),
    );
    const { one, source, destination } = await given({ connector });
    for (const comment of source.source.get("comments")?.after(0, 9, () => true) ?? [])
      if (odd.size < 2) odd.add((comment as unknown as { ticketId: string }).ticketId);
    const [goes = "", stays = ""] = odd;
    await one.run({ type: "full_started" });
    const failed = (await one.ledger()).filter(({ state }) => state > 2);
    expect(failed.find(({ stream }) => stream === "tickets")).toMatchObject({
      state: 4,
      reason: "too_odd",
      n: 2,
    });
    const orphans = failed
      .filter(({ reason }) => reason === "parent_missing")
      .reduce((sum, { n }) => sum + n, 0);
    expect(orphans).toBeGreaterThan(1);
    source.source.get("tickets")?.remove(goes);
    isOpen = true;
    await one.run({ type: "retry_started", withinWindow: true });
    const rows = await one.ledger();
    expect(rows.filter(({ state }) => state === 4)).toEqual([]);
    expect(rows.find(({ reason }) => reason === "source_deleted")).toMatchObject({ stream: "tickets", n: 1 });
    const left = rows.find(({ reason }) => reason === "parent_missing")?.n ?? 0;
    expect(left).toBeLessThan(orphans);
    expect(await ledgerId(one.importId, stays)).not.toBe("");
    expect(destination.stats()).toMatchObject({ written: total - 1 - left, duplicates: 0 });
  });
});

test("a record that can't be read by its id does not stop a retry: it is reported, the others are copied", async () => {
  let isOpen = false;
  const connector = refusing((stream) => !isOpen && stream === "tickets");
  const { one, destination } = await given({
    connector,
    reading: (stream) => ({
      ...stream,
      readByIds: async (io, ids) => {
        if (stream.stream.name === "tickets" && ids.includes("3"))
          throw new ConnectorError({ recovery: "skip-record", code: "unreadable", message: "It is broken." });
        return stream.readByIds(io, ids);
      },
    }),
  });
  await one.run({ type: "full_started" });
  // It rests after so many refusals.
  await one.run({ type: "resume_requested" });
  isOpen = true;
  await one.run({ type: "retry_started", withinWindow: true });
  const tickets = (await one.ledger()).filter(({ stream }) => stream === "tickets");
  expect(tickets).toContainEqual({ stream: "tickets", state: 4, reason: "unreadable", n: 1 });
  expect(copiesOf(destination, "tickets")).toHaveLength(149);
});

describe("stop, pause, wait", () => {
  test("stopped midway and started again: nothing twice", async () => {
    const { one, destination } = await given();
    await one.move({ type: "full_started" });
    let chunks = await one.dispatch();
    for (let n = 0; n < 6; n += 1)
      chunks = (
        await Promise.all(
          chunks.map((chunk) => one.runs.workChunk(chunk, { signal: AbortSignal.timeout(60_000) })),
        )
      ).flatMap(({ send }) => send);
    await one.move({ type: "stop_requested" });
    await one.work([...chunks, ...(await one.dispatch())]);
    expect(await one.status()).toBe("in_preparation");
    const written = destination.stats().written;
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThan(total);
    await one.run({ type: "full_started" });
    expect(destination.stats()).toMatchObject({ written: total, duplicates: 0 });
  });

  test("paused, it does nothing and is not overdue; resumed, it continues where it stood", async () => {
    const { one, destination } = await given();
    await one.move({ type: "full_started" });
    const chunks = await one.dispatch();
    await one.runs.pauseRun(one);
    await one.work(chunks);
    await database().query("update partitions set due_at = now() - interval '1 h' where import_id = $1", [
      one.importId,
    ]);
    expect(await one.runs.findOverdue(10)).toEqual([]);
    expect(destination.stats().written).toBe(0);
    await one.work(await one.runs.unpauseRun(one));
    expect(destination.stats()).toMatchObject({ written: total, duplicates: 0 });
  });

  test("paused for over a week, it ends like an overlong wait: its sign-ins are not kept for it", async () => {
    const { one, destination } = await given();
    await one.move({ type: "full_started" });
    let chunks = await one.dispatch();
    for (let n = 0; n < 6; n += 1)
      chunks = (
        await Promise.all(
          chunks.map((chunk) => one.runs.workChunk(chunk, { signal: AbortSignal.timeout(60_000) })),
        )
      ).flatMap(({ send }) => send);
    await one.move({ type: "pause_requested" });
    await one.dispatch();
    await one.work(chunks);
    const pausedFor = (days: number) =>
      database().query(
        `update audit set at = now() - make_interval(days => $2)
         where import_id = $1 and event ->> 'type' = 'pause_requested'`,
        [one.importId, days],
      );
    await pausedFor(6);
    expect(await one.runs.endOverlongWaits()).toEqual([]);
    await pausedFor(8);
    await one.work(await one.runs.endOverlongWaits());
    expect(await one.status()).toBe("in_preparation");
    const { rows } = await database().query(
      "select code, live_run from import_warnings w join imports i on i.id = w.import_id where i.id = $1",
      [one.importId],
    );
    expect(rows).toEqual([{ code: "run_stopped", live_run: null }]);
    await one.run({ type: "full_started" });
    expect(destination.stats()).toMatchObject({ written: total, duplicates: 0 });
  });

  test("an expired sign-in makes the run wait and warn; after a new sign-in it continues", async () => {
    const { one, source, destination } = await given();
    await one.move({ type: "full_started" });
    let chunks = await one.dispatch();
    for (let n = 0; n < 4; n += 1)
      chunks = (
        await Promise.all(
          chunks.map((chunk) => one.runs.workChunk(chunk, { signal: AbortSignal.timeout(60_000) })),
        )
      ).flatMap(({ send }) => send);
    one.gone.add("source");
    await one.work(chunks);
    expect(await one.status()).toBe("migration_in_progress");
    const warning = await database().query("select code, stream from import_warnings where import_id = $1", [
      one.importId,
    ]);
    expect(warning.rows).toEqual([{ code: "action_required", stream: "source_sign_in" }]);
    one.gone.delete("source");
    await one.work(await one.runs.resumeWaiting({ ...one, side: "source" }));
    expect(await one.status()).toBe("migration_completed");
    expect(destination.stats()).toMatchObject({ written: total, duplicates: 0 });
    expect(source.stats().faults).toBe(0);
  });
});
