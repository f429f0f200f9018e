import { setTimeout as sleep } from "node:timers/promises";
import { type Connector, ConnectorError, type DestinationStream } from "@portage/connector-kit";
import { describe, expect, test } from "vitest";
import { plain, total, useKinds } from "../../../../../test/runs/kinds-fixture.ts";
import type { ChunkToSend } from "../run.ts";

const { given, database } = useKinds();
type One = Awaited<ReturnType<typeof given>>["one"];

const slowDown = () =>
  new ConnectorError({
    recovery: "retry",
    code: "rate_limited",
    message: "Acme Desk asks us to slow down.",
    status: 429,
    retryAfterMs: 3_000_000,
  });
const unpaid = () =>
  new ConnectorError({ recovery: "abort", code: "payment_required", message: "Acme Desk wants to be paid." });

interface Meeting {
  /** What the next write of tickets encounters; once. */
  next: (() => Promise<void>) | null;
}

const meeting = (at: Meeting): Connector => {
  const connector = plain();
  const streams = (connector.destination?.helpdesk ?? []).map(
    (stream): DestinationStream => ({
      ...stream,
      write: async (...args) => {
        const { next } = at;
        if (stream.stream.name !== "tickets" || !next) return stream.write(...args);
        at.next = null;
        await next();
        return stream.write(...args);
      },
    }),
  );
  return { ...connector, destination: { helpdesk: streams } };
};

const stepOf = async (one: One, chunks: readonly ChunkToSend[]): Promise<readonly ChunkToSend[]> =>
  (
    await Promise.all(
      chunks.map((chunk) => one.runs.workChunk(chunk, { signal: AbortSignal.timeout(60_000) })),
    )
  ).flatMap(({ send }) => send);

/** A full run up to the chunk that encounters it, and the chunks to send then. */
const givenMet = async (next: (one: One) => Promise<void>) => {
  const at: Meeting = { next: null };
  const { one, destination } = await given({ connector: meeting(at) });
  at.next = () => next(one);
  await one.move({ type: "full_started" });
  let chunks = await one.dispatch();
  for (let n = 0; at.next; n += 1) {
    expect(n).toBeLessThan(20);
    chunks = await stepOf(one, chunks);
  }
  return { one, destination, chunks };
};

/** Sends only chunks that start within seconds. */
const workSoon = async (one: One, first: readonly ChunkToSend[]) => {
  let chunks = first.filter(({ delayMs }) => delayMs < 5_000);
  for (let n = 0; chunks.length > 0; n += 1) {
    expect(n).toBeLessThan(20);
    chunks = (await stepOf(one, chunks)).filter(({ delayMs }) => delayMs < 5_000);
  }
};

const putOff = () => Promise.reject(slowDown());

describe("a run whose next chunk is most of an hour away", () => {
  test("notices a stop at once", async () => {
    const { one, chunks } = await givenMet(putOff);
    expect(chunks.map(({ delayMs }) => delayMs)).toEqual([3_000_000]);
    await one.move({ type: "stop_requested" });
    await workSoon(one, [...chunks, ...(await one.dispatch())]);
    expect(await one.status()).toBe("in_preparation");
  });

  test("notices a cancellation at once", async () => {
    const { one, chunks } = await givenMet(putOff);
    await one.move({ type: "cancelled" });
    await workSoon(one, [...chunks, ...(await one.dispatch())]);
    const { rows } = await database().query("select live_run from imports where id = $1", [one.importId]);
    expect(rows).toEqual([{ live_run: null }]);
  });

  test("notices a pause at once, and drops the postponed chunk when it arrives", async () => {
    const { one, destination, chunks } = await givenMet(putOff);
    const woken = await one.runs.pauseRun(one);
    expect(woken).toHaveLength(1);
    await workSoon(one, woken);
    expect(await stepOf(one, chunks)).toEqual([]);
    await one.work(await one.runs.unpauseRun(one));
    expect(await one.status()).toBe("migration_completed");
    expect(destination.stats()).toMatchObject({ written: total, duplicates: 0 });
  });

  test("is not postponed if a stop arrives while the chunk is at work", async () => {
    const { one, chunks } = await givenMet(async (running) => {
      await running.move({ type: "stop_requested" });
      expect(await running.dispatch()).toEqual([]);
      throw slowDown();
    });
    await workSoon(one, chunks);
    expect(await one.status()).toBe("in_preparation");
  });

  test("is not postponed if a stop commits during the postponement", async () => {
    const teller = await database().connect();
    let committed: Promise<unknown> = Promise.resolve();
    const { chunks } = await givenMet(async ({ importId }) => {
      await teller.query("begin");
      await teller.query("update runs set wanted = 'stop' where import_id = $1", [importId]);
      committed = sleep(1_000).then(() => teller.query("commit"));
      throw slowDown();
    });
    await committed;
    teller.release();
    expect(chunks).toMatchObject([{ delayMs: 1_000 }]);
  });

  test("notices that the run has failed elsewhere", async () => {
    const at: Meeting = { next: null };
    const { one } = await given({ connector: meeting(at), partitions: 2 });
    await one.move({ type: "full_started" });
    let chunks = await one.dispatch();
    const isAtTickets = async () =>
      (await one.partitions()).filter(({ stream, state }) => stream === "tickets" && state === "running")
        .length > 1;
    for (let n = 0; !(await isAtTickets()); n += 1) {
      expect(n).toBeLessThan(20);
      chunks = await stepOf(one, chunks);
    }
    const [first, second] = chunks;
    at.next = putOff;
    expect(await stepOf(one, first ? [first] : [])).toMatchObject([{ delayMs: 3_000_000 }]);
    at.next = () => Promise.reject(unpaid());
    const next = await stepOf(one, second ? [second] : []);
    expect(next.map(({ partition }) => partition)).toContain(first?.partition);
    await workSoon(one, next);
    expect(await one.status()).toBe("in_preparation");
  });
});
