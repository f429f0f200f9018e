import { expect, test } from "vitest";
import { suggestMapping } from "./suggest-mapping.ts";
import { factsFor, field, person } from "../testing/facts-for.ts";

test("people who are likely enough are matched, and no one else", () => {
  const facts = factsFor(
    {},
    {
      source: [person("1", "Jo", "jo@a.example"), person("2", "Kim Low"), person("3", "Admin")],
      destination: [person("70", "J. Day", "jo@a.example"), person("71", "Kim Low"), person("72", "Admin")],
    },
  );
  expect(suggestMapping(facts).people).toEqual({
    choices: { "1": { to: "person", id: "70" }, "2": { to: "person", id: "71" } },
    unmatched: "copy",
    defaultId: null,
  });
});

test("where people can't be copied, people without a match become no person", () => {
  expect(suggestMapping(factsFor({ users: { writable: false } })).people.unmatched).toBe("nobody");
});

test("fields go where they fit or along as a note, and words to those that mean the same", () => {
  const facts = factsFor({
    tickets: {
      sourceFields: [
        { ...field("a", "Store", "text"), used: 1 },
        { ...field("b", "Mood", "text"), used: 1 },
      ],
      destinationFields: [field("x", "Store", "long-text")],
      words: {
        status: [
          { word: "Pending", kind: "pending", count: 2 },
          { word: "Odd", kind: null, count: 1 },
        ],
        type: [{ word: "Incident", kind: null, count: 1 }],
      },
      destinationWords: { status: [{ value: "stalled", label: "Stalled", kind: "pending" }] },
    },
  });
  expect(suggestMapping(facts).streams).toEqual({
    tickets: {
      fields: { a: { as: "field", to: "x", options: {} }, b: { as: "note" } },
      words: { status: { Pending: { to: "stalled", kind: "pending" } }, type: {} },
      fills: {},
      source: {
        a: { label: "Store", type: "text", options: null, maxLength: null },
        b: { label: "Mood", type: "text", options: null, maxLength: null },
      },
      destination: { x: { label: "Store", type: "long-text", options: null, maxLength: null } },
    },
  });
});

test("a stream that can't move, or has nothing to match, is left to the connectors", () => {
  const facts = factsFor({
    contacts: { writable: false, sourceFields: [{ ...field("a", "Store", "text"), used: 1 }] },
    groups: { destinationFields: [field("x", "Store", "text")] },
  });
  expect(suggestMapping(facts).streams).toEqual({});
});
