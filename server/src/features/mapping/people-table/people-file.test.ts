import type { Person } from "@portage/connector-kit";
import { maxPeopleFileBytes } from "@portage/contract/wizard";
import fc from "fast-check";
import { expect, test } from "vitest";
import { emptyMapping, type Mapping, maxPeople, type PersonChoice } from "../model/mapping.ts";
import { factsFor, person } from "../testing/facts-for.ts";
import { maxColumns, maxRowBytes } from "./read-rows.ts";
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
      "id:1,Robin Sample,robin@old.example,kim@new.example",
      "id:2,Kim Example,kim@old.example,id:e",
      "id:3,'=Sam,,nobody",
      'id:4,"Jo, the first",jo@old.example,',
      "",
    ].join("\r\n"),
  );
});

test("a list that comes back as it was changes nothing, whatever was chosen", async () => {
  const choice = fc.oneof(
    fc.constantFrom("a", "b", "c", "e").map((id): PersonChoice => ({ to: "person", id })),
    fc.constantFrom("copy", "default", "nobody").map((to): PersonChoice => ({ to })),
  );
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.constantFrom("1", "2", "3", "4"), choice), async (choices) => {
      const mapping = mappingWith(choices, "a");
      expect(await read(write(mapping), mapping)).toMatchObject({
        kind: "read",
        choices: {},
        unchanged: 4,
        problemCount: 0,
      });
      expect(await read(write(mapping), mappingWith({}, "a"))).toMatchObject({
        choices: { ...choices },
        problemCount: 0,
      });
    }),
  );
});

test("reads what spreadsheets write: semicolons, quotes, another order, blank rows, other letters", async () => {
  const text = [
    'Match;"E-Mail";Name;Email;ID',
    " KIM@new.example ;x;;;1",
    "",
    ";;;;2",
    '"Sample; Robin";;;;3',
    "Copy;;;jo@old.example;",
  ];
  expect(await read(text.join("\r\n").replace("Sample; Robin", "Sample, Robin"))).toEqual({
    kind: "read",
    choices: { 1: { to: "person", id: "b" }, 3: { to: "person", id: "a" }, 4: { to: "copy" } },
    unchanged: 1,
    problems: [],
    problemCount: 0,
  });
  expect(await read("sep=;\r\nid;match\r\n1;nobody\r\n")).toMatchObject({ choices: { 1: { to: "nobody" } } });
});

