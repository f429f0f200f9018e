import { type CustomFieldType, findStream, helpdesk } from "@portage/connector-kit";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyMapping, compileMapping, isSelected, personFor } from "./compile-mapping.ts";
import { emptyMapping, type Mapping, mappingSchema } from "../model/mapping.ts";
import { suggestMapping } from "../suggest/suggest-mapping.ts";
import { anyFields, anyTicket } from "../testing/arbitraries.ts";
import { factsFor } from "../testing/facts-for.ts";
import { ticket } from "../testing/memory-connector.ts";

const shape = (label: string, type: CustomFieldType = "text") => ({ label, type });

const mappingOf = (tickets: unknown, others: object = {}): Mapping =>
  mappingSchema.parse({ streams: { tickets }, ...others });

const record = (mapping: Mapping, of: Parameters<typeof ticket>[0]) =>
  applyMapping(mapping, helpdesk.tickets, ticket(of));

describe("custom fields", () => {
  const mapping = mappingOf({
    fields: {
      model: { as: "field", to: "cf_1" },
      cost: { as: "nothing" },
      shelf: { as: "note" },
      cf_1: { as: "note" },
      gone: { as: "field", to: "cf_9" },
    },
    source: { model: shape("Bike model"), cost: shape("Cost"), shelf: shape("cf_1"), cf_1: shape("Frame") },
    destination: { cf_1: shape("Product") },
  });

  test("go to the matched field; an equal key in the other tool is a different field", () => {
    const { record: mapped, changes } = record(mapping, {
      id: "1",
      customFields: { cf_1: "blue", model: "City 3" },
    });
    expect(mapped.customFields).toEqual({ Frame: "blue", cf_1: "City 3" });
    expect(changes.map(({ field, change }) => [field, change])).toEqual([
      ["customFields.Frame", "converted"],
    ]);
  });

  test("without a match go along under a name that is no field in the destination", () => {
    const { record: mapped } = record(mapping, { id: "1", customFields: { shelf: "A" } });
    expect(mapped.customFields).toEqual({ "cf_1 (shelf)": "A" });
  });

  test("that are dropped by choice are reported once each", () => {
    const { record: mapped, changes } = record(mapping, { id: "1", customFields: { cost: "41", gone: "x" } });
    expect(mapped.customFields).toEqual({});
    expect(changes).toEqual([
      { field: "customFields.cost", change: "cleared", why: "“Cost” is left behind, as you chose." },
      {
        field: "customFields.gone",
        change: "cleared",
        why: "The field that “gone” was matched with is not there.",
      },
    ]);
  });

  test("unknown at the time of matching go along, and are reported", () => {
    const { record: mapped, changes } = record(mapping, { id: "1", customFields: { fresh: "x" } });
    expect(mapped.customFields).toEqual({ fresh: "x" });
    expect(changes[0]?.why).toMatch(/^“fresh” was not there when/);
  });

  test("that are empty lose nothing", () => {
    const empty = { model: null, cost: "", shelf: [], fresh: null };
    expect(record(mapping, { id: "1", customFields: empty })).toMatchObject({ changes: [] });
    expect(record(mapping, { id: "1", customFields: empty }).record.customFields).toEqual({});
  });

  test("with the same target: the first by key gets it, in whichever order they come", () => {
    const both = mappingOf({
      fields: { b: { as: "field", to: "x" }, a: { as: "field", to: "x" } },
      source: { a: shape("A"), b: shape("B") },
      destination: { x: shape("X") },
    });
    for (const customFields of [
      { a: "1", b: "2" },
      { b: "2", a: "1" },
    ]) {
      const { record: mapped, changes } = record(both, { id: "1", customFields });
      expect(mapped.customFields).toEqual({ x: "1" });
      expect(changes).toEqual([
        { field: "customFields.b", change: "cleared", why: "Another field has the place of “B”." },
      ]);
    }
  });

  test("get the fill value where nothing else is written", () => {
    const filled = mappingOf({
      fields: { a: { as: "field", to: "x" } },
      source: { a: shape("A") },
      destination: { x: shape("X") },
      fills: { x: "none" },
    });
    expect(record(filled, { id: "1" }).record.customFields).toEqual({ x: "none" });
    expect(record(filled, { id: "1", customFields: { a: "1" } }).record.customFields).toEqual({ x: "1" });
  });

  test("with names of JavaScript built-ins are fields like others", () => {
    const hostile = mappingOf({
      fields: { constructor: { as: "field", to: "toString" }, valueOf: { as: "field", to: "constructor" } },
      destination: { toString: shape("T") },
    });
    const { record: mapped } = record(hostile, { id: "1", customFields: { constructor: "a", valueOf: "b" } });
    expect(Object.entries(mapped.customFields)).toEqual([["toString", "a"]]);
    const customFields = JSON.parse('{"__proto__": "a"}') as Record<string, string>;
    const own = applyMapping(hostile, helpdesk.tickets, { ...ticket({ id: "1" }), customFields }).record;
    expect(Object.entries(own.customFields)).toEqual([["__proto__", "a"]]);
  });
});

