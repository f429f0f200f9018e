import { helpdesk } from "@portage/connector-kit";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyMapping, personFor } from "./compile-mapping.ts";
import { mappingTouches } from "./mapping-touches.ts";
import { type Mapping, mappingSchema } from "../model/mapping.ts";
import { suggestMapping } from "../suggest/suggest-mapping.ts";
import { anyFields, anyTicket } from "../testing/arbitraries.ts";
import { factsFor } from "../testing/facts-for.ts";

const mapping = (given: object = {}): Mapping => mappingSchema.parse(given);

const words = (stream: string, to: string) => ({
  streams: { [stream]: { words: { status: { New: { to } } } } },
});
const { tickets, organizations, contacts, users, comments } = helpdesk;

describe("two mappings", () => {
  test("that are equal touch nothing", () => {
    expect(mappingTouches(mapping(words("tickets", "a")), mapping(words("tickets", "a")), tickets)).toBe(
      false,
    );
  });

  test("touch the stream whose words or fields differ, and no other", () => {
    const a = mapping(words("tickets", "a"));
    const b = mapping(words("tickets", "b"));
    expect(mappingTouches(a, b, tickets)).toBe(true);
    expect(mappingTouches(mapping(), b, tickets)).toBe(true);
    expect(mappingTouches(a, b, comments)).toBe(false);
  });

  test("touch every stream that names people if people differ, and no other", () => {
    const a = mapping();
    const b = mapping({ people: { choices: { "1": { to: "nobody" } } } });
    expect([tickets, comments, users].map((stream) => mappingTouches(a, b, stream))).toEqual([
      true,
      true,
      true,
    ]);
    expect([organizations, contacts].map((stream) => mappingTouches(a, b, stream))).toEqual([false, false]);
  });

  test("touch a stream whose custom fields hold people", () => {
    const own = { organizations: { source: { lead: { label: "Lead", type: "person" } } } };
    const b = { people: { unmatched: "nobody" }, streams: own };
    expect(mappingTouches(mapping({ streams: own }), mapping(b), organizations)).toBe(true);
  });

  test("that select other records touch none that both select, unless people are left out", () => {
    const from = { selection: { createdFrom: "2025-01-01T00:00:00Z" } };
    expect(mappingTouches(mapping(), mapping(from), tickets)).toBe(false);
    const without = { selection: { streams: ["tickets"] } };
    expect(mappingTouches(mapping(), mapping(without), tickets)).toBe(true);
    expect(mappingTouches(mapping(), mapping(without), organizations)).toBe(false);
  });
});

test("if two mappings don't touch a stream, they make the same of each of its records and people", () => {
  const anyMapping = fc
    .record({
      from: anyFields,
      to: anyFields,
      unmatched: fc.constantFrom("copy", "nobody"),
      streams: fc.boolean(),
    })
    .map(({ from, to, unmatched, streams }) => {
      const facts = factsFor({
        tickets: { sourceFields: from.map((each) => ({ ...each, used: 0 })), destinationFields: to },
      });
      const made = suggestMapping(facts);
      const selection = { ...made.selection, streams: streams ? null : ["tickets"] };
      return { ...made, selection, people: { ...made.people, unmatched } };
    });
  // Few values, so that equal ones occur.
  const pool = fc.array(anyMapping, { minLength: 1, maxLength: 2 });
  let untouched = 0;
  fc.assert(
    fc.property(pool, fc.nat(1), fc.nat(1), fc.boolean(), anyTicket, (all, i, j, turn, record) => {
      const a = all[i % all.length] as Mapping;
      const other = structuredClone(all[j % all.length] as Mapping);
      const b = turn ? { ...other, people: { ...other.people, unmatched: "nobody" as const } } : other;
      if (mappingTouches(a, b, tickets)) return;
      untouched += 1;
      expect(applyMapping(b, tickets, record)).toEqual(applyMapping(a, tickets, record));
      const person = { stream: "users", id: "1" };
      expect(personFor(b, person)).toEqual(personFor(a, person));
    }),
    { numRuns: 500 },
  );
  expect(untouched).toBeGreaterThan(50);
});
