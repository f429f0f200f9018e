import type { FamilyRecord } from "@portage/connector-kit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { standInDefaults, type StandInOptions } from "./options.ts";
import { createSourceChanges } from "./source-changes.ts";
import { createSourceRows, everything } from "./source-rows.ts";

const options = (given: Partial<StandInOptions>): StandInOptions => ({
  ...standInDefaults,
  largeText: 0,
  counts: {
    users: 3,
    contacts: 10,
    organizations: 2,
    groups: 2,
    tickets: 40,
    comments: 200,
    attachments: 30,
  },
  ...given,
});

const rowsOf = (given: Partial<StandInOptions>, stream: string) => {
  const all = createSourceRows(options(given));
  const rows = all.get(stream);
  if (!rows) throw new Error(stream);
  return { all, rows };
};

test.each([true, false])("lean %s: a row's text is its record, each with its own id", (lean) => {
  for (const stream of ["tickets", "comments", "attachments"]) {
    const { rows } = rowsOf({ lean }, stream);
    const numbers = rows.numbersAfter(0, 500, everything);
    expect(numbers.length).toBeGreaterThan(20);
    for (const number of numbers) {
      expect(JSON.parse(rows.json(number))).toEqual(rows.record(number));
      expect(rows.record(number)?.id).toBe(String(number));
      expect(rows.stream.schema.safeParse(rows.record(number)).success).toBe(true);
    }
  }
});

test("lean: children are spread over all their parents", () => {
  const { rows } = rowsOf({ lean: true }, "comments");
  const parents = rows.numbersAfter(0, 500, everything).map((number) => {
    const row = rows.record(number) as FamilyRecord & { ticketId: string };
    return row.ticketId;
  });
  expect(new Set(parents).size).toBe(40);
});

test("offsets count the existing rows, however many were removed", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 40 })), fc.nat(45), (gone, offset) => {
      const { rows } = rowsOf({}, "tickets");
      for (const number of gone) rows.remove(String(number));
      const there = Array.from({ length: 40 }, (_, index) => index + 1).filter(
        (each) => !gone.includes(each),
      );
      expect(rows.numbersFrom(offset, 7)).toEqual(there.slice(offset, offset + 7));
      expect(rows.count()).toBe(there.length);
    }),
  );
});

test.each([true, false])("lean %s: returns only changes since a moment", (lean) => {
  const { rows } = rowsOf({ lean, hostile: false }, "tickets");
  const since = new Date().toISOString();
  rows.update("30", {});
  rows.update("7", {});
  rows.remove("30");
  const added = rows.add(rows.record(2) as FamilyRecord);
  rows.update(added, {});
  expect(rows.numbersAfter(0, 10, { since, parentId: null })).toEqual([7, 41]);
  expect(rows.numbersAfter(7, 10, { since, parentId: null })).toEqual([41]);
});

test("removing a row removes its children, recursively", () => {
  const { all, rows } = rowsOf({}, "tickets");
  const changes = createSourceChanges(all, options({}));
  const comments = all.get("comments");
  const attachments = all.get("attachments");
  if (!comments || !attachments) throw new Error("streams");
  const childrenOf = (stream: "tickets" | "comments", id: string) => ({
    comments: comments.numbersAfter(0, 500, everything).filter((number) => {
      const row = comments.record(number) as FamilyRecord & { ticketId: string };
      return stream === "tickets" && row.ticketId === id;
    }),
    attachments: attachments.numbersAfter(0, 500, everything).filter((number) => {
      const row = attachments.record(number) as FamilyRecord & { parent: { stream: string; id: string } };
      return row.parent.stream === stream && row.parent.id === id;
    }),
  });
  const parent = (attachments.record(attachments.numbersAfter(0, 1, everything)[0] ?? 0) ??
    {}) as FamilyRecord & {
    parent: { stream: "tickets" | "comments"; id: string };
  };
  const ticket =
    parent.parent.stream === "tickets"
      ? parent.parent.id
      : (comments.record(Number(parent.parent.id)) as FamilyRecord & { ticketId: string }).ticketId;
  const below = childrenOf("tickets", ticket);
  changes.remove("tickets", ticket);
  expect(rows.record(Number(ticket))).toBeNull();
  expect(below.comments.length).toBeGreaterThan(0);
  for (const number of below.comments) {
    expect(comments.record(number)).toBeNull();
    expect(childrenOf("comments", String(number)).attachments).toEqual([]);
  }
  expect(childrenOf("tickets", ticket)).toEqual({ comments: [], attachments: [] });
  expect(attachments.record(Number(parent.id))).toBeNull();
});

test("a late row has its number at once and appears later", async () => {
  const { rows } = rowsOf({}, "tickets");
  const late = rows.add(rows.record(1) as FamilyRecord, 60);
  const next = rows.add(rows.record(1) as FamilyRecord);
  expect([late, next]).toEqual(["41", "42"]);
  expect(rows.numbersAfter(39, 5, everything)).toEqual([40, 42]);
  expect(rows.seenSince(41)).toBe(Number.POSITIVE_INFINITY);
  await new Promise((resolve) => setTimeout(resolve, 120));
  expect(rows.numbersAfter(39, 5, everything)).toEqual([40, 41, 42]);
  expect(rows.seenSince(41)).toBeGreaterThan(rows.seenSince(42));
});

test("a row that is not visible yet goes with its owner, and never appears", async () => {
  const { all, rows: tickets } = rowsOf({}, "tickets");
  const comments = all.get("comments");
  if (!comments) throw new Error("streams");
  const changes = createSourceChanges(all, options({}));
  changes.change("comments", { add: 30, lateMs: 60 });
  for (const number of tickets.numbersAfter(0, 500, everything).slice(0, 20))
    changes.remove("tickets", String(number));
  await new Promise((resolve) => setTimeout(resolve, 120));
  const orphans = comments.numbersAfter(0, 1_000, everything).filter((number) => {
    const { ticketId } = comments.record(number) as FamilyRecord & { ticketId: string };
    return tickets.record(Number(ticketId)) === null;
  });
  expect(orphans).toEqual([]);
});
