import { type FamilyRecord, familyStreams, helpdesk } from "@portage/connector-kit";
import { sampleRecords } from "@portage/connector-kit/conformance";
import { families } from "@portage/contract";
import fc from "fast-check";
import { hash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { destinationHash, generationsSent, isAsLeft, sourceHash } from "./keys.ts";
import type { KnownRow } from "./store-claim.ts";

const hashed = (content: unknown) => sourceHash({ addedFields: [] }, content as FamilyRecord);

const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, each]) => [name, shuffled(each)]),
  );
};

/** An independent formulation of the same comparison. */
const tagged = (value: unknown): unknown => {
  if (Array.isArray(value)) return { list: value.map(tagged) };
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { fields: fields.map(([name, each]) => [name, tagged(each)]) };
};

test("the order of fields does not matter; any other difference does", () => {
  const content = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(content, (value) => {
      expect(hashed(shuffled(value))).toBe(hashed(value));
    }),
  );
  const textOf = (value: unknown) => JSON.stringify(tagged(value));
  // Small values, so that some pairs are equal.
  const small = fc.jsonValue({ maxDepth: 1, stringUnit: fc.constant("a") });
  fc.assert(
    fc.property(small, small, (a, b) => {
      expect(hashed(a) === hashed(b)).toBe(textOf(a) === textOf(b));
    }),
  );
});

/** The stored text of a value, as JSON of a sorted copy. */
const sortedCopy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortedCopy);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [{}, ...fields.flatMap(([name, each]) => [name, sortedCopy(each)])];
};

test("the text that is hashed is JSON, whatever characters are in it", () => {
  const unit = fc.oneof(
    fc.constantFrom(...'"\\\n\0\u007f\u2028😀\ud83d\udca9', "\ud800", "\udfff"),
    fc.string({ maxLength: 1 }),
  );
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3, stringUnit: unit }), (value) => {
      const text = JSON.stringify(sortedCopy(value));
      expect(hashed(value)).toBe(hash("sha256", text, "hex").slice(0, 32));
    }),
  );
});

test.each([
  [{ a: 1 }, ["a", 1]],
  [{}, []],
  [{}, [{}]],
  [[{}], []],
  [{ a: {} }, { a: [] }],
  [{ a: { b: 1 } }, { a: ["b", 1] }],
  [{ a: null }, {}],
])("%j is not %j", (one, other) => {
  expect(hashed(one)).not.toBe(hashed(other));
});

test("the hash of a record never changes: ledgers hold it", () => {
  const record = {
    tags: ["b", 'ä\u2028"\\'],
    id: "7",
    customFields: { 'q"': [1, null, -0, 1e21], b: { z: true, a: [] } },
    none: undefined,
    list: [undefined, {}],
    updatedAt: null,
  };
  expect(hashed(record)).toBe("bbcb3c2205aebf774fb31c923a3e58a5");
});

test("a field without a value equals an absent one", () => {
  expect(hashed({ a: 1, b: undefined })).toBe(hashed({ a: 1 }));
});

test("a copy's hash ignores its id, its time of change, and fields that the connector declares volatile", () => {
  const copy = { id: "1", updatedAt: "2026-01-01T00:00:00Z", subject: "A", views: 1, author: { id: "7" } };
  const hashOf = (record: object) =>
    destinationHash(record as FamilyRecord, { stream: helpdesk.users, volatileFields: ["views"] });
  expect(hashOf({ ...copy, id: "2", updatedAt: null, views: 2 })).toBe(hashOf(copy));
  expect(hashOf({ ...copy, subject: "B" })).not.toBe(hashOf(copy));
  // Only the record's own id: another record that it names is content.
  expect(hashOf({ ...copy, author: { id: "8" } })).not.toBe(hashOf(copy));
});