describe("words", () => {
  const mapping = mappingOf({
    words: {
      status: { Pending: { to: "stalled", kind: "pending" }, Solved: { to: "Solved", kind: "closed" } },
      priority: { "": { to: "Low", kind: "low" }, Top: { to: null } },
    },
  });

  test("become the other tool's words, with their meaning there", () => {
    const { record: mapped, changes } = record(mapping, { id: "1", status: "Pending", priority: "High" });
    expect(mapped).toMatchObject({ status: "stalled", statusKind: "pending", priority: "High" });
    expect(changes).toEqual([]);
    expect(record(mapping, { id: "1", status: "Solved", priority: "x" }).record).toMatchObject({
      status: "Solved",
      statusKind: "closed",
    });
  });

  test("the empty word may have a match as well; a dropped word is reported", () => {
    expect(record(mapping, { id: "1" }).record).toMatchObject({ priority: "Low", priorityKind: "low" });
    const { record: mapped, changes } = record(mapping, { id: "1", priority: "Top" });
    expect(mapped).toMatchObject({ priority: null });
    expect(changes).toMatchObject([{ field: "priority", change: "cleared" }]);
  });

  test("without a match stay as they are", () => {
    const before = ticket({ id: "1", status: "constructor", priority: "toString" });
    expect(applyMapping(mapping, helpdesk.tickets, before).record).toBe(before);
  });
});

test("records of a stream without a mapping stay as they are", () => {
  const before = ticket({ id: "1", customFields: { a: "1" } });
  expect(applyMapping(emptyMapping, helpdesk.tickets, before)).toEqual({ record: before, changes: [] });
});

