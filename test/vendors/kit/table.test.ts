import { expect, test } from "vitest";
import { createBreaches } from "./laws.ts";
import { createQuotaGate } from "./quota-gate.ts";
import { fullSizes, nastyDesk, smallSizes } from "./seed-nasty.ts";
import { createTable, digestOf, pageOf, readCursor, rowsAfter, writeCursor } from "./table.ts";

const handClock = () => {
  let now = 1_000_000;
  return { now: () => now, advance: (ms: number) => void (now += ms) };
};

test("a table keeps rows, their times, and what was deleted", () => {
  const clock = handClock();
  const table = createTable<{ name: string; size?: number }>(clock, 10);
  const first = table.insert({ data: { name: "a" } });
  table.insert({ data: { name: "b" }, createdAt: 5 });
  clock.advance(10);
  table.update(first.id, { size: 1 });
  expect(table.get(10)).toMatchObject({
    createdAt: 1_000_000,
    updatedAt: 1_000_010,
    data: { name: "a", size: 1 },
  });
  clock.advance(10);
  table.touch(10);
  expect(table.get(10)).toMatchObject({ updatedAt: 1_000_010, touchedAt: 1_000_020 });
  table.remove(10);
  expect(table.live().map(({ id }) => id)).toEqual([11]);
  table.restore(10);
  table.archive(10);
  expect(table.get(10)).toMatchObject({ deletedAt: null, archived: true });
  table.purge(10);
  expect(table.all()).toHaveLength(1);
});

test("an index shows rows as they were: new ones late, changed ones old, deleted ones still", () => {
  const clock = handClock();
  const table = createTable<{ name: string }>(clock, 1);
  table.insert({ data: { name: "old" } });
  table.settleIndex();
  table.insert({ data: { name: "new" } });
  clock.advance(10);
  table.update(1, { name: "changed" });
  const names = () => table.indexed(100).map(({ data }) => data.name);
  expect(names()).toEqual(["old"]);
  clock.advance(95);
  expect(names()).toEqual(["old", "new"]);
  clock.advance(10);
  expect(names()).toEqual(["changed", "new"]);
  table.remove(2);
  expect(names()).toEqual(["changed", "new"]);
  clock.advance(100);
  expect(names()).toEqual(["changed"]);
});

test("lists by page miss a row that moves, lists behind a position do not", () => {
  const rows = [1, 2, 3, 4].map((id) => ({ id, at: 7 }));
  expect(pageOf(rows, 2, 2)).toEqual({ rows: rows.slice(2), more: false });
  expect(pageOf(rows.slice(1), 2, 2).rows).toEqual([rows[3]]);
  expect(rowsAfter(rows.slice(1), ({ at }) => at, { at: 7, id: 2 })).toEqual(rows.slice(2));
  expect(readCursor(writeCursor({ at: 7, id: 2 }))).toEqual({ at: 7, id: 2 });
  expect(readCursor("nonsense")).toBeNull();
});

test("a digest ignores order, and nothing else", () => {
  const digest = digestOf({ a: [{ x: 1, y: [1, 2] }, { x: 2 }], b: [] });
  expect(digestOf({ b: [], a: [{ x: 2 }, { y: [1, 2], x: 1 }] })).toBe(digest);
  expect(digestOf({ b: [], a: [{ x: 2 }, { y: [2, 1], x: 1 }] })).not.toBe(digest);
  expect(digestOf({ a: [{ x: 2 }, { x: 2 }, { y: [1, 2], x: 1 }], b: [] })).not.toBe(digest);
});

test("a quota counts by class, and knows who does not wait", () => {
  const clock = handClock();
  const gate = createQuotaGate(
    [
      {
        name: "few",
        requests: 1,
        perMs: 10_000,
        window: "sliding",
        applies: (operation) => operation === "GET /few",
      },
      {
        name: "all",
        requests: 100,
        perMs: 10_000,
        applies: () => true,
        headers: ({ total, remaining }) => ({ left: `${remaining} of ${total}` }),
      },
    ],
    clock,
  );
  expect(gate("GET /few")).toEqual({ kind: "passed", headers: { left: "99 of 100" } });
  expect(gate("GET /many")).toMatchObject({ kind: "passed" });
  expect(gate("GET /few")).toMatchObject({
    kind: "limited",
    class: "few",
    retryMs: 10_000,
    impatient: false,
  });
  clock.advance(500);
  expect(gate("GET /few")).toMatchObject({ impatient: false });
  clock.advance(1_000);
  expect(gate("GET /few")).toMatchObject({ impatient: true });
  clock.advance(9_000);
  expect(gate("GET /few")).toMatchObject({ kind: "passed" });
});

test("a breach is of a law that a request can break", () => {
  const breaches = createBreaches({
    asked: { says: "Ask", marks: ["S"], seen: "request" },
    happens: { says: "It happens", marks: ["K"], seen: "outcome" },
  });
  breaches.record("asked", "GET /x", "why");
  expect(breaches.all).toEqual([{ law: "asked", operation: "GET /x", detail: "why" }]);
  expect(breaches.of("asked")).toHaveLength(1);
  expect(() => breaches.record("happens", "GET /x", "")).toThrow("no law");
  breaches.clear();
  expect(breaches.all).toEqual([]);
});

test("the nasty desk is the same for the same seed, and has what is nasty", () => {
  const desk = nastyDesk("a", smallSizes);
  expect(nastyDesk("a", smallSizes)).toEqual(desk);
  expect(nastyDesk("b", smallSizes)).not.toEqual(desk);
  const fates = new Set(desk.tickets.map(({ fate }) => fate));
  expect([...fates].toSorted()).toEqual(["archived", "deleted", "kept", "merged", "spam", "suspended"]);
  const longest = (of: typeof desk) => Math.max(...of.tickets.map(({ comments }) => comments.length));
  expect(longest(desk)).toBe(smallSizes.longThread);
  const seconds = Map.groupBy(desk.tickets, ({ updatedAt }) => Math.floor(updatedAt / 1000));
  expect(Math.max(...[...seconds.values()].map(({ length }) => length))).toBe(smallSizes.sameSecond);
  const files = desk.tickets.flatMap(({ comments }) => comments.flatMap((comment) => comment.files));
  expect(files.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["empty.txt", "résumé (1).pdf", "large.bin"]),
  );
  const keys = new Set(desk.people.map(({ key }) => key));
  for (const { requester, comments } of desk.tickets)
    expect([requester, ...comments.map(({ author }) => author)].every((key) => keys.has(key))).toBe(true);
  const full = nastyDesk("a", fullSizes);
  expect([longest(full), full.tickets.length >= 1_950]).toEqual([1_000, true]);
});
