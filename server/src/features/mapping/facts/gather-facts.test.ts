import { ConnectorError, helpdesk } from "@portage/connector-kit";
import { expect, test } from "vitest";
import { gatherFacts } from "./gather-facts.ts";
import { mappingSchema } from "../model/mapping.ts";
import { suggestMapping } from "../suggest/suggest-mapping.ts";
import { field, person } from "../testing/facts-for.ts";
import { destinationOf, sideWith, sourceOf, ticket } from "../testing/memory-connector.ts";

const users = Array.from({ length: 450 }, (_, index) =>
  helpdesk.users.make({ id: `u${index}`, name: `Person ${index}`, email: `p${index}@acme.example` }),
);

const tickets = [
  ticket({
    id: "1",
    status: "Waiting",
    statusKind: "pending",
    priority: "High",
    customFields: { store: "Hill" },
  }),
  ticket({ id: "2", status: "Waiting", statusKind: "on_hold", customFields: { store: "Park", size: 4 } }),
  ticket({ id: "3", status: "Waiting", statusKind: "pending", customFields: { store: "" } }),
  ticket({ id: "4", status: "Open", customFields: {} }),
];

const store = field("store", "Store", "text");
const bounds = { records: 1_000, pages: 20, words: 200, people: 50_000 };

const source = sideWith({
  source: {
    helpdesk: [
      sourceOf(helpdesk.users, users, { size: 100 }),
      sourceOf(helpdesk.tickets, tickets, { size: 2, customFields: async () => [store] }),
      sourceOf(helpdesk.organizations, []),
    ],
  },
});

const people = [person("70", "Person 3", "P3@acme.example"), person("71", "Kim Sample")];

const destination = sideWith({
  destination: {
    helpdesk: [
      destinationOf(helpdesk.users, { people: async () => people }),
      destinationOf(helpdesk.tickets, {
        customFields: async () => [field("cf_1", "Store", "text")],
        options: async () => ({
          status: [
            { value: "stalled", label: "Stalled", kind: "pending" },
            { value: "", label: "(none)" },
            { value: "odd", label: "Odd", kind: "no such meaning" },
          ],
          color: [{ value: "red", label: "Red" }],
        }),
      }),
    ],
  },
});

const factsOf = async (stream: string) => {
  const facts = await gatherFacts(source, destination, "helpdesk");
  return facts.streams.find(({ name }) => name === stream);
};

test("lists what both tools have by stream, in the order of copying", async () => {
  const { streams } = await gatherFacts(source, destination, "helpdesk");
  expect(streams.map(({ name }) => name)).toEqual(Object.keys(helpdesk));
  expect(streams.filter((each) => each.readable && each.writable).map(({ name }) => name)).toEqual([
    "users",
    "tickets",
  ]);
});

test("words are counted, the most frequent first, with their most common meaning", async () => {
  const found = await factsOf("tickets");
  expect(found?.words).toEqual({
    status: [
      { word: "Waiting", kind: "pending", count: 3 },
      { word: "Open", kind: "open", count: 1 },
    ],
    priority: [
      { word: "", kind: null, count: 3 },
      { word: "High", kind: null, count: 1 },
    ],
    type: [{ word: "", kind: null, count: 4 }],
  });
  expect([found?.looked, found?.all]).toEqual([4, true]);
});

test("fields come with how many records use them, including fields that only records show", async () => {
  const found = await factsOf("tickets");
  expect(found?.sourceFields).toEqual([
    { ...store, used: 2, samples: ["Hill", "Park"] },
    { ...field("size", "size", "number"), used: 1, samples: ["4"] },
  ]);
});

test("the destination's words come without meanings unknown to the family", async () => {
  expect((await factsOf("tickets"))?.destinationWords).toEqual({
    status: [
      { value: "stalled", label: "Stalled", kind: "pending" },
      { value: "odd", label: "Odd" },
    ],
  });
});

test("all people of the source are read page by page, and matched", async () => {
  const facts = await gatherFacts(source, destination, "helpdesk");
  expect(facts.people.source).toHaveLength(450);
  expect(facts.people.source[3]).toMatchObject({ suggestion: { kind: "match", id: "70", confidence: 1 } });
  expect(facts.people.destination).toEqual(people);
  expect(facts.people.complete).toBe(true);
});

test("reads no more than the bounds, and reports that", async () => {
  const asked: unknown[] = [];
  const endless = sourceOf(helpdesk.tickets, [], {
    readPage: async (_io, at) => {
      asked.push(at.cursor);
      const start = Number(at.cursor?.start ?? 0);
      const records = Array.from({ length: 10 }, (_, index) =>
        ticket({ id: String(start + index), status: `S${start + index}` }),
      );
      return { records, next: { start: start + 10 } };
    },
  });
  const wide = sideWith({ source: { helpdesk: [sourceOf(helpdesk.users, users), endless] } });
  const few = { ...bounds, pages: 4, words: 15, people: 120 };
  const { streams, people: found } = await gatherFacts(wide, destination, "helpdesk", few);
  const facts = streams.find(({ name }) => name === "tickets");
  expect(asked).toHaveLength(4);
  expect([facts?.looked, facts?.all, facts?.words.status?.length]).toEqual([40, false, 15]);
  expect([found.source.length, found.complete]).toEqual([120, false]);
  const short = await gatherFacts(wide, destination, "helpdesk", { ...bounds, records: 25 });
  expect(short.streams.find(({ name }) => name === "tickets")?.looked).toBe(25);
});

