import { helpdesk } from "@portage/connector-kit";
import { expect, test } from "vitest";
import { emptyMapping, mappingSchema } from "../model/mapping.ts";
import type { PreviewNames } from "./moved-fields.ts";
import { previewOf, previewRecord } from "./preview-record.ts";
import { sideWith, sourceOf, ticket } from "../testing/memory-connector.ts";

const who = (id: string, name: string) => ({ stream: "users", id, name, email: null });

const robin = ticket({
  id: "1",
  status: "Pending",
  statusKind: "pending",
  assignee: who("7", "Robin Sample"),
  author: who("8", "Jamie Example"),
  requester: { stream: "contacts", id: "8", name: "Sam Example", email: null },
  followers: [
    { stream: "users", id: "7" },
    { stream: "contacts", id: "5" },
  ],
  customFields: { lead: "7" },
});

const mapping = mappingSchema.parse({
  people: { choices: { "7": { to: "person", id: "70" } }, unmatched: "nobody" },
  streams: {
    tickets: {
      words: { status: { Pending: { to: "Waiting" } } },
      fields: { lead: { as: "field", to: "cf_1" } },
      source: { lead: { label: "Lead", type: "person" } },
      destination: { cf_1: { label: "Lead", type: "person" } },
    },
  },
});

const names: PreviewNames = {
  nameOf: (id) => (id === "7" ? "Robin Sample" : null),
  destinationNameOf: (id) => (id === "70" ? "Robin S." : null),
  destinationWordOf: (_stream, field, word) => (field === "status" && word === "Waiting" ? "On hold" : word),
};

const { io } = sideWith({});

test("a preview shows words, people and fields as they will be, and the record as it is", () => {
  const { before, after, fields } = previewOf(mapping, helpdesk.tickets, robin, names);
  expect(before).toBe(robin);
  expect(after).toMatchObject({
    status: "Waiting",
    assignee: { id: "70", name: "Robin S." },
    author: { id: null, name: "Jamie Example" },
    requester: { id: "8", name: "Sam Example" },
    followers: [
      { stream: "users", id: "70" },
      { stream: "contacts", id: "5" },
    ],
    customFields: { cf_1: "70" },
  });
  const shown = Object.fromEntries(fields.map((each) => [each.field, each]));
  expect(shown.status).toMatchObject({ before: "Pending", after: "On hold", change: "matched" });
  expect(shown.assignee).toMatchObject({ before: "Robin Sample", after: "Robin S.", change: "matched" });
  expect(shown["customFields.lead"]).toMatchObject({ before: "Robin Sample", after: "Robin S." });
});

test("a field without a choice is not shown as if it stayed a field", () => {
  const noted = mappingSchema.parse({
    streams: {
      tickets: {
        fields: { lead: { as: "note" } },
        source: { lead: { label: "Lead", type: "text" } },
      },
    },
  });
  const { fields } = previewOf(noted, helpdesk.tickets, robin, names);
  expect(fields.find(({ field }) => field === "customFields.lead")).toMatchObject({
    before: "7",
    after: "7",
    change: "converted",
    why: expect.stringContaining("“Lead” has no field of its own in the new tool") as string,
  });
});

test("members without a match are left out, and copies stay", () => {
  const group = helpdesk.groups.make({ id: "1", name: "Service", memberIds: ["7", "8"] });
  expect(previewOf(mapping, helpdesk.groups, group).after).toMatchObject({ memberIds: ["70"] });
  expect(previewOf(emptyMapping, helpdesk.groups, group).after).toMatchObject({ memberIds: ["7", "8"] });
});

test("finds the record by its id, or the first; writes nothing", async () => {
  const source = sourceOf(helpdesk.tickets, [ticket({ id: "5", subject: "First" }), robin]);
  const preview = (id: string | null) =>
    previewRecord({ source, io, mapping, names }, id === null ? { at: 0 } : { id });
  expect(await preview("1")).toMatchObject({ kind: "preview", before: robin });
  expect(await preview(null)).toMatchObject({ kind: "preview", before: { subject: "First" } });
  expect(await preview("99")).toEqual({ kind: "missing" });
});

test("an answer with another record counts as missing", async () => {
  const source = sourceOf(helpdesk.tickets, [], { readByIds: async () => [robin] });
  expect(await previewRecord({ source, io, mapping }, { id: "99" })).toEqual({ kind: "missing" });
});

test("a stream that is empty, or is read per parent, has no first record", async () => {
  const empty = sourceOf(helpdesk.tickets, []);
  expect(await previewRecord({ source: empty, io, mapping }, { at: 0 })).toEqual({ kind: "missing" });
  const child = sourceOf(helpdesk.tickets, [robin], { perParent: "groups" });
  expect(await previewRecord({ source: child, io, mapping }, { at: 0 })).toEqual({ kind: "missing" });
});
