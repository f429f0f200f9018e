import fc from "fast-check";
import { expect, test } from "vitest";
import { type Mapping, mappingSchema, isWord } from "../model/mapping.ts";
import { suggestMapping } from "../suggest/suggest-mapping.ts";
import { anyFields, anyText } from "../testing/arbitraries.ts";
import { factsFor, field, options, person } from "../testing/facts-for.ts";
import { validateMapping } from "./validate-mapping.ts";

const facts = factsFor(
  {
    organizations: { writable: false },
    tickets: {
      sourceFields: [
        { ...field("model", "Model", "choice", options("City", "Cargo")), used: 1 },
        { ...field("due", "Due", "date"), used: 1 },
      ],
      destinationFields: [
        field("cf_1", "Product", "choice", options("City")),
        field("cf_2", "Points", "number"),
        field("cf_3", "Checksum", "text", { writable: false }),
        field("cf_4", "Store", "text", { required: true }),
      ],
      destinationWords: { status: [{ value: "open", label: "Open", kind: "open" }] },
    },
  },
  { source: [person("1", "Jo")], destination: [person("70", "Kim"), person("71", "Former", null, false)] },
);

const problemsOf = (mapping: unknown, about = facts) => {
  const found = validateMapping(mappingSchema.parse(mapping), about);
  return found.kind === "invalid" ? found.problems.map(({ path, message }) => [path.join("/"), message]) : [];
};

const tickets = (given: object) => ({ streams: { tickets: given } });

test.each<[string, unknown, string, string]>([
  [
    "an unknown stream",
    { selection: { streams: ["tickets", "anvils"] } },
    "selection/streams/1",
    "There is nothing called “anvils”.",
  ],
  [
    "a stream that can't move",
    { selection: { streams: ["organizations"] } },
    "selection/streams/0",
    "Organizations can't be moved between these two tools.",
  ],
  [
    "a child without its parent",
    { selection: { streams: ["users", "comments"] } },
    "selection/streams/1",
    "Comments can't be moved without Tickets.",
  ],
  [
    "files without a parent stream",
    { selection: { streams: ["attachments"] } },
    "selection/streams/0",
    "Attachments can't be moved without Tickets or Comments or Articles.",
  ],
  ["nothing at all", { selection: { streams: [] } }, "selection/streams", "Choose what to move."],
  [
    "a range that ends before it begins",
    { selection: { createdFrom: "2026-01-02T00:00:00Z", createdBefore: "2026-01-01T00:00:00Z" } },
    "selection/createdBefore",
    "The last day is before the first.",
  ],
  [
    "a person who is not in the new tool",
    { people: { choices: { "1": { to: "person", id: "99" } } } },
    "people/choices/1",
    "This person is not in the new tool.",
  ],
  [
    "a deactivated person",
    { people: { choices: { "1": { to: "person", id: "71" } } } },
    "people/choices/1",
    "Former is deactivated in the new tool.",
  ],
  [
    "a missing stand-in",
    { people: { choices: { "1": { to: "default" } } } },
    "people/choices/1",
    "Choose who stands in for people without a match.",
  ],
  [
    "a missing stand-in for all others",
    { people: { unmatched: "default" } },
    "people/defaultId",
    "Choose who stands in for people without a match.",
  ],
  [
    "a deactivated stand-in",
    { people: { defaultId: "71" } },
    "people/defaultId",
    "Former is deactivated in the new tool.",
  ],
  [
    "a stream of another family",
    { streams: { tasks: {} } },
    "streams/tasks",
    "“tasks” can't be moved between these two tools.",
  ],
  [
    "a missing field",
    tickets({ fields: { model: { as: "field", to: "cf_9" } } }),
    "streams/tickets/fields/model",
    "This field is not in the new tool.",
  ],
  [
    "a field that the tool fills",
    tickets({ fields: { model: { as: "field", to: "cf_3" } } }),
    "streams/tickets/fields/model",
    "“Checksum” is filled by the new tool itself.",
  ],
  [
    "a field of an incompatible type",
    tickets({ fields: { due: { as: "field", to: "cf_2" } } }),
    "streams/tickets/fields/due",
    "“Due” holds a day, and “Points” takes a number.",
  ],
  [
    "two fields with the same target",
    tickets({ fields: { due: { as: "field", to: "cf_4" }, model: { as: "field", to: "cf_4" } } }),
    "streams/tickets/fields/model",
    "“Due” is matched with the same field.",
  ],
  [
    "an unknown option",
    tickets({ fields: { model: { as: "field", to: "cf_1", options: { cargo: "truck" } } } }),
    "streams/tickets/fields/model/options/cargo",
    "“Product” has no such option.",
  ],
  [
    "an unknown word",
    tickets({ words: { status: { New: { to: "fresh" } } } }),
    "streams/tickets/words/status/New",
    "The new tool has no such word: “fresh”.",
  ],
  [
    "no word where one is required",
    tickets({ words: { status: { New: { to: null } } } }),
    "streams/tickets/words/status/New",
    "Here a word is needed.",
  ],
  [
    "an unknown meaning",
    tickets({ words: { status: { New: { to: "open", kind: "done" } } } }),
    "streams/tickets/words/status/New",
    "“done” is no meaning that this can have.",
  ],
  [
    "words of a field without words",
    tickets({ words: { color: {} } }),
    "streams/tickets/words/color",
    "Tickets have no “color”.",
  ],
  [
    "a fill for a missing field",
    tickets({ fills: { cf_9: "x" } }),
    "streams/tickets/fills/cf_9",
    "This field is not in the new tool.",
  ],
  [
    "a fill for a field that the tool fills",
    tickets({ fills: { cf_3: "x" } }),
    "streams/tickets/fills/cf_3",
    "“Checksum” is filled by the new tool itself.",
  ],
  [
    "a fill of another type",
    tickets({ fills: { cf_2: "x" } }),
    "streams/tickets/fills/cf_2",
    "“Points” takes a number of its own.",
  ],
  [
    "a fill that is no option",
    tickets({ fills: { cf_1: "truck" } }),
    "streams/tickets/fills/cf_1",
    "“Product” takes one of a list of its own.",
  ],
])("%s is refused", (_, mapping, path, message) => {
  expect(problemsOf(mapping)).toEqual([[path, message]]);
});

