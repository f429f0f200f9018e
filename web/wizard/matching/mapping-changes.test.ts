import type { WizardMapping } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { applyChanges, changesBetween, merge } from "./mapping-changes.ts";

const stream = { fields: {}, words: {}, fills: {}, source: {}, destination: {} };
const base: WizardMapping = {
  selection: {
    streams: null,
    createdFrom: null,
    createdBefore: null,
    changedFrom: null,
    changedBefore: null,
    statuses: null,
    groups: null,
    tags: null,
  },
  people: { choices: { "1": { to: "person", id: "10" } }, unmatched: "copy", defaultId: null },
  streams: { tickets: { ...stream, fields: { store: { as: "note" } }, words: { status: {} } } },
};
const withChoice = (id: string, to: string, from = base): WizardMapping => ({
  ...from,
  people: { ...from.people, choices: { ...from.people.choices, [id]: { to: "person", id: to } } },
});

test("neither key order nor field shapes count as changes", () => {
  const same = {
    ...base,
    people: { ...base.people, choices: { "1": { id: "10", to: "person" as const } } },
    streams: { tickets: { ...base.streams["tickets"], source: { x: 1 } } },
  } as unknown as WizardMapping;
  expect(changesBetween(base, same)).toEqual([]);
});

test("applies changed, added and removed decisions to another mapping", () => {
  const mine: WizardMapping = {
    ...base,
    people: { choices: { "2": { to: "nobody" } }, unmatched: "default", defaultId: "9" },
    streams: {
      tickets: {
        ...stream,
        fields: { store: { as: "nothing" } },
        words: { status: { Open: { to: "x", kind: null } } },
      },
      users: { ...stream, fields: { constructor: { as: "note" as const } } },
    },
  };
  const changes = changesBetween(base, mine);
  expect(changes).toHaveLength(6);
  const made = applyChanges(base, changes);
  expect(changesBetween(made, mine)).toEqual([]);
  // The base mapping is not mutated.
  expect(base.people.choices).toHaveProperty("1");
});

test("merges changes to different decisions; reports decisions that both sides changed", () => {
  const apart = merge(base, withChoice("2", "20"), withChoice("3", "30"));
  expect(apart).toMatchObject({ both: [], mine: [{}], theirs: [{}] });
  expect(Object.keys(apart.apart.people.choices)).toEqual(["1", "2", "3"]);
  const both = merge(base, withChoice("1", "11", withChoice("2", "20")), withChoice("1", "12"));
  expect(both.both).toEqual([{ path: ["people", "choices", "1"], value: { to: "person", id: "11" } }]);
  expect(both.apart.people.choices).toMatchObject({ "1": { id: "12" }, "2": { id: "20" } });
  expect(both.withMine.people.choices).toMatchObject({ "1": { id: "11" }, "2": { id: "20" } });
});

test("the same decision on both sides is no conflict", () => {
  expect(merge(base, withChoice("1", "11"), withChoice("1", "11")).both).toEqual([]);
});
