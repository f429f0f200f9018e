import type { WizardStreamFacts } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import type { ReadyMatching } from "../../../matching/matching-store.ts";
import { changeOf, fixOptions, noDraft } from "./fix-options.ts";

const field = (key: string, more: object = {}) => ({
  key,
  label: key,
  type: "text",
  writable: true,
  ...more,
});
const stream = {
  name: "tickets",
  suggestions: { words: { status: [{ word: "parked" }], mood: [{ word: "glad" }] } },
  destinationWords: { status: [{ value: "open", label: "Open", kind: "open" }] },
  sourceFields: [
    field("a", { creation: { kind: "possible" } }),
    field("b", { creation: { kind: "possible" } }),
    field("c", { creation: { kind: "none", why: null } }),
  ],
  destinationFields: [
    field("r", { required: true, type: "number" }),
    field("s", { required: true }),
    field("t", { required: false }),
    field("u", { required: true, writable: false }),
  ],
} as unknown as WizardStreamFacts;
const tickets = {
  fields: { b: { as: "create" }, c: { as: "field", to: "s", options: {} } },
  words: {},
  fills: {},
  source: {},
  destination: {},
};
const ready = {
  mapping: { people: { choices: {}, unmatched: "nobody", defaultId: null }, streams: { tickets } },
  facts: { streams: [stream], people: { destination: 3 } },
} as unknown as ReadyMatching;
const options = fixOptions(ready, "tickets");

test("offers what is open: fields that can be created, and required ones that nothing fills", () => {
  expect(options.person).toBe(true);
  expect(options.create.map(({ key }) => key)).toEqual(["a"]);
  expect(options.fill.map(({ key }) => key)).toEqual(["r"]);
});

test("offers values for which the new tool has others, and fields that are copied now", () => {
  expect(options.match.map((each) => [each.field, each.word])).toEqual([["status", "parked"]]);
  expect(options.leave.map(({ key }) => key)).toEqual(["b", "c"]);
});

test("changes nothing before all of it is chosen", () => {
  const changes = (draft: object) => changeOf({ ...noDraft, ...draft }, options, "tickets");
  expect(changes({})).toBeNull();
  expect(changes({ kind: "person" })).toBeNull();
  expect(changes({ kind: "create", field: "c" })).toBeNull();
  expect(changes({ kind: "fill", field: "r", value: "many" })).toBeNull();
  const parked = JSON.stringify(["status", "parked"]);
  expect(changes({ kind: "match", field: parked })).toBeNull();
  expect(changes({ kind: "match", field: parked, value: "closed" })).toBeNull();
  expect(changes({ kind: "leave", field: "a" })).toBeNull();
  expect(changes({ kind: "person", personId: "7" })?.(ready.mapping).people).toMatchObject({
    unmatched: "default",
    defaultId: "7",
  });
  const streamAfter = (draft: object) => changes(draft)?.(ready.mapping).streams["tickets"];
  expect(streamAfter({ kind: "match", field: parked, value: "open" })?.words).toEqual({
    status: { parked: { to: "open", kind: "open" } },
  });
  expect(streamAfter({ kind: "leave", field: "c" })?.fields["c"]).toEqual({ as: "nothing" });
  expect(streamAfter({ kind: "create", field: "a" })?.fields["a"]).toEqual({ as: "create" });
  expect(streamAfter({ kind: "fill", field: "r", value: " 4 " })?.fills).toEqual({ r: 4 });
});
