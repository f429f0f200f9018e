import { expect, test } from "vitest";
import { createSharedAccounts } from "../process/account-slots.ts";
import { describeAccount, findAccountHealth } from "./describe-account.ts";
import { changeSlotRows, deleteUnusedAccounts, readSlotRows } from "./store.ts";
import { fine, useSlots } from "../../../../../test/support/use-slots.ts";

const { db, closing, open, accountOf } = useSlots();
const never = new AbortController().signal;

test("a database clock that is set back does not block requests for long", async () => {
  const of = accountOf({ limits: [{ requests: 20, perMs: 1_000 }] });
  let aheadMs = 3_600_000;
  const slots = closing(
    createSharedAccounts({
      read: async (keys) => {
        const { rows, nowMs } = await readSlotRows(db(), keys);
        return { rows, nowMs: nowMs + aheadMs };
      },
      change: (changes) => changeSlotRows(db(), changes),
      onProblem: (error) => {
        throw error;
      },
    }),
  );
  const limiter = slots.limiterFor(of);
  const takeSome = async () => {
    for (let done = 0; done < 20; done += 1) (await limiter.take({ kind: "read" }, never)).release();
    return 20;
  };
  await takeSome();
  aheadMs = 0;
  // Otherwise it would wait for the hour, and the test would time out.
  expect((await takeSome()) + (await takeSome())).toBe(40);
});

test("after close no request starts", async () => {
  const slots = open();
  const limiter = slots.limiterFor(accountOf());
  (await limiter.take({ kind: "read" }, never)).release();
  await slots.close();
  await expect(limiter.take({ kind: "read" }, never)).rejects.toMatchObject({ recovery: "retry" });
});

test("describes what an account allows and has used", async () => {
  const of = accountOf({ limits: [{ requests: 600, perMs: 60_000 }] });
  const nothing = { requestsPerMinute: null, lastMinute: 0, waitMs: 0 };
  expect(await describeAccount(db(), of.tool, of.accountId)).toEqual(nothing);
  const slots = open();
  const limiter = slots.limiterFor(of);
  for (let done = 0; done < 5; done += 1) {
    const slot = await limiter.take({ kind: "read" }, never);
    limiter.learn({ ...fine, tookMs: 1 });
    slot.release();
  }
  limiter.learn({ ...fine, status: 429, retryAfterMs: 4_000, tookMs: 1 });
  await slots.close();
  const known = await describeAccount(db(), of.tool, of.accountId);
  expect(known).toMatchObject({ requestsPerMinute: 600, lastMinute: 5 });
  expect(known.waitMs).toBeGreaterThan(3_000);
  const unused = { tool: of.tool, accountId: "unused" };
  const [health, ...others] = await findAccountHealth(db(), [of, unused]);
  expect(others).toEqual([]);
  expect(health).toMatchObject({ tool: of.tool, accountId: of.accountId, lastMinute: 5, circuitOpen: false });
  expect(health?.quotas).toMatchObject([{ requests: 600, perMs: 60_000, used: 5 }]);
});

test("unused rows are deleted", async () => {
  await changeSlotRows(db(), [{ tool: "tool", accountId: "old", from: null, to: 1, state: {} }]);
  await db().pool.query(
    "update account_slots set changed_at = now() - interval '9 days' where account_id = 'old'",
  );
  expect(await deleteUnusedAccounts(db())).toBe(1);
});

test("a change applies only to the version that it was computed from", async () => {
  const key = { tool: "tool", accountId: "versions" };
  const change = (from: number | null, to: number) =>
    changeSlotRows(db(), [{ ...key, from, to, state: { to } }]);
  expect(await change(null, 7)).toEqual([key]);
  expect(await change(null, 8)).toEqual([]);
  expect(await change(6, 8)).toEqual([]);
  expect(await change(7, 8)).toEqual([key]);
  expect((await readSlotRows(db(), [key])).rows).toMatchObject([{ version: 8, state: { to: 8 } }]);
});
