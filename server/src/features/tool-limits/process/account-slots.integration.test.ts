import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { type AccountLimiters, createSharedAccounts, type CreateLimiter } from "./account-slots.ts";
import { describeAccount } from "../state/describe-account.ts";
import { changeSlotRows, readSlotRows } from "../state/store.ts";
import { fine, useSlots } from "../../../../../test/support/use-slots.ts";

const { db, closing, open, accountOf } = useSlots();
const never = new AbortController().signal;

const statementsDuring = async (work: () => Promise<unknown>): Promise<number> => {
  let statements = 0;
  const count = () => {
    statements += 1;
  };
  db().pool.on("acquire", count);
  await work();
  db().pool.off("acquire", count);
  return statements;
};

describe("limits", () => {
  test("starts are spaced from the first on, and runs take turns", async () => {
    const slots = open();
    const of = accountOf({ limits: [{ requests: 50, perMs: 1_000 }] });
    const started: string[] = [];
    const startAll = (run: string, count: number) =>
      Array.from({ length: count }, async () => {
        const slot = await slots.limiterFor({ ...of, runId: run }).take({ kind: "read" }, never);
        started.push(run);
        slot.release();
      });
    // From before the first: on a busy machine the first may be noticed so late that it seems to be close to the second.
    const begunAt = performance.now();
    await Promise.all([...startAll("many", 40), ...startAll("one", 4)]);
    const least = (1_000 / 50) * (started.length - 1) * 0.85;
    expect(performance.now() - begunAt).toBeGreaterThan(least);
    // All four requests of the small run are among the first dozen: it never waited behind the large one.
    const last = started.lastIndexOf("one");
    expect(last).toBeLessThan(12);
  });

  test("all processes keep to a pause that one process received", async () => {
    const one = open();
    const other = open();
    const of = accountOf({ limits: [{ requests: 1_000, perMs: 1_000 }] });
    const mine = one.limiterFor(of);
    const theirs = other.limiterFor(of);
    for (const limiter of [mine, theirs]) (await limiter.take({ kind: "read" }, never)).release();
    mine.learn({ ...fine, status: 429, retryAfterMs: 2_000, tookMs: 1 });
    const learntAt = performance.now();
    await sleep(1_200);
    await Promise.all([mine.take({ kind: "read" }, never), theirs.take({ kind: "read" }, never)]);
    expect(performance.now() - learntAt).toBeGreaterThanOrEqual(1_990);
  });

  test("a long wait is left to the engine: new and waiting callers get an error with the wait", async () => {
    const limiter = open().limiterFor(accountOf({ limits: [{ requests: 1, perMs: 5_000 }] }));
    (await limiter.take({ kind: "read" }, never)).release();
    const waiting = limiter.take({ kind: "read" }, never);
    limiter.learn({ ...fine, status: 429, retryAfterMs: 30_000, tookMs: 1 });
    const away = { name: "ConnectorError", recovery: "retry", code: "rate_limited" };
    await expect(waiting).rejects.toMatchObject(away);
    const error = await limiter
      .take({ kind: "read" }, never)
      .catch((thrown: { retryAfterMs: number }) => thrown);
    expect(error).toMatchObject(away);
    expect((error as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(29_000);
    expect((error as { retryAfterMs: number }).retryAfterMs).toBeLessThanOrEqual(30_000);
  });

  test("an aborted caller leaves the line, and takes no other caller's turn", async () => {
    const limiter = open().limiterFor(accountOf({ concurrency: 1 }));
    const first = await limiter.take({ kind: "read" }, never);
    const gaveUp = limiter.take({ kind: "read" }, AbortSignal.timeout(20));
    const next = limiter.take({ kind: "read" }, never);
    await expect(gaveUp).rejects.toThrow();
    first.release();
    (await next).release();
    await expect(limiter.take({ kind: "read" }, AbortSignal.abort(new Error("over")))).rejects.toThrow(
      "over",
    );
  });
});

describe("places", () => {
  /** Uses an account as hard as it can until each process had `turns` turns; answers the peak concurrency. */
  const crowd = async (processes: readonly AccountLimiters[], of: CreateLimiter, turns: number) => {
    let running = 0;
    let most = 0;
    const counts = processes.map(() => 0);
    await Promise.all(
      processes.flatMap((slots, index) =>
        Array.from({ length: 12 }, async () => {
          const limiter = slots.limiterFor(of);
          while (counts.some((count) => count < turns)) {
            const slot = await limiter.take({ kind: "read" }, never);
            running += 1;
            most = Math.max(most, running);
            await sleep(20);
            running -= 1;
            slot.release();
            counts[index] = (counts[index] ?? 0) + 1;
          }
        }),
      ),
    );
    return most;
  };

  test("all processes together hold no more than the tool's concurrency, and each gets its part", async () => {
    const of = accountOf({ concurrency: 4 });
    expect(await crowd([open(), open(), open()], of, 40)).toBeLessThanOrEqual(4);
  });

  test("a closing process gives its places back", async () => {
    const of = accountOf({ concurrency: 4 });
    const leaving = open();
    const staying = open();
    await crowd([leaving], of, 40);
    const members = async () => {
      const [row] = (await readSlotRows(db(), [of])).rows;
      return Object.keys((row as { state: { members: object } }).state.members);
    };
    expect(await members()).toHaveLength(1);
    await leaving.close();
    expect(await members()).toEqual([]);
    const limiter = staying.limiterFor(of);
    await Promise.all([1, 2, 3, 4].map(() => limiter.take({ kind: "read" }, never)));
  });

  test("a copy within one account does not wait for itself", async () => {
    const slots = open();
    const of = accountOf({ concurrency: 1 });
    const download = await slots.limiterFor(of).take({ kind: "read" }, never);
    const upload = await slots.limiterFor({ ...of, side: "destination" }).take({ kind: "write" }, never);
    expect(upload).not.toBe(download);
    upload.release();
    download.release();
  });
});

describe("the database", () => {
  test("is not queried for each request of a tool without limits", async () => {
    const limiter = open().limiterFor(accountOf());
    (await limiter.take({ kind: "read" }, never)).release();
    const count = 50_000;
    const statements = await statementsDuring(async () => {
      for (let done = 0; done < count; done += 1) {
        const slot = await limiter.take({ kind: "read" }, never);
        limiter.learn(fine);
        slot.release();
      }
    });
    expect(statements).toBeLessThan(20);
  });

  test("is queried for all accounts of a process at once", async () => {
    const slots = open();
    const requests = { count: 0 };
    const statements = await statementsDuring(() =>
      Promise.all(
        Array.from({ length: 300 }, async () => {
          const limiter = slots.limiterFor(accountOf({ limits: [{ requests: 20, perMs: 1_000 }] }));
          while (requests.count < 6_000) {
            (await limiter.take({ kind: "read" }, never)).release();
            requests.count += 1;
          }
        }),
      ),
    );
    expect(statements).toBeLessThan(requests.count / 20);
  });

  test("may lose the table: the processes restore what they know", async () => {
    const of = accountOf({ limits: [{ requests: 50, perMs: 1_000 }], concurrency: 4 });
    const one = open();
    const other = open();
    let starts = 0;
    let over = false;
    let running = 0;
    let most = 0;
    const work = [one, other].flatMap((slots) =>
      Array.from({ length: 6 }, async () => {
        const limiter = slots.limiterFor(of);
        while (!over) {
          const slot = await limiter.take({ kind: "read" }, never);
          starts += 1;
          running += 1;
          most = Math.max(most, running);
          await sleep(10);
          running -= 1;
          limiter.learn({ ...fine, tookMs: 10 });
          slot.release();
        }
      }),
    );
    const more = async () => {
      const goal = starts + 50;
      await vi.waitUntil(() => starts >= goal, { timeout: 600_000 });
    };
    await more();
    for (let crash = 0; crash < 2; crash += 1) {
      await db().pool.query("truncate account_slots");
      await more();
    }
    over = true;
    await Promise.all(work);
    expect(most).toBeLessThanOrEqual(4);
    const known = await describeAccount(db(), of.tool, of.accountId);
    expect(known.requestsPerMinute).toBeCloseTo(3_000);
  });

  test("may be unreachable for a while: every caller waits, none fails", async () => {
    let isDown = true;
    const problems: unknown[] = [];
    const slots = closing(
      createSharedAccounts({
        read: (keys) => (isDown ? Promise.reject(new Error("down")) : readSlotRows(db(), keys)),
        change: (changes) => changeSlotRows(db(), changes),
        onProblem: (error) => problems.push(error),
      }),
    );
    const waiting = slots.limiterFor(accountOf()).take({ kind: "read" }, never);
    await sleep(500);
    isDown = false;
    (await waiting).release();
    expect(problems.length).toBeGreaterThan(1);
  });
});
