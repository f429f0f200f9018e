import { families } from "@portage/contract";
import { describe, expect, test } from "vitest";
import { checkFiles } from "./check-files.ts";
import { exampleFiles } from "./examples.ts";
import { type FileToInspect, type InspectedFile, inspectFiles, tableStreams } from "./inspect-files.ts";
import { readTop } from "./inspect-table.ts";
import { type ColumnChoice, csvSettings } from "./settings.ts";
import { memoryFile } from "./testing/folder-store.ts";
import { writeCsv } from "./testing/write-csv.ts";
import { bookParts, writeXlsx } from "./testing/write-xlsx.ts";
import { writeZip } from "./testing/write-zip.ts";

const stored = (bytes: Uint8Array) => memoryFile(bytes, 1_000);
const fileOf = (
  name: string,
  bytes: Uint8Array | string,
  more: Partial<FileToInspect> = {},
): FileToInspect => ({
  file: `upl_${name}`,
  name,
  stored: stored(Buffer.from(bytes)),
  ...more,
});
const settingsOf = (inspected: readonly InspectedFile[]) =>
  csvSettings.parse({
    files: Object.fromEntries(
      inspected.map(({ stream, file, columns }) => [stream, { file, columns: [...columns] }]),
    ),
  });
const fieldOf = ({ columns }: InspectedFile, header: string) =>
  columns.filter((column) => column.header === header).map(({ field }) => field);

describe.each(families)("the example files of %s", (family) => {
  const files = exampleFiles[family].map(({ name, text }) => fileOf(name, text));
  test("are recognized, join each other, and leave no question", async () => {
    const inspected = await inspectFiles(family, files);
    expect(inspected.map(({ stream }) => stream)).toEqual(exampleFiles[family].map(({ stream }) => stream));
    expect(inspected.flatMap(({ questions }) => questions.map(({ message }) => message))).toEqual([]);
    expect(
      inspected.flatMap(({ columns }) => columns).filter(({ field }) => field.startsWith("custom")),
    ).toEqual([]);
    const checked = await checkFiles(
      family,
      settingsOf(inspected),
      async (id) => files.find(({ file }) => file === id)?.stored ?? null,
    );
    expect(checked.flatMap(({ problems, problem }) => [...problems, ...(problem ? [problem] : [])])).toEqual(
      [],
    );
    expect(checked.every(({ rows }) => rows > 0)).toBe(true);
  });
});

const tickets = [
  ["Nr", "Titel", "Status", "Angelegt am"],
  ["7", "Drucker brennt", "offen", "31.12.2025 10:00"],
  ["8", "Neuer Laptop", "zu", "01.01.2026 11:00"],
];
const comments = [
  ["Kommentar-Nr", "Ticket", "Text", "Sichtbarkeit"],
  ["1", "7", "Bitte ausschalten", "öffentlich"],
];

test("files are recognized by their columns where their names say nothing", async () => {
  const inspected = await inspectFiles("helpdesk", [
    fileOf("export-1.csv", writeCsv(comments)),
    fileOf("export-2.xlsx", writeXlsx(tickets)),
  ]);
  expect(inspected.map(({ stream }) => stream)).toEqual(["comments", "tickets"]);
  expect(fieldOf(inspected[0] as InspectedFile, "Ticket")).toEqual(["ticketId"]);
});

test("a stream is read from one file; a second one for it is left out until the customer decides", async () => {
  const two = [fileOf("tickets.csv", writeCsv(tickets)), fileOf("tickets-old.csv", writeCsv(tickets))];
  const streams = (await inspectFiles("helpdesk", two)).map(({ stream }) => stream);
  expect(streams.filter((each) => each === "tickets")).toHaveLength(1);
  const chosen = two.map((file, index) => ({ ...file, stream: index === 0 ? null : "tickets" }));
  expect((await inspectFiles("helpdesk", chosen)).map(({ stream }) => stream)).toEqual([null, "tickets"]);
});

test("a file that can't be read says why, and does not hinder the others", async () => {
  const [bad, good] = await inspectFiles("helpdesk", [
    fileOf("old.xls", Buffer.from("d0cf11e0a1b11ae1", "hex")),
    fileOf("tickets.csv", writeCsv(tickets)),
  ]);
  expect(bad).toMatchObject({ stream: null, problem: expect.stringContaining("Save it as .xlsx") });
  expect(good).toMatchObject({ stream: "tickets", problem: null });
});

