import { type FamilyRecord, helpdesk } from "@portage/connector-kit";
import { array, assert, constantFrom, integer, property, record, uniqueArray } from "fast-check";
import { expect, test } from "vitest";
import { type SampleCandidate, candidateOf, candidateKey, withChild } from "./candidate.ts";
import { chooseSample } from "./choose-sample.ts";
import { facetKey } from "./facets.ts";

const options = { limit: 20, main: "tickets" };

const ticket = (id: number, known: object = {}): FamilyRecord =>
  helpdesk.tickets.make({
    id: String(id),
    createdAt: new Date(Date.UTC(2024, 0, 1) + id * 86_400_000).toISOString(),
    subject: `Ticket ${id}`,
    description: { format: "plain", text: "Hello.", references: [] },
    status: "open",
    statusKind: "open",
    ...known,
  });

const candidates = (records: readonly FamilyRecord[]) =>
  records.map((each) => candidateOf(helpdesk.tickets, each));

const chosenIds = (all: readonly SampleCandidate[], given: Partial<typeof options> = {}) =>
  chooseSample(all, { ...options, ...given }).chosen.map(({ id }) => id);

const said = (facets: readonly { about: string; value: string }[]) =>
  facets.map(({ about, value }) => `${about} ${value}`);

test("every status, priority, type, kind of author, custom field and odd text is in the sample", () => {
  const dull = Array.from({ length: 400 }, (_, index) => ticket(index + 100));
  const odd = [
    ticket(1, { status: "waiting for delivery", statusKind: "pending" }),
    ticket(2, { priority: "burning" }),
    ticket(3, { type: "incident" }),
    ticket(4, { author: { stream: "contacts", id: "7" } }),
    ticket(5, { author: { stream: "users", id: "7" } }),
    ticket(6, { author: { name: "Jo" } }),
    ticket(7, { customFields: { color: "red", empty: "", none: null, list: [] } }),
    ticket(8, { customFields: { size: 0 } }),
    ticket(9, { subject: "👍" }),
    ticket(10, { subject: "שלום" }),
    ticket(11, { subject: "日本語" }),
    ticket(12, { description: { format: "html", text: "<p>Hello</p>", references: [] } }),
    ticket(13, { description: { format: "plain", text: "x".repeat(6_000), references: [] } }),
    ticket(14, { description: null }),
    ticket(15, { tags: ["a"] }),
    ticket(16, { assignee: { stream: "users", id: "1" } }),
  ];
  const { chosen, missed } = chooseSample(candidates([...dull, ...odd]), options);
  expect(missed).toEqual([]);
  expect(chosen).toHaveLength(20);
  expect(odd.map(({ id }) => id).filter((id) => !chosen.some((each) => each.id === id))).toEqual([]);
  const covers = said(chosen.flatMap((each) => each.covers));
  for (const wanted of [
    "status open",
    "status waiting for delivery",
    "priority burning",
    "type incident",
    "author none",
    "author contacts",
    "author users",
    "author name_only",
    "field color",
    "field size",
    "text emoji",
    "text right_to_left",
    "text other_script",
    "text html",
    "text long",
    "text empty",
    "format html",
    "relation tags",
    "relation assignee",
    "extreme oldest",
    "extreme newest",
  ])
    expect(covers, wanted).toContain(wanted);
  expect(covers.join()).not.toMatch(/field (empty|none|list)/);
  expect(new Set(covers).size).toBe(covers.length);
});

test("the longest thread and the largest file are in it", () => {
  const all = candidates(Array.from({ length: 50 }, (_, index) => ticket(index + 1)));
  const comment = helpdesk.comments.make({
    id: "1",
    ticketId: "30",
    visibility: "internal",
    body: { format: "plain", text: "A note.", references: [] },
  });
  const file = helpdesk.attachments.make({
    id: "1",
    parent: { stream: "tickets", id: "31" },
    fileName: "a.bin",
    contentType: "application/octet-stream",
    size: 5_000_000,
  });
  const seen = all.map((each) => {
    if (each.id === "30")
      return withChild(withChild(each, helpdesk.comments, comment), helpdesk.comments, comment);
    return each.id === "31" ? withChild(each, helpdesk.attachments, file) : each;
  });
  const { chosen } = chooseSample(seen, { ...options, limit: 5 });
  expect(said(chosen.find(({ id }) => id === "30")?.covers ?? [])).toEqual(
    expect.arrayContaining(["extreme longest_thread", "visibility internal"]),
  );
  expect(said(chosen.find(({ id }) => id === "31")?.covers ?? [])).toContain("extreme largest_file");
});