describe("people", () => {
  const people = (given: object, others: object = {}) => mappingSchema.parse({ people: given, ...others });
  const choices = {
    "1": { to: "person", id: "10" },
    "2": { to: "copy" },
    "3": { to: "default" },
    "4": { to: "nobody" },
  };
  const ask = (mapping: Mapping, id: string, stream = "users") => personFor(mapping, { stream, id });

  test("become the matched person, a copied record, the stand-in, or no person", () => {
    const mapping = people({ choices, defaultId: "99", unmatched: "default" });
    expect(ask(mapping, "1")).toEqual({ kind: "person", id: "10" });
    expect(ask(mapping, "2")).toEqual({ kind: "copy" });
    expect(ask(mapping, "3")).toEqual({ kind: "person", id: "99" });
    expect(ask(mapping, "4")).toEqual({ kind: "none" });
    expect(ask(mapping, "5")).toEqual({ kind: "person", id: "99" });
    expect(ask(mapping, "constructor")).toEqual({ kind: "person", id: "99" });
  });

  test("without a stand-in become no person", () => {
    const mapping = people({ choices, unmatched: "default" });
    expect([ask(mapping, "3"), ask(mapping, "5")]).toEqual([{ kind: "none" }, { kind: "none" }]);
  });

  test("are copied as records where nothing was decided, and so are people who are not colleagues", () => {
    expect(ask(emptyMapping, "1")).toEqual({ kind: "copy" });
    expect(ask(people({ choices, unmatched: "nobody" }), "1", "contacts")).toEqual({ kind: "copy" });
  });

  test("can't be copied where the stream of people is not moved; matched people stay matched", () => {
    const mapping = people({ choices }, { selection: { streams: ["tickets"] } });
    expect(ask(mapping, "2")).toEqual({ kind: "none" });
    expect(ask(mapping, "1")).toEqual({ kind: "person", id: "10" });
  });

  test("in custom fields resolve by the mapping, or by the caller's `resolve` for copies", () => {
    const mapping = mappingOf(
      {
        fields: { lead: { as: "field", to: "x" } },
        source: { lead: shape("Lead", "person") },
        destination: { x: shape("X", "person") },
      },
      { people: { choices } },
    );
    const { apply, copiedPeopleIn } = compileMapping(mapping);
    const led = (lead: string) => ticket({ id: "1", customFields: { lead } });
    expect(apply(helpdesk.tickets, led("1")).record.customFields).toEqual({ x: "10" });
    expect(copiedPeopleIn(helpdesk.tickets, led("1"))).toEqual([]);
    expect(copiedPeopleIn(helpdesk.tickets, led("2"))).toEqual([{ stream: "users", id: "2" }]);
    const known = apply(helpdesk.tickets, led("2"), ({ stream, id }) => `${stream}-${id}`);
    expect(known.record.customFields).toEqual({ x: "users-2" });
    expect(apply(helpdesk.tickets, led("2"))).toMatchObject({ changes: [{ change: "cleared" }] });
  });
});

