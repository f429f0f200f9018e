import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { elapsedMs, momentNow } from "../../../platform/moment.ts";
import { holdLease } from "./hold-lease.ts";
import { startWriteDeadline } from "./write-deadline.ts";

// Only the wall clock is set: while a virtual machine is suspended, the monotonic clock and all timers stand still.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());
const wakeAfter = (ms: number) => vi.setSystemTime(Date.now() + ms);

const times = { leaseMs: 60_000, writeMs: 25_000 };
const never = new AbortController().signal;
const aborted = async (signal: AbortSignal) => {
  for (let waited = 0; waited < 3_000 && !signal.aborted; waited += 20) await sleep(20);
  return signal.aborted;
};

/** A database that answers each renewal like this. */
const answering = (query: () => Promise<{ rowCount: number }>) => ({ pool: { query } }) as never;
const away = answering(() => Promise.reject(new Error("The database is away.")));

const deadlineOf = (lost: AbortSignal = never, db = away, renews = false) =>
  startWriteDeadline({ db, lease: {} as never, times, lost }, momentNow(), renews);

test("whichever clock went further counts", () => {
  const since = momentNow();
  wakeAfter(5_000);
  expect(elapsedMs(since)).toBeGreaterThanOrEqual(5_000);
  wakeAfter(-3_600_000);
  expect(elapsedMs(since)).toBeGreaterThanOrEqual(0);
});

test("a write that was suspended over its deadline sends nothing more, and what is in flight is aborted", async () => {
  const deadline = deadlineOf();
  expect(deadline.maySend()).toBe(true);
  wakeAfter(300_000);
  expect(deadline.maySend()).toBe(false);
  expect(await aborted(deadline.signal)).toBe(true);
  deadline.close();
});

test("a clock that is set back gives no more time", async () => {
  const deadline = startWriteDeadline(
    { db: away, lease: {} as never, times: { ...times, writeMs: 500 }, lost: never },
    momentNow(),
    false,
  );
  wakeAfter(-300_000);
  expect(await aborted(deadline.signal)).toBe(true);
  deadline.close();
});

test("a lost lease aborts a write at once", () => {
  const lost = new AbortController();
  const deadline = deadlineOf(lost.signal);
  lost.abort(new Error("Another attempt has the partition now."));
  expect(deadline.signal.aborted).toBe(true);
  expect(deadline.maySend()).toBe(false);
  deadline.close();
});

test("a lease that ran out during a suspension is lost, although the database can't be asked", async () => {
  const worker = new AbortController().signal;
  const held = holdLease(away, {} as never, times, { takenAt: momentNow(), worker });
  wakeAfter(59_000);
  await sleep(700);
  expect(held.lost.aborted).toBe(false);
  wakeAfter(2_000);
  expect(await aborted(held.lost)).toBe(true);
  expect(held.signal.aborted).toBe(true);
  held.release();
});

test("a lease that the database confirms is held; a shutdown is no loss", async () => {
  const worker = new AbortController();
  let asked = 0;
  const db = answering(async () => {
    asked += 1;
    return { rowCount: 1 };
  });
  const held = holdLease(db, {} as never, times, { takenAt: momentNow(), worker: worker.signal });
  for (let n = 0; n < 3; n += 1) {
    wakeAfter(30_000);
    await sleep(700);
  }
  expect(asked).toBe(3);
  expect(held.signal.aborted).toBe(false);
  worker.abort();
  expect([held.signal.aborted, held.lost.aborted]).toEqual([true, false]);
  held.release();
});