test("a row that can't be followed says why, with its number, and the others count", async () => {
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
  expect(await read(text.join("\n"))).toEqual({
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
  expect(await read("id,match\n1,default")).toMatchObject({ problems: [{ reason: "no_default" }] });
  const noCopies = { ...facts, streams: facts.streams.map((stream) => ({ ...stream, writable: false })) };
  expect(await readPeopleFile("id,match\n1,copy", noCopies, mappingWith({}))).toMatchObject({
    problems: [{ row: 2, value: "copy", reason: "no_copies" }],
  });
  const many = Array.from({ length: maxPeopleProblems + 50 }, (_, index) => `x${index},nobody`);
  const refused = await read(["id,match", ...many].join("\n"));
  expect(refused).toMatchObject({ problemCount: maxPeopleProblems + 50 });
  expect(refused.kind === "read" && refused.problems.length).toBe(maxPeopleProblems);
});

test("somebody who is not in a list that was cut can be named by id", async () => {
  const cut = { ...facts, people: { ...facts.people, complete: false } };
  expect(await readPeopleFile("id,match\n1,id:zz", cut, mappingWith({}))).toMatchObject({
    choices: { 1: { to: "person", id: "zz" } },
  });
});

test("a file without the columns, or with an open quote, is none", async () => {
  for (const text of ["", "\n", "name,match\nRobin,nobody", "id,name\n1,Robin", "PK\u0003\u0004\u0000\u0000"])
    expect(await read(text)).toEqual({ kind: "no_columns" });
  expect(await read('id,match\n1,"nobody\n2,copy\n')).toMatchObject({ kind: "damaged" });
});

test("names that mean something to JavaScript are names", async () => {
  expect(await read("id,match\n__proto__,nobody\nconstructor,nobody")).toMatchObject({
    choices: {},
    problemCount: 2,
  });
});

const known = (id: string) => person(id, `Person ${id}`, `person.${id}@old.example`);
const factsWith = (...source: readonly Person[]) => ({
  ...facts,
  people: { ...facts.people, source: factsFor({}, { source }).people.source },
});

test("a header of too many columns, a long row and more rows than there can be people are refused", async () => {
  const row = (cells: number) => `id,match${",".repeat(cells - 2)}`;
  expect(await read(`${row(maxColumns)}\n1,nobody`)).toMatchObject({ choices: { 1: { to: "nobody" } } });
  expect(await read(`${row(maxColumns + 1)}\n1,nobody`)).toEqual({
    kind: "too_many_columns",
    most: maxColumns,
  });
  // Each of these rows once took a copy of all the columns with it.
  expect(await read(`${row(60_000)}\n${"1,nobody\n".repeat(1_000)}`)).toEqual({
    kind: "too_many_columns",
    most: maxColumns,
  });
  expect(await read(`${row(8_000_000)}\n1,nobody`)).toEqual({ kind: "damaged", row: 1 });
  expect(await read(`id,match\n1,nobody\n2,${"x".repeat(maxRowBytes + 1)}`)).toEqual({
    kind: "damaged",
    row: 3,
  });
  expect(await read(`id,match\n1,nobody\n2,${",".repeat(4_000_000)}`)).toEqual({ kind: "damaged", row: 3 });
  const most = "x,\n".repeat(maxPeople);
  expect(await read(`id,match\n${most}`)).toMatchObject({ kind: "read", problemCount: maxPeople });
  expect(await read(`id,match\n${most}x,\n`)).toEqual({ kind: "too_many_rows", most: maxPeople });
  expect(await read(`id,match\n${",\n".repeat(maxPeople + 1)}`)).toEqual({
    kind: "too_many_rows",
    most: maxPeople,
  });
});

test("other work gets its turn while a large list is read", async () => {
  const text = `id,match\n${"1,nobody\n".repeat(maxPeople)}`;
  let turns = 0;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await read(text);
  clearImmediate(next);
  expect(turns).toBeGreaterThan(text.length / 10_000);
});

test("the largest list that is written can come back", async () => {
  const long = "日".repeat(100_000);
  const source = Array.from({ length: maxPeople / 100 }, (_, index) => {
    const id = `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
    return person(id, "名".repeat(40), `${id}@a-company-name.example`);
  });
  const destination = source.map(({ id }) => person(id, "", `${id}@another-company.example`));
  const mapping = mappingWith(Object.fromEntries(source.map(({ id }) => [id, { to: "person", id }])));
  const hundredth = { ...factsWith(...source), people: { ...factsWith(...source).people, destination } };
  const text = [...writePeopleFile(hundredth, mapping)].join("");
  expect(Buffer.byteLength(JSON.stringify({ text })) * 100).toBeLessThan(maxPeopleFileBytes);
  const huge = factsWith(person("1", long, `${long}@old.example`), known("2"));
  const list = [...writePeopleFile(huge, mapping)].join("");
  expect(await readPeopleFile(list, huge, mapping)).toMatchObject({ unchanged: 2, problemCount: 0 });
});

test("ids of many digits and with leading zeros survive a spreadsheet", async () => {
  const ids = ["360001234567", "360001234568", "007", "7", "id:7"];
  const many = factsWith(...ids.map(known));
  const rows = [...writePeopleFile(many, mappingWith({}))].slice(1);
  // A spreadsheet takes only what looks like a number for one.
  for (const row of rows) expect(Number(row.split(",")[0])).toBeNaN();
  const decided = ["id,match", ...rows.map((row) => `${row.split(",")[0]},nobody`)].join("\n");
  const all = Object.fromEntries(ids.map((id) => [id, { to: "nobody" }]));
  expect(await readPeopleFile(decided, many, mappingWith({}))).toMatchObject({
    choices: all,
    problemCount: 0,
  });
  const bare = ["id,match", "360001234567,nobody", "007,nobody", "ID: 7,nobody"].join("\n");
  expect(await readPeopleFile(bare, many, mappingWith({}))).toMatchObject({
    choices: { 360001234567: { to: "nobody" }, "007": { to: "nobody" }, 7: { to: "nobody" } },
    problemCount: 0,
  });
});

test("an id that a spreadsheet has damaged gives way to an address that only one person has", async () => {
  const many = factsWith(
    known("360001234567"),
    known("360001234568"),
    person("3", "Kim", "shared@old.example"),
    person("4", "Sam", "Shared@old.example"),
  );
  const text = [
    "id;email;match",
    "3.60001E+11;person.360001234567@old.example;nobody",
    "3,60001E+11;Person.360001234568@old.example;copy",
    "3.60001E+11;;nobody",
    "3.60001E+11;shared@old.example;nobody",
    ";shared@old.example;nobody",
    ";who@old.example;nobody",
    ";;nobody",
  ];
  expect(await readPeopleFile(text.join("\n"), many, mappingWith({}))).toMatchObject({
    choices: { 360001234567: { to: "nobody" }, 360001234568: { to: "copy" } },
    problems: [
      { row: 4, value: "3.60001E+11", reason: "nobody_here" },
      { row: 5, value: "shared@old.example", reason: "several_here" },
      { row: 6, value: "shared@old.example", reason: "several_here" },
      { row: 7, value: "who@old.example", reason: "nobody_here" },
      { row: 8, value: "nobody", reason: "nobody_here" },
    ],
  });
});

test("rows without anything are skipped, and count as rows of the spreadsheet", async () => {
  expect(await read('id,email,match\n,,,\n\n ,"",\n1,,nobody\n"2","","no\nbody"\n99,,copy\n,,')).toEqual({
    kind: "read",
    choices: { 1: { to: "nobody" } },
    unchanged: 0,
    problems: [
      { row: 6, value: "no\nbody", reason: "nobody_there" },
      { row: 7, value: "99", reason: "nobody_here" },
    ],
    problemCount: 2,
  });
});

test("an id that a mapping can't keep is nobody's, also where the list was cut", async () => {
  const cut = { ...facts, people: { ...facts.people, complete: false } };
  for (const id of ["", "__proto__", "x".repeat(513)])
    expect(await readPeopleFile(`id,match\n1,id:${id}`, cut, mappingWith({}))).toMatchObject({
      choices: {},
      problems: [{ row: 2, reason: "nobody_there" }],
    });
});

test("the header says whether a file is the list", async () => {
  const empty = { kind: "read", choices: {}, unchanged: 0, problems: [], problemCount: 0 };
  for (const header of ["id,match", "\n;\nid;match;;\n", "sep=;\rEmail;Match\r"])
    expect(await read(header)).toEqual(empty);
  expect(await read("id,name,match\n1")).toEqual({ ...empty, unchanged: 1 });
});

test("a problem quotes only the beginning of a long cell", async () => {
  const answer = await read(`id,match\n1,${"x".repeat(5_000)}`);
  expect(answer).toMatchObject({ problems: [{ value: "x".repeat(200) }] });
});