describe("the selection", () => {
  const mapping = mappingSchema.parse({
    selection: {
      streams: ["tickets", "contacts"],
      createdFrom: "2025-01-01T00:00:00Z",
      createdBefore: "2026-01-01T00:00:00Z",
    },
  });
  const isIn = (stream: string, createdAt: string | null, updatedAt: string | null = null, by = mapping) => {
    const found = findStream("helpdesk", stream);
    return found && isSelected(by, found, { id: "1", createdAt, updatedAt, tags: [], customFields: {} });
  };

  test("leaves out streams, and tickets by their creation date", () => {
    expect(isIn("articles", null)).toBe(false);
    expect(isIn("tickets", "2024-12-31T23:59:59Z")).toBe(false);
    expect(isIn("tickets", "2025-01-01T00:00:00Z")).toBe(true);
    expect(isIn("tickets", "2026-01-01T00:00:00Z")).toBe(false);
  });

  test("leaves out tickets by their last change, or by their creation date if they never changed", () => {
    const since = mappingSchema.parse({ selection: { changedFrom: "2025-01-01T00:00:00Z" } });
    const old = "2020-06-01T00:00:00Z";
    expect(isIn("tickets", old, "2025-01-01T00:00:00Z", since)).toBe(true);
    expect(isIn("tickets", old, "2024-12-31T23:59:59Z", since)).toBe(false);
    expect(isIn("tickets", old, null, since)).toBe(false);
    expect(isIn("tickets", null, null, since)).toBe(true);
    expect(isIn("contacts", old, old, since)).toBe(true);
  });

  test("leaves out tickets that changed after the last day", () => {
    const until = mappingSchema.parse({ selection: { changedBefore: "2025-01-01T00:00:00Z" } });
    expect(isIn("tickets", null, "2024-12-31T23:59:59Z", until)).toBe(true);
    expect(isIn("tickets", null, "2025-01-01T00:00:00Z", until)).toBe(false);
    expect(isIn("tickets", "2025-01-01T00:00:00Z", null, until)).toBe(false);
    expect(isIn("tickets", null, null, until)).toBe(true);
    expect(isIn("contacts", null, "2026-01-01T00:00:00Z", until)).toBe(true);
  });

  const choosing = (selection: object, known: Partial<Parameters<typeof ticket>[0]>) =>
    isSelected(mappingSchema.parse({ selection }), helpdesk.tickets, ticket({ id: "1", ...known }));

  test.each(["only", "except"] as const)("takes %s some statuses, groups and tags", (mode) => {
    const listed = mode === "only";
    expect(choosing({ statuses: { mode, values: ["Closed"] } }, { status: "Closed" })).toBe(listed);
    expect(choosing({ statuses: { mode, values: ["Closed"] } }, { status: "Never seen" })).toBe(!listed);
    expect(choosing({ groups: { mode, values: ["7"] } }, { groupId: "7" })).toBe(listed);
    expect(choosing({ groups: { mode, values: ["7"] } }, { groupId: "8" })).toBe(!listed);
    expect(choosing({ tags: { mode, values: ["vip"] } }, { tags: ["a", "vip"] })).toBe(listed);
    expect(choosing({ tags: { mode, values: ["vip"] } }, { tags: ["a"] })).toBe(!listed);
  });

  test("the empty value stands for none", () => {
    expect(choosing({ groups: { mode: "only", values: [""] } }, { groupId: null })).toBe(true);
    expect(choosing({ groups: { mode: "only", values: [""] } }, { groupId: "7" })).toBe(false);
    expect(choosing({ tags: { mode: "except", values: [""] } }, { tags: [] })).toBe(false);
    expect(choosing({ tags: { mode: "except", values: [""] } }, { tags: ["a"] })).toBe(true);
  });

  test("every limit counts", () => {
    const selection = {
      changedFrom: "2025-01-01T00:00:00Z",
      statuses: { mode: "except", values: ["Closed"] },
      tags: { mode: "only", values: ["vip"] },
    };
    const wanted = { updatedAt: "2025-06-01T00:00:00Z", status: "Open", tags: ["vip"] };
    expect(choosing(selection, wanted)).toBe(true);
    expect(choosing(selection, { ...wanted, updatedAt: "2024-06-01T00:00:00Z" })).toBe(false);
    expect(choosing(selection, { ...wanted, status: "Closed" })).toBe(false);
    expect(choosing(selection, { ...wanted, tags: [] })).toBe(false);
  });

  test("limits only records that have the property", () => {
    const by = mappingSchema.parse({ selection: { tags: { mode: "only", values: ["vip"] } } });
    expect(isIn("contacts", null, null, by)).toBe(true);
  });

  test("leaves out no record without a date, and no person for an old creation date", () => {
    expect(isIn("tickets", null)).toBe(true);
    expect(isIn("contacts", "2010-01-01T00:00:00Z")).toBe(true);
  });
});

test("any mapping is deterministic, never throws, and does not change its input", () => {
  fc.assert(
    fc.property(anyFields, anyFields, anyTicket, (sourceFields, destinationFields, given) => {
      const facts = factsFor({
        tickets: { sourceFields: sourceFields.map((each) => ({ ...each, used: 1 })), destinationFields },
      });
      const mapping = suggestMapping(facts);
      const before = structuredClone(given);
      const first = applyMapping(mapping, helpdesk.tickets, given);
      const again = compileMapping(mappingSchema.parse(JSON.parse(JSON.stringify(mapping)))).apply(
        helpdesk.tickets,
        given,
      );
      expect(again).toEqual(first);
      expect(given).toEqual(before);
      for (const { why, field } of first.changes) {
        expect(why.endsWith(".")).toBe(true);
        expect(field.startsWith("customFields.")).toBe(true);
      }
      const writable = new Set(destinationFields.filter((each) => each.writable).map(({ key }) => key));
      const matched = Object.values(mapping.streams.tickets?.fields ?? {}).flatMap((choice) =>
        choice.as === "field" ? [choice.to] : [],
      );
      expect(matched.every((key) => writable.has(key))).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});
