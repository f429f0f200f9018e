import { expect, test } from "vitest";
import { helpdesk } from "@portage/connector-kit";
import { compileMapping } from "../apply/compile-mapping.ts";
import { movedFields } from "../present/moved-fields.ts";
import { suggestMapping } from "../suggest/suggest-mapping.ts";
import { factsFor, field, options } from "../testing/facts-for.ts";
import { validateMapping } from "../validate/validate-mapping.ts";
import { creationOf, creationsIn, resolveCreations, usesIn } from "./created-fields.ts";
import { emptyMapping, type Mapping, mappingSchema } from "./mapping.ts";

const color = { ...field("color", "Color", "choice", options("Red", "Green")), used: 3 };
const size = { ...field("size", "Size", "number"), used: 3 };
const owner = { ...field("owner", "Owner", "person"), used: 3 };
const never = { ...field("never", "Never", "text"), used: 0 };

const why = "Only texts, lists and numbers. An administrator can add others.";
const factsWith = (
  sourceFields: readonly (typeof color)[],
  destinationFields: readonly ReturnType<typeof field>[] = [],
) =>
  factsFor({
    tickets: { sourceFields, destinationFields, creatable: { types: ["text", "choice", "number"], why } },
  });

const choicesIn = (mapping: Mapping) =>
  Object.fromEntries(Object.entries(mapping.streams.tickets?.fields ?? {}).map(([key, { as }]) => [key, as]));

test("a used field without a counterpart is created where the destination can, and others stay notes", () => {
  const facts = factsWith([color, size, owner, never]);
  expect(choicesIn(suggestMapping(facts))).toEqual({
    color: "create",
    size: "create",
    owner: "note",
    never: "note",
  });
});

test("a field of people is not created by itself: most people are there already", () => {
  const creatable = { types: ["choice" as const] };
  const facts = factsFor({ users: { sourceFields: [color], creatable } });
  expect(suggestMapping(facts).streams.users?.fields.color).toEqual({ as: "note" });
});

test("a destination that says nothing about fields gets none", () => {
  const facts = factsFor({ tickets: { sourceFields: [color] } });
  expect(choicesIn(suggestMapping(facts))).toEqual({ color: "note" });
});

test("a field that may be another one is left to the customer", () => {
  const facts = factsWith(
    [{ ...field("a", "STORE", "text"), used: 1 }],
    [field("x", "Store", "text"), field("y", "store", "text")],
  );
  expect(choicesIn(suggestMapping(facts))).toEqual({ a: "note" });
});

test("what can't be created is refused, with the tool's own words", () => {
  const facts = factsWith([color, owner]);
  const tickets = facts.streams.find(({ name }) => name === "tickets");
  if (!tickets) throw new Error("no tickets");
  expect(creationOf(owner, tickets)).toEqual({ kind: "type", why });
  expect(creationOf(color, tickets)).toEqual({ kind: "possible" });
  expect(creationOf(color, { ...tickets, creatable: { types: [], why } })).toEqual({ kind: "none", why });
  expect(creationOf(color, { ...tickets, destinationFields: [field("x", "colour", "text")] }).kind).toBe(
    "possible",
  );
  expect(creationOf(color, { ...tickets, destinationFields: [field("x", "COLOR", "text")] })).toEqual({
    kind: "name_taken",
  });
  const mapping = mappingSchema.parse({
    streams: { tickets: { fields: { owner: { as: "create" }, color: { as: "create" } } } },
  });
  const validated = validateMapping(mapping, facts);
  expect(validated).toEqual({
    kind: "invalid",
    problems: [{ level: "error", path: ["streams", "tickets", "fields", "owner"], message: why }],
  });
});

test("values go to the created field, in its options; before it exists, a preview shows them under its name", () => {
  const mapping = suggestMapping(factsWith([color, size]));
  expect(creationsIn(mapping).map(({ sourceKey, label, type }) => [sourceKey, label, type])).toEqual([
    ["color", "Color", "choice"],
    ["size", "Size", "number"],
  ]);
  const created = { ...field("cf_9", "Color", "choice"), options: [{ value: "77", label: "Red" }] };
  const resolved = resolveCreations(mapping, [{ stream: "tickets", sourceKey: "color", field: created }]);
  expect(creationsIn(resolved)).toEqual([]);
  const record = helpdesk.tickets.make({
    id: "1",
    subject: "A ticket",
    status: "open",
    statusKind: "open",
    customFields: { color: "red", size: 4 },
  });
  const mapped = compileMapping(resolved).apply(helpdesk.tickets, record);
  expect(mapped.record.customFields).toEqual({ cf_9: "77", "create:size": 4 });
  expect(mapped.changes).toEqual([]);
  const moved = movedFields(mapping, helpdesk.tickets).map(({ key, toLabel }) => [key, toLabel]);
  expect(moved).toEqual([
    ["color", "Color"],
    ["size", "Size"],
  ]);
});

test("a mapping that creates nothing stays the same object, and its uses are listed", () => {
  expect(resolveCreations(emptyMapping, [])).toBe(emptyMapping);
  const facts = factsWith([color], [field("c", "Color", "choice", options("Red", "Green"))]);
  expect(usesIn(suggestMapping(facts))).toEqual([{ stream: "tickets", sourceKey: "color", key: "c" }]);
});
