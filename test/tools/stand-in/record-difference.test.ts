import { type FamilyRecord, helpdesk } from "@portage/connector-kit";
import { sampleRecords } from "@portage/connector-kit/conformance";
import fc from "fast-check";
import { expect, test } from "vitest";
import { applyDifference, differenceOf } from "./record-difference.ts";

const { at } = sampleRecords(helpdesk.tickets, {
  seed: "difference",
  counts: { users: 5, contacts: 20, organizations: 3, groups: 3, tickets: 100 },
  largeText: 0,
  hostile: true,
});

test("restores any record from its difference to any other of its stream", () => {
  fc.assert(
    fc.property(fc.nat(99), fc.nat(99), (one, other) => {
      const pattern = at(one) as FamilyRecord;
      const record = at(other) as FamilyRecord;
      const text = differenceOf(pattern, record);
      expect(applyDifference(pattern, record.id, text ?? "")).toEqual(record);
    }),
    { numRuns: 500 },
  );
});

test("a copy with other ids takes little space; a missing field can't be expressed", () => {
  const pattern = at(3) as FamilyRecord & { requester: object };
  const copy = { ...pattern, id: "1003", requester: { ...pattern.requester, id: "1007" }, groupId: "1009" };
  expect(differenceOf(pattern, copy)?.length).toBeLessThan(40);
  const { tags: _, ...less } = pattern;
  expect(differenceOf(pattern, less as unknown as FamilyRecord)).toBeNull();
});