test("the sheet that was read is named: the first one that is not hidden", async () => {
  const data = (title: string) =>
    `<row r="1"><c r="A1" t="inlineStr"><is><t>${title}</t></is></c></row><row r="2"><c r="A2"><v>1</v></c></row>`;
  const book = writeZip(
    bookParts([
      { name: "Lists", data: data("Internal") },
      { name: "Tickets", data: data("Ticket ID") },
    ]).map((part) =>
      part.path === "xl/workbook.xml"
        ? {
            ...part,
            content: Buffer.from(
              Buffer.from(part.content).toString().replace('name="Lists"', 'name="Lists" state="hidden"'),
            ),
          }
        : part,
    ),
  );
  const inspect = (more: Partial<FileToInspect>) =>
    inspectFiles("helpdesk", [fileOf("tickets.xlsx", book, more)]).then(([first]) => first);
  expect(await inspect({})).toMatchObject({
    sheets: ["Lists", "Tickets"],
    sheet: "Tickets",
    header: ["Ticket ID"],
  });
  expect(await inspect({ sheet: "Lists" })).toMatchObject({ sheet: "Lists", header: ["Internal"] });
  const [csv] = await inspectFiles("helpdesk", [fileOf("tickets.csv", writeCsv(tickets))]);
  expect(csv).toMatchObject({ sheets: [], sheet: null });
});

test("the customer's choice of columns wins, and the rest is suggested around it", async () => {
  const inspect = (fields: FileToInspect["fields"]) =>
    inspectFiles("helpdesk", [fileOf("tickets.csv", writeCsv(tickets), { fields })]).then(
      ([first]) => first as InspectedFile,
    );
  const free = await inspect({});
  expect(fieldOf(free, "Titel")).toEqual(["subject"]);
  expect(fieldOf(free, "Status")).toEqual(["status", "statusKind"]);
  const pinned = await inspect({ 1: "number", 2: null, 3: "custom" });
  expect(fieldOf(pinned, "Titel")).toEqual(["number"]);
  expect(fieldOf(pinned, "Status")).toEqual([]);
  expect(fieldOf(pinned, "Angelegt am")).toEqual(["customFields.angelegt_am"]);
  expect(pinned.questions.map(({ code, field }) => `${code} ${field}`)).toEqual(
    expect.arrayContaining(["missing-field subject", "missing-field statusKind"]),
  );
});

test("unknown words come with the question, to be given a meaning", async () => {
  const [first] = await inspectFiles("helpdesk", [fileOf("tickets.csv", writeCsv(tickets))]);
  expect(first?.questions.find(({ code }) => code === "unknown-words")).toMatchObject({
    field: "statusKind",
    words: ["zu"],
  });
});

test("words beyond those that are asked for get one meaning together", async () => {
  const words = Array.from({ length: 30 }, (_, index) => `Zustand ${String.fromCharCode(97 + index)}`);
  const late = Array.from({ length: 1_200 }, (_, index) => (index < 1_100 ? "offen" : "Später"));
  const rows = [...words, ...late].map((word, index) => [String(index), "A", word, "31.12.2025"]);
  const bytes = writeCsv([["Nr", "Titel", "Status", "Angelegt am"], ...rows]);
  const [first] = await inspectFiles("helpdesk", [fileOf("tickets.csv", bytes)]);
  const [question] = first?.questions.filter(({ code }) => code === "unknown-words") ?? [];
  expect(question?.words).toHaveLength(20);
  expect(question?.more).toBe(true);
  expect(question?.message).toMatch(/, and more\. Or one for all other words\.$/);
  const checkWith = async (otherwise: object) => {
    const columns = first?.columns.map((column) => ({ ...column, ...(column.words ? otherwise : {}) }));
    const settings = csvSettings.parse({ files: { tickets: { file: "f", columns } } });
    return (await checkFiles("helpdesk", settings, async () => stored(bytes)))[0];
  };
  const without = await checkWith({});
  expect(without).toMatchObject({ rows: 1_000, bad: 30 });
  expect(without?.problems[0]?.message).toContain("Choose what it means, or what all other words mean:");
  expect(await checkWith({ otherwise: "closed" })).toMatchObject({ rows: 1_000, bad: 0 });
});

