import { families } from "@portage/contract";
import { expect, test } from "vitest";
import { familyStreams, helpdesk } from "../families/index.ts";
import { referencesOf } from "../families/references.ts";
import { sampleRecords } from "./sample-records.ts";

const options = { seed: "s", hostile: true, largeText: 1_000_000 };

test.each(families)("records of %s fit their schemas and point to each other", (family) => {
  const counts = Object.fromEntries(familyStreams[family].map(({ name }) => [name, 30]));
  for (const stream of familyStreams[family]) {
    const { at } = sampleRecords(stream, { ...options, counts });
    for (let index = 0; index < 30; index += 1) {
      const record = at(index);
      expect(at(index)).toEqual(record);
      if (!record) continue;
      expect(stream.schema.parse(record)).toEqual(record);
      for (const { id } of referencesOf(stream, record)) expect(Number(id)).toBeLessThanOrEqual(30);
    }
  }
});

test("the records cover hostile input", () => {
  const counts = { users: 5, contacts: 5, tickets: 30, comments: 30 };
  const { at } = sampleRecords(helpdesk.comments, { ...options, counts });
  const all = Array.from({ length: 30 }, (_, index) => at(index));
  expect(all.some((each) => each?.body.text.length === 1_000_000)).toBe(true);
  expect(all.some((each) => (each?.createdAt ?? "") < "1970")).toBe(true);
  expect(new Set(all.map((each) => each?.body.format)).size).toBe(4);
  expect(all.some((each) => each?.author === null)).toBe(true);
});

test("added fields can stay empty, and change nothing else", () => {
  const counts = { users: 5, contacts: 5, tickets: 30 };
  const filled = sampleRecords(helpdesk.tickets, { ...options, counts });
  const empty = sampleRecords(helpdesk.tickets, { ...options, counts, fillsAdded: false });
  const nothing = { number: null, externalId: null, formName: null, brand: null, state: null };
  for (let index = 0; index < 30; index += 1)
    expect(empty.at(index)).toEqual({ ...filled.at(index), ...nothing, mergedInto: null, cc: [] });
  expect(filled.at(0)).not.toEqual(empty.at(0));
});