test("a cyclic list of people terminates", async () => {
  const circle = sourceOf(helpdesk.users, [], {
    readPage: async () => ({ records: users.slice(0, 2), next: { start: 0 } }),
  });
  const side = sideWith({ source: { helpdesk: [circle] } });
  const { people: found } = await gatherFacts(side, destination, "helpdesk", { ...bounds, people: 50 });
  expect([found.source.length, found.complete]).toEqual([2, false]);
});

test("a large stream is sampled at several positions", async () => {
  const places: unknown[] = [];
  const sliced = sourceOf(helpdesk.tickets, tickets, {
    slices: async () => [{ start: 0 }, { start: 2 }],
    readPage: async (_io, { cursor }) => {
      places.push(cursor?.start);
      const start = Number(cursor?.start);
      return { records: tickets.slice(start, start + 2), next: null };
    },
  });
  const facts = await gatherFacts(sideWith({ source: { helpdesk: [sliced] } }), destination, "helpdesk");
  expect(places).toEqual([0, 2]);
  expect(facts.streams.find(({ name }) => name === "tickets")?.looked).toBe(4);
});

test("a stream that is read per parent is sampled below a few parents", async () => {
  const parents: unknown[] = [];
  const perGroup = sourceOf(helpdesk.tickets, [], {
    perParent: "groups",
    readPage: async (_io, { parentId }) => {
      parents.push(parentId);
      return { records: [ticket({ id: `t${parentId}` })], next: null };
    },
  });
  const groups = sourceOf(
    helpdesk.groups,
    ["1", "2"].map((id) => helpdesk.groups.make({ id, name: id })),
  );
  const side = sideWith({ source: { helpdesk: [groups, perGroup] } });
  const there = sideWith({
    destination: { helpdesk: [destinationOf(helpdesk.groups), destinationOf(helpdesk.tickets)] },
  });
  const { streams } = await gatherFacts(side, there, "helpdesk");
  expect(parents).toEqual(["1", "2"]);
  expect(streams.find(({ name }) => name === "tickets")).toMatchObject({ looked: 2, all: false });
});

const refusing = (recovery: ConnectorError["recovery"]) =>
  sideWith({
    destination: {
      helpdesk: [
        destinationOf(helpdesk.users, {
          people: async () => {
            throw new ConnectorError({ recovery, code: "forbidden", message: "People are not shown." });
          },
        }),
      ],
    },
  });

test("a tool's refusal is noted, and the rest is gathered", async () => {
  const facts = await gatherFacts(source, refusing("abort"), "helpdesk");
  expect(facts.notes).toEqual(["People are not shown."]);
  expect(facts.people).toMatchObject({ destination: [], complete: true });
  expect(facts.people.source).toHaveLength(450);
});

test.each(["retry", "reauthorize"] as const)("a %s error is left to the caller", async (recovery) => {
  await expect(gatherFacts(source, refusing(recovery), "helpdesk")).rejects.toThrow("People are not shown.");
});

test("the streams that an instance offers count, not those that its kind of tool can have", async () => {
  const offering = sideWith({ ...destination.connector, offers: async () => ({ helpdesk: [] }) });
  const { streams } = await gatherFacts(source, offering, "helpdesk");
  expect(streams.some(({ writable }) => writable)).toBe(false);
});

test("names that no mapping can hold are left to the connectors, and nothing fails", async () => {
  const hostile = ["a\0b", "\ud800", "__proto__", "x".repeat(2_000)];
  const records = hostile.map((word, index) =>
    ticket({ id: String(index), status: word, customFields: { [word]: "1" } }),
  );
  const side = sideWith({
    source: {
      helpdesk: [
        sourceOf(helpdesk.tickets, records, {
          customFields: async () => [
            ...hostile.map((word) => field(word, word, "text")),
            field("ok", "a\0b", "choice", { options: hostile.map((value) => ({ value, label: value })) }),
          ],
        }),
      ],
    },
  });
  const facts = await gatherFacts(side, destination, "helpdesk");
  const found = facts.streams.find(({ name }) => name === "tickets");
  expect(found?.words.status).toEqual([]);
  expect(found?.sourceFields).toEqual([
    { ...field("ok", "ab", "choice", { options: [] }), used: 0, samples: [] },
  ]);
  const mapping = suggestMapping(facts);
  expect(mappingSchema.parse(mapping)).toEqual(mapping);
});