describe("whether a copy is as it was left", () => {
  const to = { stream: helpdesk.tickets };
  const by = (author: object) =>
    helpdesk.tickets.make({
      id: "1",
      subject: "A",
      status: "new",
      statusKind: "new",
      author: { stream: "contacts", id: "7", name: "Ann", email: "ann@acme.example", ...author },
    });
  const left = destinationHash(by({}), to);

  test("people may have another name and address since", () => {
    expect(isAsLeft(left, by({ name: "Ann Lee", email: null }), to)).toBe(true);
  });

  test.each([
    ["another person", { id: "8" }],
    ["a person of another kind", { stream: "users" }],
    ["nobody any more", { id: null }],
  ])("it names %s", (_, author) => {
    expect(isAsLeft(left, by(author), to)).toBe(false);
  });

  test("a person who is known by name alone is the name", () => {
    const unknown = destinationHash(by({ stream: null, id: null }), to);
    expect(isAsLeft(unknown, by({ stream: null, id: null, name: "Bob" }), to)).toBe(false);
  });

  test("ledgers have hashes from when names counted, and empty ones", () => {
    const old = "25a1a146cbf05d1db57276a4e980c5cc";
    expect(isAsLeft(old, by({}), to)).toBe(true);
    expect(isAsLeft(old, by({ name: "Ann Lee" }), to)).toBe(false);
    expect(isAsLeft(null, by({}), to)).toBe(false);
  });
});

test("a field that the family got meanwhile changes no hash until it has a value that the destination holds", () => {
  const ticket = helpdesk.tickets.make({ id: "1", subject: "A", status: "new", statusKind: "new" });
  const before = Object.fromEntries(
    Object.entries(ticket).filter(([field]) => !helpdesk.tickets.addedFields.includes(field)),
  ) as unknown as typeof ticket;
  const numbered = { ...ticket, number: "A-7" };
  const source = (record: FamilyRecord) => sourceHash(helpdesk.tickets, record);
  expect(source(ticket)).toBe(hashed(before));
  expect(source(numbered)).not.toBe(hashed(before));
  const copy = (record: FamilyRecord, addedFields: readonly string[]) =>
    destinationHash(record, { stream: helpdesk.tickets, addedFields });
  expect(copy(ticket, ["number"])).toBe(copy(before, []));
  expect(copy(numbered, [])).toBe(copy(before, []));
  expect(copy(numbered, ["number"])).not.toBe(copy(before, []));
});

test.each(
  families.flatMap((family) => familyStreams[family].map((stream) => [family, stream.name, stream] as const)),
)(
  "an update of Portage changes no record of %s.%s that has no value in the fields that it brought",
  (_, name, stream) => {
    const counts = Object.fromEntries(familyStreams[stream.family].map((each) => [each.name, 9]));
    const { at } = sampleRecords(stream, {
      seed: name,
      counts,
      hostile: false,
      largeText: 0,
      fillsAdded: false,
    });
    const records = Array.from({ length: 9 }, (_each, index) => at(index)).filter((each) => each !== null);
    expect(records.length).toBeGreaterThan(0);
    for (const record of records) {
      const before = Object.fromEntries(
        Object.entries(record).filter(([field]) => !stream.addedFields.includes(field)),
      ) as unknown as FamilyRecord;
      expect(sourceHash(stream, record)).toEqual(sourceHash({ addedFields: [] }, before));
      const { addedFields } = stream;
      expect(destinationHash(record, { stream, addedFields })).toEqual(
        destinationHash(before, { stream: { ...stream, addedFields: [] } }),
      );
    }
  },
);

test("one key is looked up, and after a loss also those of runs that may be lost", () => {
  const row = { state: "failed", destId: null, keyGeneration: 1 } as KnownRow;
  expect(generationsSent({ runNumber: 3, looksFrom: null }, undefined)).toEqual([3]);
  expect(generationsSent({ runNumber: 3, looksFrom: null }, row)).toEqual([1]);
  expect(generationsSent({ runNumber: 3, looksFrom: 2 }, undefined)).toEqual([3, 2, 4, 5, 6]);
  expect(generationsSent({ runNumber: 9, looksFrom: 2 }, row)).toEqual([1, 2, 3, 4, 5, 6]);
});
