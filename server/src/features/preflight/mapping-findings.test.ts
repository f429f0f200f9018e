import { describe, expect, test } from "vitest";
import { emptyMapping, type Mapping, suggestMapping } from "../mapping/index.ts";
import { factsFor, field, person } from "../mapping/testing/facts-for.ts";
import { findEmptyFields, findOutdated, findPeople, findUnmatchedWords } from "./mapping-findings.ts";

const withPeople = (people: Partial<Mapping["people"]>): Mapping => ({
  ...emptyMapping,
  people: { ...emptyMapping.people, ...people },
});
const withTickets = (own: Partial<Mapping["streams"][string]>): Mapping => ({
  ...emptyMapping,
  streams: { tickets: { fields: {}, words: {}, fills: {}, source: {}, destination: {}, ...own } },
});
const onlyUsers: Mapping = {
  ...emptyMapping,
  selection: { ...emptyMapping.selection, streams: ["users"] },
};

describe("people", () => {
  const findingsOf = (facts: ReturnType<typeof factsFor>, mapping: Mapping = emptyMapping) =>
    findPeople(facts, mapping, "users").map(({ code, side, count, level }) => [code, side, count, level]);

  test("no duplicates, all people matched: no findings", () => {
    const facts = factsFor(
      {},
      {
        source: [person("1", "Robin Sample", "robin@acme.example"), person("2", "Jo Smith")],
        destination: [person("a", "Robin Sample", "robin@acme.example"), person("b", "Jo Smith")],
      },
    );
    expect(findingsOf(facts)).toEqual([]);
  });

  test("duplicate e-mail addresses on either side, in any spelling", () => {
    const facts = factsFor(
      {},
      {
        source: [person("1", "Robin", "robin@acme.example"), person("2", "R.", " Robin@Acme.example")],
        destination: [person("a", "Kim", "kim@acme.example"), person("b", "K", "KIM@acme.example")],
      },
    );
    expect(findingsOf(facts)).toEqual([
      ["people_share_email", "source", 2, "warns"],
      ["people_share_email", "destination", 2, "warns"],
    ]);
  });

  test("people with several candidates, until the customer chooses one", () => {
    const facts = factsFor(
      {},
      {
        source: [person("1", "Jo Smith")],
        destination: [person("a", "Jo Smith"), person("b", "Jo Smith")],
      },
    );
    expect(findingsOf(facts)).toEqual([["people_unsure", "source", 1, "warns"]]);
    expect(findingsOf(facts, withPeople({ choices: { 1: { to: "person", id: "a" } } }))).toEqual([]);
  });

  test("people without a match, unless they are copied or decided", () => {
    const facts = factsFor({}, { source: [person("1", "Jo Smith", "jo@acme.example")] });
    expect(findingsOf(facts)).toEqual([]);
    expect(findingsOf(facts, withPeople({ unmatched: "nobody" }))).toEqual([
      ["people_unmatched", "source", 1, "warns"],
    ]);
    const decided = withPeople({ unmatched: "nobody", choices: { 1: { to: "nobody" } } });
    expect(findingsOf(facts, decided)).toEqual([]);
  });

  test("messages use the singular for one person, the plural for several", () => {
    const sentences = (many: number, people: Parameters<typeof withPeople>[0]) =>
      findPeople(
        factsFor(
          {},
          { source: Array.from({ length: many }, (_, index) => person(`${index}`, `Jo ${index}`)) },
        ),
        withPeople(people),
        "users",
      ).flatMap(({ message, fix }) => [message, fix]);
    expect(sentences(1, { unmatched: "nobody" })).toEqual([
      "One person is not in the new tool: their name goes along as text.",
      "Invite them to the new tool first, or choose who they are there.",
    ]);
    expect(sentences(2, { unmatched: "nobody" })).toEqual([
      "2 people are not in the new tool: their names go along as text.",
      "Invite them to the new tool first, or choose for each of them who they are there.",
    ]);
    const doubled = {
      source: [person("1", "Jo Smith")],
      destination: [person("a", "Jo Smith"), person("b", "Jo Smith")],
    };
    expect(findPeople(factsFor({}, doubled), withPeople({}), "users")[0]).toMatchObject({
      message: "One person could be several people of the new tool, or share one with somebody.",
      fix: "Choose who they are in the new tool.",
    });
  });

  test("findings contain no name and no address", () => {
    const people = [person("1", "Robin Sample", "r@acme.example"), person("2", "Jo", "r@acme.example")];
    const text = JSON.stringify(
      findPeople(factsFor({}, { source: people }), withPeople({ unmatched: "nobody" }), "users"),
    );
    expect(text).not.toMatch(/Robin|Sample|acme/);
  });
});

describe("words", () => {
  const seen = (word: string, kind: string | null = null) => ({ word, kind, count: 3 });
  const facts = factsFor({
    tickets: {
      words: { status: [seen("Open", "open"), seen("Parked"), seen("")], priority: [seen("Whenever")] },
      destinationWords: { status: [{ value: "open", label: "Open", kind: "open" }] },
    },
  });

  test("a word that the destination lacks; a field that takes any word lacks none", () => {
    expect(findUnmatchedWords(facts, emptyMapping)).toMatchObject([
      { code: "words_unmatched", level: "warns", stream: "tickets", count: 1 },
    ]);
  });

  test("a chosen word is no finding, even if nothing was chosen for it", () => {
    const mapping = withTickets({ words: { status: { Parked: { to: null, kind: null } } } });
    expect(findUnmatchedWords(facts, mapping)).toEqual([]);
  });

  test("streams that are not selected have no word findings", () => {
    expect(findUnmatchedWords(facts, onlyUsers)).toEqual([]);
  });

  test("a word such as constructor counts like any other", () => {
    const odd = factsFor({
      tickets: {
        words: { status: [seen("constructor")] },
        destinationWords: { status: [{ value: "open", label: "Open" }] },
      },
    });
    const mapping = withTickets({ words: { status: {} } });
    expect(findUnmatchedWords(odd, mapping)).toMatchObject([{ count: 1 }]);
  });
});

describe("fields", () => {
  const facts = factsFor({
    tickets: {
      sourceFields: [{ ...field("hue", "Hue", "text"), used: 3 }],
      destinationFields: [
        field("color", "Color", "text", { required: true }),
        field("made", "Made", "text", { required: true, writable: false }),
        field("note", "Note", "text"),
      ],
    },
  });

  test("a required field without a value, also in an empty mapping", () => {
    expect(findEmptyFields(facts, emptyMapping)).toMatchObject([
      { code: "fields_empty", level: "warns", stream: "tickets", count: 1 },
    ]);
    expect(findEmptyFields(facts, withTickets({ fills: { color: null } }))).toHaveLength(1);
  });

  test("filled from a field or by a value: no finding", () => {
    expect(findEmptyFields(facts, withTickets({ fills: { color: "red" } }))).toEqual([]);
    const matched = withTickets({ fields: { hue: { as: "field", to: "color", options: {} } } });
    expect(findEmptyFields(facts, matched)).toEqual([]);
    expect(findEmptyFields(facts, onlyUsers)).toEqual([]);
  });

  test("a mapping to a field that is gone", () => {
    const gone = withTickets({ fields: { hue: { as: "field", to: "gone", options: {} } } });
    expect(findOutdated(facts, gone)).toMatchObject([{ code: "mapping_outdated", level: "warns", count: 1 }]);
    expect(findOutdated(facts, suggestMapping(facts))).toEqual([]);
  });
});
