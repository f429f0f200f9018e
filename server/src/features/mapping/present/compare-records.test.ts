import { type FieldChange, helpdesk, projects } from "@portage/connector-kit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compareRecords, type ReadAs } from "./compare-records.ts";
import { sameValue, shownValue } from "./shown-value.ts";
import { mappingSchema } from "../model/mapping.ts";
import { movedFields } from "./moved-fields.ts";
import { anyTicket } from "../testing/arbitraries.ts";
import { ticket } from "../testing/memory-connector.ts";

const who = (id: string | null, name: string) => ({ stream: "users", id, name, email: null });

const before = ticket({
  id: "10482",
  status: "Pending",
  statusKind: "pending",
  createdAt: "2025-09-12T09:41:00.400Z",
  assignee: who("7", "Robin Sample"),
  author: who("8", "Jamie Example"),
  groupId: "3",
  organizationId: "5",
  tags: ["brakes", "service"],
  description: { format: "html", text: "<p>Loose</p>\r\n", references: [] },
});

const compare = (changed: object, changes: readonly FieldChange[] = [], readAs: ReadAs = {}) =>
  Object.fromEntries(
    compareRecords(helpdesk.tickets, before, { ...before, ...changed }, changes, readAs).map((each) => [
      each.field,
      each,
    ]),
  );

test("equivalent values are the same: whole seconds, line breaks, the order of tags, ids of the other tool", () => {
  const found = compare({
    id: "AD-35",
    createdAt: "2025-09-12T09:41:00.000Z",
    assignee: who("70", "Robin Sample"),
    groupId: "30",
    tags: ["service", "brakes"],
    description: { format: "html", text: "<p>Loose</p>", references: [] },
  });
  expect(Object.values(found).filter(({ change }) => change)).toEqual([]);
  expect(found.id).toBeUndefined();
  expect(found.statusKind).toBeUndefined();
  expect(found.groupId).toBeUndefined();
  expect(found.assignee).toEqual({
    field: "assignee",
    label: "Assigned to",
    before: "Robin Sample",
    after: "Robin Sample",
    person: "7",
  });
});

test("matched people carry their ids, and bare ids are not listed", () => {
  const following = {
    ...before,
    requester: { ...who("9", "Sam Example"), stream: "contacts" },
    followers: [{ stream: "users", id: "7" }],
  };
  const there = { ...following, followers: [{ stream: "users", id: "70" }] };
  const found = compareRecords(helpdesk.tickets, following, there, []);
  const person = (field: string) => found.find((each) => each.field === field)?.person;
  expect(person("author")).toBe("8");
  expect(person("requester")).toBeUndefined();
  expect(found.map(({ field }) => field)).not.toContain("followers");
});

test("a field changed by the mapping is marked as matched", () => {
  expect(compare({ status: "Waiting on customer" }).status).toEqual({
    field: "status",
    label: "Status",
    before: "Pending",
    after: "Waiting on customer",
    change: "matched",
    why: "As you matched it.",
  });
});

test("a reported change supplies its sentence, also if reported for a part", () => {
  const changes: FieldChange[] = [
    { field: "subject", change: "truncated", why: "One line of 5 characters." },
    { field: "author.id", change: "cleared", why: "The new tool has no such person." },
  ];
  const found = compare({ subject: "Brak", author: who(null, "Jamie Example") }, changes);
  expect(found.subject).toMatchObject({ change: "truncated", why: "One line of 5 characters." });
  expect(found.author).toMatchObject({
    change: "cleared",
    why: "The new tool has no such person.",
    after: "Jamie Example",
  });
});

test("the tool's change takes precedence over the mapping's, unless it loses less", () => {
  const planned: FieldChange = { field: "subject", change: "converted", why: "It goes along." };
  const declared: FieldChange = { field: "subject", change: "cleared", why: "It is in the text." };
  const again: FieldChange = { field: "subject", change: "converted", why: "In capitals." };
  const why = (...changes: readonly FieldChange[]) => compare({ subject: "BRAKES" }, changes).subject?.why;
  expect(why(planned, declared)).toBe("It is in the text.");
  expect(why(planned, again)).toBe("In capitals.");
  expect(why({ ...declared, change: "truncated", why: "Cut." }, again)).toBe("Cut.");
});

test("a field that became empty is a loss, although the change announced a conversion", () => {
  const changes: FieldChange[] = [{ field: "tags", change: "converted", why: "They go along." }];
  expect(compare({ tags: [] }, changes).tags).toMatchObject({ change: "cleared", why: "They go along." });
});

test("a field that became empty without a reported change is a loss", () => {
  const found = compare({ tags: [], organizationId: null });
  expect(found.tags).toMatchObject({ change: "cleared", before: ["brakes", "service"], after: [] });
  expect(found.organizationId).toMatchObject({ label: "Organization", change: "cleared", after: null });
});

