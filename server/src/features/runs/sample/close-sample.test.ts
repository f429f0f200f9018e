import { type FamilyRecord, helpdesk, projects, referencesOf } from "@portage/connector-kit";
import { textReferencesOf } from "@portage/connector-kit/rich-text";
import { array, assert, asyncProperty, constantFrom, integer, option, record, uniqueArray } from "fast-check";
import { expect, test } from "vitest";
import { type SampleBounds, sampleBounds } from "./bounds.ts";
import { type ChooseWork, newWork, workFromText, workToText } from "./choose-work.ts";
import { closeSample, newClosure } from "./close-sample.ts";
import { searchChildren, searchPlaces } from "./search-children.ts";
import { atKey, candidateOf, candidateKey } from "./candidate.ts";
import { memorySource, type Records, type Way } from "../../../../../test/runs/memory-source.ts";

const most = 12;
const anyId = integer({ min: 1, max: most }).map(String);
const wide = { ...sampleBounds, records: 100_000, childrenPerParent: 100_000, searched: 1_000_000 };

const anyTool = record({
  tickets: array(
    record({
      organizationId: option(anyId),
      followers: uniqueArray(anyId, { maxLength: 2 }),
      links: uniqueArray(anyId, { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: most },
  ),
  contacts: array(record({ organizationId: option(anyId) }), { maxLength: most }),
  organizations: integer({ min: 0, max: most }),
  comments: array(
    record({ ticketId: anyId, author: option(anyId), links: uniqueArray(anyId, { maxLength: 1 }) }),
    {
      maxLength: 40,
    },
  ),
  attachments: array(
    record({ stream: constantFrom("tickets", "comments"), id: integer({ min: 1, max: 40 }) }),
    {
      maxLength: 30,
    },
  ),
});

type Tool = typeof anyTool extends { generate(...args: never): { value: infer T } } ? T : never;

const textWith = (links: readonly string[]) => ({
  format: "plain" as const,
  text: links.map((id) => `#${id}`).join(" "),
  references: links.map((id) => ({ kind: "link" as const, url: `#${id}`, to: { stream: "tickets", id } })),
});

const numbered = <X, R>(all: readonly X[], make: (each: X, id: string) => R): readonly R[] =>
  all.map((each, index) => make(each, String(index + 1)));

const recordsOf = (tool: Tool): Records => ({
  organizations: numbered(Array.from({ length: tool.organizations }), (_, id) =>
    helpdesk.organizations.make({ id, name: "Acme" }),
  ),
  contacts: numbered(tool.contacts, (known, id) => helpdesk.contacts.make({ id, name: "Person", ...known })),
  tickets: numbered(tool.tickets, ({ organizationId, followers, links }, id) =>
    helpdesk.tickets.make({
      id,
      subject: "",
      status: "open",
      statusKind: "open",
      organizationId,
      description: textWith(links),
      followers: followers.map((each) => ({ stream: "contacts", id: each })),
    }),
  ),
  comments: numbered(tool.comments, ({ ticketId, author, links }, id) =>
    helpdesk.comments.make({
      id,
      ticketId,
      visibility: "public",
      body: textWith(links),
      author: author === null ? null : { stream: "contacts", id: author },
    }),
  ),
  attachments: numbered(tool.attachments, (parent, id) =>
    helpdesk.attachments.make({
      id,
      fileName: "a",
      contentType: "text/plain",
      parent: { stream: parent.stream, id: String(parent.id) },
    }),
  ),
});

const streamOf = (name: string) => helpdesk[name as keyof typeof helpdesk] as never;

/** The same by plain search through everything. */
const closedByHand = (records: Records, roots: readonly string[]) => {
  const all = new Map(
    Object.entries(records).flatMap(([stream, own]) =>
      own.map((each) => [candidateKey({ stream, id: each.id }), { stream, each }] as const),
    ),
  );
  const parts = new Set(roots.filter((key) => all.has(key)));
  for (let before = -1; before < parts.size; ) {
    before = parts.size;
    for (const [key, { stream, each }] of all) {
      if (stream !== "comments" && stream !== "attachments") continue;
      const owner = referencesOf(streamOf(stream), each).find(({ field }) =>
        ["ticketId", "parent"].includes(field),
      );
      if (owner && parts.has(`${owner.stream}/${owner.id}`)) parts.add(key);
    }
  }
  const found = new Set(parts);
  const waiting = [...parts];
  for (let key = waiting.shift(); key !== undefined; key = waiting.shift()) {
    const { stream, each } = all.get(key) ?? {};
    if (!stream || !each) continue;
    const to = [...referencesOf(streamOf(stream), each), ...(parts.has(key) ? textReferencesOf(each) : [])];
    for (const next of to.map((reference) => `${reference.stream}/${reference.id}`))
      if (all.has(next) && !found.has(next)) {
        found.add(next);
        waiting.push(next);
      }
  }
  return found;
};

/** Closes a sample, and restores the work from its stored form before each step. */
const close = async (records: Records, rootIds: readonly string[], way: Way, bounds: SampleBounds) => {
  const { reader } = memorySource("helpdesk", records, way);
  let work: ChooseWork = newWork(1);
  for (const each of records.tickets ?? [])
    if (rootIds.includes(each.id))
      work.candidates.set(`tickets/${each.id}`, candidateOf(streamOf("tickets"), each));
  work.searches.push(...searchPlaces(reader));
  while (await searchChildren(work, reader, bounds)) work = workFromText(workToText(work));
  work.closure = newClosure(rootIds.map((id) => ({ stream: "tickets", id, why: "chosen" })));
  let steps = 0;
  while (work.closure && (await closeSample(work, work.closure, reader, bounds))) {
    work = workFromText(workToText(work));
    steps += 1;
    expect(steps).toBeLessThan(2_000);
  }
  const { closure } = work;
  return { keys: new Set(closure?.records.keys()), closure };
};

const ways = ["per-parent", "by-parents", "searched"] as const;

test("a sample is exactly what its records need and what belongs to them, in whatever way it is read", async () => {
  let grown = 0;
  await assert(
    asyncProperty(anyTool, uniqueArray(anyId, { minLength: 1, maxLength: 3 }), async (tool, rootIds) => {
      const records = recordsOf(tool);
      const wanted = closedByHand(
        records,
        rootIds.map((id) => `tickets/${id}`),
      );
      if (wanted.size > rootIds.length + 3) grown += 1;
      for (const way of ways) {
        const { keys, closure } = await close(records, rootIds, way, wide);
        expect([...keys].toSorted(), way).toEqual([...wanted].toSorted());
        expect(closure).toMatchObject({ left: 0, cut: [] });
      }
    }),
    { numRuns: 200 },
  );
  expect(grown).toBeGreaterThan(10);
});

test("a full sample takes only what its records require, and reports what it left", async () => {
  let left = 0;
  await assert(
    asyncProperty(anyTool, uniqueArray(anyId, { minLength: 1, maxLength: 3 }), async (tool, rootIds) => {
      const records = recordsOf(tool);
      const bounds = { ...wide, records: 6, childrenPerParent: 2 };
      for (const way of ways) {
        const { keys, closure } = await close(records, rootIds, way, bounds);
        expect(keys.size).toBeLessThanOrEqual(Math.max(bounds.records, rootIds.length));
        // A comment is never there without its ticket, a file never without its parent.
        for (const { stream, id } of [...keys].map(atKey)) {
          const each = (records[stream] ?? []).find((one) => one.id === id) as FamilyRecord;
          for (const to of referencesOf(streamOf(stream), each))
            if (["ticketId", "parent"].includes(to.field))
              expect(keys.has(`${to.stream}/${to.id}`)).toBe(true);
        }
        const whole = await close(records, rootIds, way, wide);
        const reported = (closure?.left ?? 0) + (closure?.cut.length ?? 0);
        if (keys.size < whole.keys.size) {
          left += 1;
          expect(reported).toBeGreaterThan(0);
        }
      }
    }),
    { numRuns: 100 },
  );
  expect(left).toBeGreaterThan(10);
});

test("a long thread is cut, and reported", async () => {
  const records = recordsOf({
    tickets: [{ organizationId: null, followers: [], links: [] }],
    contacts: [],
    organizations: 0,
    comments: Array.from({ length: 30 }, () => ({ ticketId: "1", author: null, links: [] })),
    attachments: [],
  });
  for (const way of ways) {
    const { keys, closure } = await close(records, ["1"], way, { ...sampleBounds, childrenPerParent: 10 });
    expect(keys.size, way).toBe(11);
    expect(closure?.cut, way).toEqual(["tickets/1 comments"]);
  }
});

test("files that a tool lists per ticket are asked of tickets alone, also those of comments", async () => {
  const records = recordsOf({
    tickets: [{ organizationId: null, followers: [], links: [] }],
    contacts: [],
    organizations: 0,
    comments: Array.from({ length: 3 }, () => ({ ticketId: "1", author: null, links: [] })),
    attachments: [
      { stream: "tickets", id: 1 },
      { stream: "comments", id: 2 },
    ],
  });
  const asked: (string | null)[] = [];
  const { reader } = memorySource("helpdesk", records, "per-parent", (name) =>
    name === "attachments"
      ? {
          perParent: "tickets",
          readPage: async (_, { parentId }) => {
            asked.push(parentId);
            return { records: parentId === "1" ? (records.attachments ?? []) : [], next: null };
          },
        }
      : {},
  );
  const work = newWork(1);
  const closure = newClosure([{ stream: "tickets", id: "1", why: "chosen" }]);
  while (await closeSample(work, closure, reader, wide));
  expect([...closure.records.keys()].filter((key) => key.startsWith("attachments/")).toSorted()).toEqual([
    "attachments/1",
    "attachments/2",
  ]);
  expect(asked).toEqual(["1"]);
});

test("a link between tasks comes with either of them, and brings the other and its project", async () => {
  const task = (id: string) =>
    projects.tasks.make({ id, projectId: "1", title: "", status: "new", statusKind: "todo" });
  const records: Records = {
    projects: [projects.projects.make({ id: "1", name: "Acme" })],
    tasks: ["1", "2", "3"].map(task),
    relations: [projects.relations.make({ id: "9", fromTaskId: "2", toTaskId: "1", kind: "blocks" })],
  };
  const { reader } = memorySource("projects", records, "searched");
  const work = newWork(1);
  work.candidates.set("tasks/1", candidateOf(projects.tasks, task("1")));
  work.searches.push(...searchPlaces(reader));
  while (await searchChildren(work, reader, wide));
  const closure = newClosure([{ stream: "tasks", id: "1", why: "chosen" }]);
  while (await closeSample(work, closure, reader, wide));
  expect(Object.fromEntries(closure.records)).toEqual({
    "tasks/1": "chosen",
    "tasks/2": "needed",
    "projects/1": "needed",
    "relations/9": "needed",
  });
});