describe("the check of the first thousand rows", () => {
  const columns: ColumnChoice[] = [
    { column: 0, header: "Nr", field: "id" },
    { column: 1, header: "Titel", field: "subject" },
    { column: 2, header: "Status", field: "status" },
    { column: 2, header: "Status", field: "statusKind", words: { offen: "open" } },
    { column: 3, header: "Angelegt am", field: "createdAt", date: "day-first" },
  ];
  const check = (rows: readonly (readonly string[])[], chosen = columns) => {
    const settings = csvSettings.parse({ files: { tickets: { file: "f", columns: chosen } } });
    const bytes = writeCsv([["Nr", "Titel", "Status", "Angelegt am"], ...rows]);
    return checkFiles("helpdesk", settings, async () => stored(bytes)).then(([first]) => first);
  };
  const good = (id: number) => [String(id), "A", "offen", "31.12.2025"];

  test("names row, column and fix of each problem, and repeated keys", async () => {
    const checked = await check([good(1), ["2", "", "offen", ""], ["3", "B", "zu", "12/31/2025"], good(1)]);
    expect(checked).toMatchObject({ rows: 4, bad: 3, problem: null });
    expect(checked?.problems).toMatchObject([
      { row: 3, column: "Titel", message: expect.stringMatching(/is empty.*Fill it in/) },
      { row: 4, column: "Status", message: expect.stringMatching(/Choose what it means/) },
      { row: 5, column: "Nr", message: expect.stringMatching(/same key as row 2/) },
    ]);
  });

  test("reads no more than a thousand rows, and shows no more than fifty problems", async () => {
    const all = Array.from({ length: 1_500 }, (_, index) => good(index));
    expect(await check(all)).toMatchObject({ rows: 1_000, bad: 0 });
    const bad = await check(all.map(([id = ""]) => [id, "A", "offen", "never"]));
    expect(bad).toMatchObject({ rows: 1_000, bad: 1_000 });
    expect(bad?.problems).toHaveLength(50);
  });

  test("a file with other columns than those chosen is a problem of the whole file", async () => {
    const moved = columns.map((each) => ({ ...each, column: each.column + 1 }));
    expect(await check([good(1)], moved)).toMatchObject({
      problem: expect.stringContaining("Choose the columns"),
    });
  });
});

describe("tables of commas", () => {
  test("a header with more columns than a spreadsheet has is refused, before each of them is looked at", async () => {
    const [wide] = await inspectFiles("helpdesk", [fileOf("wide.csv", `a${",".repeat(100_000)}\n1\n`)]);
    expect(wide?.problem).toContain("Row 1 has 100001 columns, but a table can have at most 16384");
    expect(wide?.header).toEqual([]);
  });

  test("rows of empty cells count as long ones: fewer of them are held", async () => {
    const rows = `x${",".repeat(1_000)}\n`.repeat(60);
    const file = memoryFile(Buffer.from(`Name,Email\n${rows}`));
    expect((await readTop(file, {}, 20_000)).sample).toHaveLength(20);
  });

  test("line breaks without end are not read to their end", async () => {
    const late = `Name,Email\n${"\n".repeat(5_000)}Anna,anna@acme.example\n`;
    const sampled = async (maxCharacters: number) =>
      (await readTop(memoryFile(Buffer.from(late)), {}, maxCharacters)).sample.length;
    expect(await sampled(20_000)).toBe(1);
    expect(await sampled(5_000)).toBe(0);
  });
});

test("others get their turn while many tables are inspected", async () => {
  const files = [1, 2, 3].map((each) => fileOf(`${each}.csv`, writeCsv(tickets)));
  let turns = 0;
  let isDone = false;
  const turn = () => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await inspectFiles("helpdesk", files);
  isDone = true;
  // Nothing else waits here: these files are in memory.
  expect(turns).toBeGreaterThanOrEqual(files.length * tableStreams("helpdesk").length);
});
