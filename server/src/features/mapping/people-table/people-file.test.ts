import fc from "fast-check";
import { expect, test } from "vitest";
import { emptyMapping, type Mapping, type PersonChoice } from "../model/mapping.ts";
import { factsFor, person } from "../testing/facts-for.ts";
import { maxPeopleProblems, readPeopleFile } from "./read-people-file.ts";
import { writePeopleFile } from "./write-people-file.ts";

const facts = factsFor(
  {},
  {
    source: [
      person("1", "Robin Sample", "robin@old.example"),
      person("2", "Kim Example", "kim@old.example"),
      person("3", "=Sam", null),
      person("4", "Jo, the first", "jo@old.example"),
    ],
    destination: [
      person("a", "Robin Sample", "robin@new.example"),
      person("b", "Kim Example", "kim@new.example"),
      person("c", "Kim Example", "kim.2@new.example"),
      person("d", "Gone Person", "gone@new.example", false),
      person("e", "No Address"),
    ],
  },
);

const mappingWith = (
  choices: Readonly<Record<string, PersonChoice>>,
  defaultId: string | null = null,
): Mapping => ({
  ...emptyMapping,
  people: { ...emptyMapping.people, choices, defaultId },
});

const read = (text: string, mapping = mappingWith({})) => readPeopleFile(text, facts, mapping);
const write = (mapping: Mapping) => [...writePeopleFile(facts, mapping)].join("");

test("the list says how each person is matched, and opens as text in a spreadsheet", () => {
  const mapping = mappingWith({
    1: { to: "person", id: "b" },
    2: { to: "person", id: "e" },
    3: { to: "nobody" },
  });
  expect(write(mapping)).toBe(
    [
      "\uFEFFid,name,email,match",
      "1,Robin Sample,robin@old.example,kim@new.example",
      "2,Kim Example,kim@old.example,id:e",
      "3,'=Sam,,nobody",
      '4,"Jo, the first",jo@old.example,',
      "",
    ].join("\r\n"),
  );
});

test("a list that comes back as it was changes nothing, whatever was chosen", () => {
  const choice = fc.oneof(
    fc.constantFrom("a", "b", "c", "e").map((id): PersonChoice => ({ to: "person", id })),
    fc.constantFrom("copy", "default", "nobody").map((to): PersonChoice => ({ to })),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("1", "2", "3", "4"), choice), (choices) => {
      const mapping = mappingWith(choices, "a");
      expect(read(write(mapping), mapping)).toMatchObject({
        kind: "read",
        choices: {},
        unchanged: 4,
        problemCount: 0,
      });
      expect(read(write(mapping), mappingWith({}, "a"))).toMatchObject({
        choices: { ...choices },
        problemCount: 0,
      });
    }),
  );
});

test("reads what spreadsheets write: semicolons, quotes, another order, blank rows, other letters", () => {
  const text = [
    'Match;"E-Mail";Name;Email;ID',
    " KIM@new.example ;x;;;1",
    "",
    ";;;;2",
    '"Sample; Robin";;;;3',
    "Copy;;;jo@old.example;",
  ];
  expect(read(text.join("\r\n").replace("Sample; Robin", "Sample, Robin"))).toEqual({
    kind: "read",
    choices: { 1: { to: "person", id: "b" }, 3: { to: "person", id: "a" }, 4: { to: "copy" } },
    unchanged: 1,
    problems: [],
    problemCount: 0,
  });
  expect(read("sep=;\r\nid;match\r\n1;nobody\r\n")).toMatchObject({ choices: { 1: { to: "nobody" } } });
});

test("a row that can't be followed says why, with its number, and the others count", () => {
  const text = [
    "id,match",
    "99,nobody",
    "1,who@new.example",
    "2,Kim Example",
    "3,gone@new.example",
    "4,id:zz",
    "4,copy",
    "3,default",
  ];
  expect(read(text.join("\n"))).toEqual({
    kind: "read",
    choices: {},
    unchanged: 0,
    problems: [
      { row: 2, value: "99", reason: "nobody_here" },
      { row: 3, value: "who@new.example", reason: "nobody_there" },
      { row: 4, value: "Kim Example", reason: "several_there" },
      { row: 5, value: "gone@new.example", reason: "deactivated_there" },
      { row: 6, value: "id:zz", reason: "nobody_there" },
      { row: 7, value: "Jo, the first", reason: "twice" },
      { row: 8, value: "=Sam", reason: "twice" },
    ],
    problemCount: 7,
  });
  expect(read("id,match\n1,default")).toMatchObject({ problems: [{ reason: "no_default" }] });
  const noCopies = { ...facts, streams: facts.streams.map((stream) => ({ ...stream, writable: false })) };
  expect(readPeopleFile("id,match\n1,copy", noCopies, mappingWith({}))).toMatchObject({
    problems: [{ row: 2, value: "copy", reason: "no_copies" }],
  });
  const many = Array.from({ length: maxPeopleProblems + 50 }, (_, index) => `x${index},nobody`);
  const refused = read(["id,match", ...many].join("\n"));
  expect(refused).toMatchObject({ problemCount: maxPeopleProblems + 50 });
  expect(refused.kind === "read" && refused.problems.length).toBe(maxPeopleProblems);
});

test("somebody who is not in a list that was cut can be named by id", () => {
  const cut = { ...facts, people: { ...facts.people, complete: false } };
  expect(readPeopleFile("id,match\n1,id:zz", cut, mappingWith({}))).toMatchObject({
    choices: { 1: { to: "person", id: "zz" } },
  });
});

test("a file without the columns, or with an open quote, is none", () => {
  for (const text of ["", "\n", "name,match\nRobin,nobody", "id,name\n1,Robin", "PK\u0003\u0004\u0000\u0000"])
    expect(read(text)).toEqual({ kind: "no_columns" });
  expect(read('id,match\n1,"nobody\n2,copy\n')).toMatchObject({ kind: "damaged" });
});

test("names that mean something to JavaScript are names", () => {
  expect(read("id,match\n__proto__,nobody\nconstructor,nobody")).toMatchObject({
    choices: {},
    problemCount: 2,
  });
});