test("people can't be copied if the tool accepts none", () => {
  const none = factsFor({ users: { writable: false } }, { source: [person("1", "Jo")] });
  const message = "People can't be copied between these two tools: choose somebody who is there.";
  expect(problemsOf({ people: { choices: { "1": { to: "copy" } }, unmatched: "nobody" } }, none)).toEqual([
    ["people/choices/1", message],
  ]);
  expect(problemsOf({}, none)).toEqual([["people/unmatched", message]]);
});

test("a truncated list of people cannot show that a person is missing", () => {
  const cut = { ...facts, people: { ...facts.people, complete: false } };
  expect(problemsOf({ people: { choices: { "1": { to: "person", id: "99" } } } }, cut)).toEqual([]);
});

test("an empty required field is a warning, until it is filled", () => {
  const warningsOf = (mapping: unknown) => {
    const found = validateMapping(mappingSchema.parse(mapping), facts);
    return found.kind === "valid"
      ? found.warnings.map(({ path, message }) => [path.join("/"), message])
      : null;
  };
  expect(warningsOf(tickets({}))).toEqual([
    ["streams/tickets/fills/cf_4", "“Store” must be filled in the new tool, and nothing is put there."],
  ]);
  expect(warningsOf(tickets({ fills: { cf_4: "Hill" } }))).toEqual([]);
  expect(warningsOf(tickets({ fields: { model: { as: "field", to: "cf_4" } } }))).toEqual([]);
});

test("a valid mapping is returned with the current fields", () => {
  const draft = mappingSchema.parse(tickets({ fields: { model: { as: "field", to: "cf_1" } } }));
  const found = validateMapping(draft, facts);
  const shapes = found.kind === "valid" ? found.mapping.streams.tickets : undefined;
  expect(shapes?.source.model).toMatchObject({ label: "Model", type: "choice" });
  expect(shapes?.destination.cf_1?.options).toEqual([{ value: "city", label: "City" }]);
});

const anyWords = fc.array(
  fc.record({
    word: anyText.filter(isWord),
    kind: fc.option(fc.constantFrom("new", "open", "closed")),
    count: fc.nat(),
  }),
);
const anyKnown = fc.uniqueArray(
  fc.record({ value: anyText.filter((word) => isWord(word) && word !== ""), label: anyText.filter(isWord) }),
  { selector: ({ value }) => value },
);
const anyPeople = fc.uniqueArray(
  fc.record({ id: fc.uuid(), name: anyText, email: fc.option(fc.emailAddress()), active: fc.boolean() }),
  { selector: ({ id }) => id, maxLength: 6 },
);

test("a suggestion is always valid, and validating it changes nothing", () => {
  fc.assert(
    fc.property(
      anyFields,
      anyFields,
      anyWords,
      anyKnown,
      anyPeople,
      fc.boolean(),
      (from, to, words, known, people, writable) => {
        const about = factsFor(
          {
            users: { writable },
            tickets: {
              sourceFields: from.map((each) => ({ ...each, used: 0 })),
              destinationFields: to,
              words: { status: words },
              destinationWords: { status: known },
            },
          },
          { source: people, destination: people.toReversed() },
        );
        const mapping: Mapping = suggestMapping(about);
        expect(validateMapping(mapping, about)).toMatchObject({ kind: "valid", mapping });
        expect(mappingSchema.parse(JSON.parse(JSON.stringify(mapping)))).toEqual(mapping);
      },
    ),
    { numRuns: 500 },
  );
});
