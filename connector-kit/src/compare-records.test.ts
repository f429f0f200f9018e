import { expect, test } from "vitest";
import { leaveOutUnheld } from "./added-fields.ts";
import {
  changesOnTheWay,
  declaredBy,
  declaredOf,
  declaredTogether,
  differingFields,
} from "./compare-records.ts";
import { helpdesk } from "./families/index.ts";

const stream = helpdesk.tickets;
const wanted = stream.make({
  id: "1",
  subject: "Printer",
  status: "open",
  statusKind: "open",
  visibility: "public",
  createdAt: "2020-01-01T00:00:00.000Z",
  author: { stream: "users", id: "5", name: "Ana", email: null },
  requester: { stream: null, id: null, name: "Bo", email: null },
  description: { format: "plain", text: "It smokes.", references: [] },
  tags: ["a", "b"],
  followers: [
    { stream: "users", id: "1" },
    { stream: "users", id: "2" },
  ],
  customFields: { color: "red", "size.x": null },
});
const copy = { ...wanted, id: "77" };
const own = { id: null };

test("finds each field that differs, and custom fields by their path", () => {
  expect(differingFields(stream, wanted, copy, own)).toEqual([]);
  const got = {
    ...copy,
    subject: "printer",
    createdAt: null,
    author: null,
    requester: null,
    description: null,
    tags: ["a"],
    followers: [],
    customFields: {},
  };
  expect(differingFields(stream, wanted, got, own).toSorted()).toEqual(
    [
      "author",
      "createdAt",
      "customFields.color",
      "description",
      "followers",
      "requester",
      "subject",
      "tags",
    ].toSorted(),
  );
});

test("an account's other name, another order of labels and a text's own references are no difference", () => {
  const to = { kind: "link" as const, url: "#1", to: { stream: "tickets", id: "9" } };
  const got = {
    ...copy,
    author: { stream: "users", id: "5", name: "A. M.", email: "a@example.com" },
    tags: ["b", "a"],
    // Two people of the old tool who are one account here.
    followers: [...wanted.followers.toReversed(), ...wanted.followers],
    description: { format: "plain" as const, text: "It smokes.", references: [to] },
  };
  expect(differingFields(stream, wanted, got, own)).toEqual([]);
});

test("a declaration excuses its own field, and only the value that it promises", () => {
  const cut = { field: "subject", change: "truncated" as const, why: "Short." };
  const got = { ...copy, subject: "Print", tags: [] };
  expect(differingFields(stream, wanted, got, { ...own, ...declaredBy(stream, [cut]) })).toEqual(["tags"]);
  const promised = { ...own, ...declaredBy(stream, [{ ...cut, becomes: "Print" }]) };
  expect(differingFields(stream, wanted, got, promised)).toEqual(["tags"]);
  const shorter = { ...copy, subject: "Pri" };
  expect(differingFields(stream, wanted, shorter, promised)).toEqual(["subject"]);
  const dotted = declaredBy(stream, [{ ...cut, field: "customFields.size.x", becomes: "XL" }]);
  const customFields = { color: "red", "size.x": "XL" };
  expect(differingFields(stream, wanted, { ...copy, customFields }, { ...own, ...dotted })).toEqual([]);
});

test("a destination without a promise declares dates and authors, and one with it does not", () => {
  const got = { ...copy, createdAt: null, author: null, updatedAt: "2030-01-01T00:00:00.000Z" };
  expect(differingFields(stream, wanted, got, declaredOf({ stream, guarantees: ["silent"] }))).toEqual([]);
  const guarantees = ["silent", "backdates", "keeps-author"] as const;
  expect(differingFields(stream, wanted, got, declaredOf({ stream, guarantees })).toSorted()).toEqual([
    "author",
    "createdAt",
  ]);
  const part = { field: "author.id", change: "converted" as const, why: "It has its own." };
  const other = { ...copy, author: { stream: "users", id: "6", name: null, email: null } };
  expect(differingFields(stream, wanted, other, declaredOf({ stream, guarantees, drops: [part] }))).toEqual(
    [],
  );
});

test("an added field counts only for a destination that names it", () => {
  const guarantees = ["backdates", "keeps-author"] as const;
  const numbered = { ...wanted, number: "A-7" };
  const got = { ...copy, number: "17" };
  expect(differingFields(stream, numbered, got, declaredOf({ stream, guarantees }))).toEqual([]);
  expect(leaveOutUnheld({ stream }, numbered)).toEqual({
    record: expect.not.objectContaining({ number: expect.anything() }),
    changes: [{ field: "number", change: "cleared", why: "The new tool has no place for it." }],
  });
  const to = { stream, guarantees, addedFields: ["number"] };
  expect(differingFields(stream, numbered, got, declaredOf(to))).toEqual(["number"]);
  const held = leaveOutUnheld(to, numbered);
  expect(held).toMatchObject({ record: { number: "A-7" }, changes: [] });
  expect(Object.keys(held.record)).not.toContain("brand");
});

test("what a record loses on its way is cleared, truncated or converted, with the value that was sent", () => {
  const sent = { ...copy, subject: "Print", status: "new", description: null, customFields: {}, tags: [] };
  const reasons = { subject: "1", status: "2", description: "3", customFields: "4" };
  expect(changesOnTheWay(stream, wanted, sent, reasons)).toEqual([
    { field: "subject", change: "truncated", why: "1", becomes: "Print" },
    { field: "description", change: "cleared", why: "3", becomes: null },
    { field: "status", change: "converted", why: "2", becomes: "new" },
    { field: "customFields.color", change: "cleared", why: "4", becomes: null },
  ]);
});

test("a date and an author that the old tool does not tell are no loss", () => {
  const nothing = { ...wanted, createdAt: null, author: null };
  expect(differingFields(stream, nothing, copy, own)).toEqual([]);
});

test("a field that later writes change may be anything, though a record declared a value for it", () => {
  const ofStream = declaredOf({
    stream,
    guarantees: ["backdates", "keeps-author"],
    volatileFields: ["followers"],
  });
  const ofRecord = declaredBy(stream, [{ field: "followers", change: "cleared", why: "x", becomes: [] }]);
  const got = { ...copy, followers: [{ stream: "users", id: "9" }] };
  expect(differingFields(stream, wanted, got, { ...own, ...ofRecord })).toEqual(["followers"]);
  expect(differingFields(stream, wanted, got, declaredTogether(ofStream, ofRecord))).toEqual([]);
});
