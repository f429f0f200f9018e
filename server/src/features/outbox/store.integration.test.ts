import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { givenEffect, givenImport } from "../../../../test/support/counting-import.ts";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/database.ts";
import { takeWaiting, type WaitingEffect } from "./store.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
beforeEach(() => db.pool.query("delete from outbox"));

const start = { kind: "start_run", run: "sample" };
const stop = { kind: "stop_run" };
const ids = (rows: readonly WaitingEffect[]) => rows.map(({ id }) => id);

/** Takes the waiting effects and reports them as dispatched. */
const take = async (limit = 10, exceptImports: readonly string[] = []) => {
  const seen: WaitingEffect[] = [];
  await takeWaiting(db, { limit, exceptImports }, async (rows) => {
    seen.push(...rows);
    return ids(rows);
  });
  return seen;
};

describe("waiting effects", () => {
  test("are handed over with their import, oldest first, once", async () => {
    const a = await givenImport(db);
    const b = await givenImport(db);
    const first = await givenEffect(db, a, start);
    const second = await givenEffect(db, b, stop);
    expect(await take()).toEqual([
      { id: first, importId: a, effect: start, trace: null },
      { id: second, importId: b, effect: stop, trace: null },
    ]);
    expect(await take()).toEqual([]);
  });

  test("are counted, so that a full batch is followed by the next at once", async () => {
    for (let i = 0; i < 3; i++) await givenEffect(db, await givenImport(db), start);
    expect(await takeWaiting(db, { limit: 2, exceptImports: [] }, async (rows) => ids(rows))).toBe(2);
    expect(await takeWaiting(db, { limit: 2, exceptImports: [] }, async (rows) => ids(rows))).toBe(1);
    expect(await takeWaiting(db, { limit: 2, exceptImports: [] }, async (rows) => ids(rows))).toBe(0);
  });

  test("that are partner events or refunds are left to their own readers", async () => {
    const importId = await givenImport(db);
    await givenEffect(db, importId, { kind: "notify", eventId: "evt_x" });
    await givenEffect(db, importId, { kind: "refund" });
    const work = await givenEffect(db, importId, start);
    expect(ids(await take())).toEqual([work]);
    const { rows } = await db.pool.query("select from outbox where dispatched_at is null");
    expect(rows.length).toBe(2);
  });

  test("stay when the dispatch throws or skips them", async () => {
    const id = await givenEffect(db, await givenImport(db), start);
    const failing = takeWaiting(db, { limit: 10, exceptImports: [] }, async () => {
      throw new Error("crashed");
    });
    await expect(failing).rejects.toThrow("crashed");
    expect(await takeWaiting(db, { limit: 10, exceptImports: [] }, async () => [])).toBe(1);
    expect(ids(await take())).toEqual([id]);
  });

  test("are found by state: a lower id may become visible after a higher one was dispatched", async () => {
    const importId = await givenImport(db);
    const client = await db.pool.connect();
    await client.query("begin");
    const { rows } = await client.query<{ id: number }>(
      "insert into outbox (import_id, effect) values ($1, $2) returning id",
      [await givenImport(db), JSON.stringify(start)],
    );
    const higher = await givenEffect(db, importId, start);
    expect(ids(await take())).toEqual([higher]);
    await client.query("commit");
    client.release();
    expect(rows[0]?.id).toBeLessThan(higher);
    expect(ids(await take())).toEqual([rows[0]?.id]);
  });
});

describe("several workers", () => {
  test("never hold the same row at the same time, and together take all", async () => {
    const made: number[] = [];
    for (let i = 0; i < 30; i++) made.push(await givenEffect(db, await givenImport(db), start));
    const held = new Set<number>();
    const seen: number[] = [];
    const worker = async () => {
      let taken = 1;
      while (taken > 0)
        taken = await takeWaiting(db, { limit: 4, exceptImports: [] }, async (rows) => {
          for (const id of ids(rows)) {
            if (held.has(id)) throw new Error(`${id} is held twice`);
            held.add(id);
          }
          await new Promise((resolve) => setTimeout(resolve, 5));
          for (const id of ids(rows)) held.delete(id);
          seen.push(...ids(rows));
          return ids(rows);
        });
    };
    await Promise.all([worker(), worker(), worker()]);
    expect(seen.toSorted((a, b) => a - b)).toEqual(made);
  });

  test("keep the order of an import: later effects wait while the first is held, fails or is skipped", async () => {
    const importId = await givenImport(db);
    const first = await givenEffect(db, importId, start);
    const second = await givenEffect(db, importId, stop);
    await takeWaiting(db, { limit: 10, exceptImports: [] }, async (rows) => {
      expect(ids(rows)).toEqual([first]);
      expect(await take()).toEqual([]);
      return [];
    });
    expect(await take(10, [importId])).toEqual([]);
    expect(ids(await take())).toEqual([first]);
    expect(ids(await take())).toEqual([second]);
  });

  test("a partner event does not block the work behind it, nor do skipped imports block others", async () => {
    const importId = await givenImport(db);
    await givenEffect(db, importId, { kind: "notify", eventId: "evt_x" });
    const first = await givenEffect(db, importId, start);
    const other = await givenImport(db);
    const second = await givenEffect(db, other, start);
    expect(ids(await take(10, [importId]))).toEqual([second]);
    expect(ids(await take())).toEqual([first]);
  });

  test("a long queue costs no more than a short one, even before the planner has statistics", async () => {
    await db.pool.query("alter table outbox set (autovacuum_enabled = off)");
    const importId = await givenImport(db);
    await db.pool.query(
      "insert into outbox (import_id, effect) select $1, $2 from generate_series(1, 40000)",
      [importId, JSON.stringify(stop)],
    );
    await take();
    // A quadratic comparison would take a minute and run into the statement timeout of ten seconds.
    for (let i = 0; i < 10; i++) expect(await take(20)).toHaveLength(1);
  });
});
