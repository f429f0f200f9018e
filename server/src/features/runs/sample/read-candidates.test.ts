import { type FamilyRecord, helpdesk, type SourceStream } from "@portage/connector-kit";
import { assert, integer, property } from "fast-check";
import { expect, test } from "vitest";
import { newWork } from "./choose-work.ts";
import { layOut } from "./layout.ts";
import { readCandidates, rootPlaces, spread } from "./read-candidates.ts";
import { memorySource } from "../../../../../test/runs/memory-source.ts";

const ticket = (number: number): FamilyRecord =>
  helpdesk.tickets.make({
    id: String(number),
    updatedAt: new Date(Date.UTC(2024, 0, 1) + number * 3_600_000).toISOString(),
    subject: "A ticket",
    status: "open",
    statusKind: "open",
  });
const tickets = Array.from({ length: 900 }, (_, index) => ticket(index + 1));

const read = async (quota: number, given: Partial<SourceStream>, records = tickets) => {
  const { reader, asked } = memorySource("helpdesk", { tickets: records }, "searched", () => given);
  const work = newWork(1);
  work.roots.push(...rootPlaces({ ...reader.layout, roots: ["tickets"] }, quota));
  while (await readCandidates(work, reader));
  const numbers = [...work.candidates.values()].map(({ id }) => Number(id));
  return { numbers, place: work.roots[0], calls: asked.length };
};

test("a stream that can be read in parts is sampled from one end to the other", async () => {
  const { numbers, place } = await read(100, {
    slices: async (_, atMost) =>
      Array.from({ length: atMost }, (__, index) => ({
        at: Math.floor((index * 900) / atMost),
        until: Math.floor(((index + 1) * 900) / atMost),
      })),
  });
  expect(new Set(numbers.map((number) => Math.floor((number - 1) / 113))).size).toBe(8);
  expect(numbers.length).toBeLessThanOrEqual(100);
  expect(place?.cursor).not.toBeNull();
});

test("a stream with a change filter is followed to its newest records", async () => {
  const { numbers } = await read(100, { delta: true });
  expect(Math.max(...numbers)).toBeGreaterThan(60);
  // Each jump leads to changes after all seen ones: here the order of ids is that of changes.
  const shuffled = tickets.map((each, index) => ({
    ...each,
    updatedAt: new Date(Date.UTC(2024, 0, 1) + ((index * 389) % 900) * 3_600_000).toISOString(),
  }));
  const newest = shuffled.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt))[0]?.id;
  expect((await read(100, { delta: true }, shuffled)).numbers).toContain(Number(newest));
});

test("a stream that can only be read from its beginning is read as far as wanted", async () => {
  const { numbers, calls, place } = await read(100, {});
  expect(Math.max(...numbers)).toBeLessThanOrEqual(105);
  expect(calls).toBe(15);
  expect(place).toMatchObject({ taken: 100, cursor: { at: 105 } });
});

test("a small stream is read completely, and that is known", async () => {
  const few = tickets.slice(0, 20);
  for (const given of [{}, { delta: true }])
    expect(await read(100, given, few)).toMatchObject({
      numbers: few.map(({ id }) => Number(id)),
      place: { all: true, taken: 20, cursor: null },
    });
});

test("a stream that is read per parent is sampled below some of its parents", async () => {
  const articles = Array.from({ length: 60 }, (_, index) =>
    helpdesk.articles.make({
      id: String(index + 1),
      title: "",
      body: { format: "plain", text: "" },
      state: "published",
    }),
  );
  const groups = Array.from({ length: 30 }, (_, index) =>
    helpdesk.groups.make({ id: String(index + 1), name: "" }),
  );
  const asked: (string | null)[] = [];
  const { reader } = memorySource("helpdesk", { articles, groups }, "searched", (name) =>
    name === "articles"
      ? {
          perParent: "groups",
          readPage: async (_, { parentId }) => {
            asked.push(parentId);
            return { records: articles.filter(({ id }) => Number(id) % 30 === Number(parentId)), next: null };
          },
        }
      : {},
  );
  const work = newWork(1);
  work.roots.push(...rootPlaces({ ...reader.layout, roots: ["articles"] }, 100));
  while (await readCandidates(work, reader));
  // From the first page of parents.
  expect(asked).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
  expect(work.candidates.size).toBe(14);
});

test("the main stream gets most of the candidates", () => {
  const layout = layOut(Object.values(helpdesk));
  const places = rootPlaces(layout, 500);
  expect(places.find(({ stream }) => stream === "tickets")?.quota).toBe(300);
  expect(places.reduce((sum, { quota }) => sum + quota, 0)).toBeLessThan(510);
});

test("a spread keeps the order, its ends are far apart, and it takes no more than asked for", () => {
  assert(
    property(integer({ min: 0, max: 300 }), integer({ min: 0, max: 50 }), (length, most) => {
      const taken = spread(
        Array.from({ length }, (_, index) => index),
        most,
      );
      expect(taken.length).toBe(Math.min(length, most));
      expect(taken).toEqual([...new Set(taken)].toSorted((a, b) => a - b));
      if (most > 1 && length > most)
        expect((taken.at(-1) ?? 0) - (taken[0] ?? 0)).toBeGreaterThanOrEqual(length / 2 - 1);
    }),
  );
});