test("what a record brings along counts as shown: no organization is chosen for what a ticket's own has", () => {
  const organization = (id: string, customFields: object) =>
    candidateOf(
      helpdesk.organizations,
      helpdesk.organizations.make({ id, name: "Acme", customFields } as never),
    );
  const all = [
    ...candidates([ticket(1, { organizationId: "9" }), ticket(2), ticket(3)]),
    organization("8", { vip: true }),
    organization("9", { vip: true }),
    organization("10", { region: "north" }),
  ];
  const { chosen, missed } = chooseSample(all, options);
  expect(missed).toEqual([]);
  expect(chosen.map(candidateKey).toSorted()).toEqual([
    "organizations/10",
    "tickets/1",
    "tickets/2",
    "tickets/3",
  ]);
});

test("a field that holds texts instead of words does not fill the sample", () => {
  const all = candidates(
    Array.from({ length: 300 }, (_, index) => ticket(index + 1, { type: `note ${index}` })),
  );
  expect(chooseSample(all, options).missed).toEqual([]);
});

test("records that a person added come on top of the limit, and first", () => {
  const all = [
    ...candidates(Array.from({ length: 30 }, (_, index) => ticket(index + 1))),
    candidateOf(helpdesk.tickets, ticket(500, { status: "odd" }), true),
  ];
  const { chosen } = chooseSample(all, { ...options, limit: 4 });
  expect(chosen).toHaveLength(5);
  expect(chosen[0]).toMatchObject({ id: "500", why: "added" });
});

test("the rest of the limit is filled with the newest", () => {
  const all = candidates(Array.from({ length: 30 }, (_, index) => ticket(index + 1)));
  expect(chosenIds(all, { limit: 5 }).toSorted()).toEqual(["1", "27", "28", "29", "30"]);
});

const anyCandidates = array(
  record({
    stream: constantFrom("tickets", "organizations", "articles"),
    id: integer({ min: 1, max: 40 }).map(String),
    facets: uniqueArray(integer({ min: 0, max: 30 }), { maxLength: 4 }),
    brings: uniqueArray(integer({ min: 1, max: 40 }), { maxLength: 2 }),
    createdAt: constantFrom(null, "2024-01-01T00:00:00.000Z", "2024-06-01T00:00:00.000Z"),
    children: integer({ min: 0, max: 3 }),
  }),
  { maxLength: 80 },
).map((all) =>
  all.map(
    ({ facets, brings, ...rest }): SampleCandidate => ({
      ...rest,
      facets: facets.map((value) => facetKey({ stream: rest.stream, about: "field", value: String(value) })),
      brings: brings.map((id) => `organizations/${id}`),
      textLength: 0,
      largestFile: 0,
      added: false,
    }),
  ),
);

test("never more than the limit; facets are missed only for lack of space; the same in any order", () => {
  let full = 0;
  assert(
    property(anyCandidates, integer({ min: 1, max: 8 }), (all, limit) => {
      const { chosen, missed, seen } = chooseSample(all, { ...options, limit });
      expect(chosen.length).toBeLessThanOrEqual(limit);
      expect(new Set(chosen.map(candidateKey)).size).toBe(chosen.length);
      const covers = chosen.flatMap((each) => each.covers.map(facetKey));
      expect(new Set([...covers, ...missed.map(facetKey)]).size).toBe(seen);
      expect(covers.length + missed.length).toBe(seen);
      if (missed.length > 0) {
        full += 1;
        expect(chosen.length).toBe(limit);
      }
      const once = [...new Map(all.map((each) => [candidateKey(each), each])).values()];
      expect(chooseSample(once.toReversed(), { ...options, limit })).toEqual(
        chooseSample(once, { ...options, limit }),
      );
    }),
    { numRuns: 500 },
  );
  expect(full).toBeGreaterThan(10);
});