test("a field empty on both sides is not listed, and one that is new is", () => {
  expect(compare({}).priority).toBeUndefined();
  expect(compare({ priority: "Low" }).priority).toMatchObject({
    before: null,
    after: "Low",
    change: "matched",
  });
});

test("labels are words", () => {
  const task = projects.tasks.make({
    id: "1",
    projectId: "1",
    title: "T",
    status: "New",
    statusKind: "todo",
    watcherIds: ["1"],
    estimatedMinutes: 3,
  });
  const labels = compareRecords(projects.tasks, task, { ...task, watcherIds: [] } as typeof task, []).map(
    ({ label }) => label,
  );
  expect(labels).toEqual(["Title", "Status", "Watchers", "Estimate (minutes)", "Visibility"]);
});

const mapping = mappingSchema.parse({
  streams: {
    tickets: {
      fields: {
        model: { as: "field", to: "cf_1" },
        order: { as: "field", to: "cf_2" },
        cost: { as: "nothing" },
        shelf: { as: "note" },
        lost: { as: "field", to: "cf_9" },
      },
      source: {
        model: { label: "Bike model", type: "choice", options: [{ value: "1", label: "City 3" }] },
        order: { label: "Order number", type: "text" },
        cost: { label: "Internal cost", type: "number" },
        shelf: { label: "Shelf", type: "text" },
        lost: { label: "Lost", type: "text" },
      },
      destination: {
        cf_1: { label: "Product", type: "choice", options: [{ value: "9", label: "City 3" }] },
        cf_2: { label: "Order number", type: "text" },
      },
    },
  },
});

test("custom fields are compared with their target, by the labels of their options", () => {
  const old = ticket({
    id: "1",
    customFields: { model: "1", order: "EX-1", cost: 4, shelf: "A", lost: "x" },
  });
  const copy = ticket({ id: "2", customFields: { cf_1: "9", cf_2: "EX", Shelf: "A" } });
  const changes: FieldChange[] = [{ field: "customFields.cf_2", change: "truncated", why: "It takes 2." }];
  const found = compareRecords(helpdesk.tickets, old, copy, changes, {
    moved: movedFields(mapping, helpdesk.tickets),
  });
  expect(found.filter(({ field }) => field.startsWith("customFields."))).toEqual([
    {
      field: "customFields.model",
      label: "Bike model",
      before: "City 3",
      after: "City 3",
      change: "matched",
      why: "Now in “Product”.",
    },
    {
      field: "customFields.order",
      label: "Order number",
      before: "EX-1",
      after: "EX",
      change: "truncated",
      why: "It takes 2.",
    },
    {
      field: "customFields.cost",
      label: "Internal cost",
      before: 4,
      after: null,
      change: "cleared",
      why: "Left behind, as you chose.",
    },
    { field: "customFields.shelf", label: "Shelf", before: "A", after: "A" },
    {
      field: "customFields.lost",
      label: "Lost",
      before: "x",
      after: null,
      change: "cleared",
      why: "The field that it was matched with is not there.",
    },
  ]);
});

test("a word reads as the new tool labels it, and a label that is the old word is no change", () => {
  const toWord = (field: string, word: string) =>
    field === "status" ? ({ "2": "On hold", "3": "Pending" }[word] ?? word) : word;
  const statusOf = (status: string) => compare({ status }, [], { toWord })["status"];
  expect(statusOf("2")).toMatchObject({ before: "Pending", after: "On hold", change: "matched" });
  expect(statusOf("3")).toEqual({ field: "status", label: "Status", before: "Pending", after: "Pending" });
  expect(statusOf("9")).toMatchObject({ after: "9" });
});

test("a record equals itself, whatever it holds", () => {
  fc.assert(
    fc.property(anyTicket, (given) => {
      expect(compareRecords(helpdesk.tickets, given, given, []).filter(({ change }) => change)).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
});

test("HTML is shown as it reads, and a copy with other addresses reads the same", () => {
  const html = (text: string) => ({ format: "html" as const, text, references: [] });
  const written = html('<p>It <b>hums</b>.</p><p><img src="/files/1" alt="photo.png"></p>');
  expect(shownValue(written)).toBe("It hums.\n\nphoto.png");
  expect(
    sameValue(
      written,
      html('<p>It <b>hums</b>.</p><p><img src="https://new.example/7" alt="photo.png"></p>'),
    ),
  ).toBe(true);
  expect(sameValue(written, html("<p>It hums.</p><p>photo.png</p>"))).toBe(false);
  expect(sameValue(written, html("<p>It hummed.</p>"))).toBe(false);
});
