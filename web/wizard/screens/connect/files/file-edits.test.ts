import type { InspectUploads, WizardColumn, WizardInspectedFile } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import {
  columnsWith,
  editsOver,
  leftOutWords,
  noEdits,
  openQuestions,
  settingsOf,
  sheetOf,
  takenTwice,
  toInspect,
  withField,
} from "./file-edits.ts";
import { inspectWithAnswers } from "./inspect-with-answers.ts";
import { beginEdits, savedAnswers } from "./saved-answers.ts";

const inspected: WizardInspectedFile = {
  file: "upl_1",
  stream: "tickets",
  problem: null,
  sheets: [],
  sheet: null,
  dialect: {},
  confidence: "certain",
  header: ["ID", "Status", "Created"],
  preview: [],
  columns: [
    { column: 0, header: "ID", field: "id", confidence: "certain" },
    { column: 1, header: "Status", field: "statusKind", confidence: "likely", words: { open: "open" } },
    { column: 2, header: "Created", field: "createdAt", confidence: "certain" },
  ],
  questions: [
    {
      code: "date-order",
      column: 2,
      field: "createdAt",
      options: ["day-first", "month-first"],
      message: "?",
    },
    {
      code: "unknown-words",
      column: 1,
      field: "statusKind",
      options: ["open"],
      words: ["Zu", "Weg"],
      message: "?",
    },
    { code: "missing-field", column: null, field: "subject", options: [], message: "?" },
    { code: "no-key", column: null, field: "id", options: [], message: "a hint" },
  ],
};

test("a question is open until its answer is complete; hints are not questions", () => {
  const open = (edits: Partial<typeof noEdits>) =>
    openQuestions(inspected, { ...noEdits, ...edits }).map(({ code }) => code);
  expect(open({})).toEqual(["date-order", "unknown-words", "missing-field"]);
  expect(open({ dates: { 2: "day-first" }, words: { 1: { Zu: "closed" } } })).toEqual([
    "unknown-words",
    "missing-field",
  ]);
  const all = {
    dates: { 2: "day-first" },
    words: { 1: { Zu: "closed", Weg: "closed" } },
    constants: { subject: "-" },
  };
  expect(open(all)).toEqual([]);
  expect(open({ ...all, constants: { subject: "" } })).toEqual(["missing-field"]);
});

test("one meaning for all other words answers the question, and leaves out what has no meaning of its own", () => {
  const words = { 1: { Zu: "closed", Weg: "" } };
  const edits = { ...noEdits, dates: { 2: "day-first" }, words, constants: { subject: "-" } };
  expect(openQuestions(inspected, edits).map(({ code }) => code)).toEqual(["unknown-words"]);
  const answered = { ...edits, otherwise: { 1: "open" } };
  expect(openQuestions(inspected, answered)).toEqual([]);
  const [, status] = columnsWith(inspected.columns, answered);
  expect(status).toMatchObject({ words: { open: "open", Zu: "closed" }, otherwise: "open" });
  expect(status?.words).not.toHaveProperty("Weg");
  // Only a column of words has others.
  expect(columnsWith(inspected.columns, { ...answered, otherwise: { 0: "open" } })).not.toContainEqual(
    expect.objectContaining({ otherwise: expect.anything() }),
  );
});

test("another field for a column needs answers of its own", () => {
  const answered = {
    dates: { 1: "day-first" },
    words: { 1: { Zu: "closed" } },
    otherwise: { 1: "open", 2: "high" },
  };
  expect(withField({ ...noEdits, ...answered }, 1, "priority")).toEqual({
    ...noEdits,
    fields: { 1: "priority" },
    otherwise: { 2: "high" },
  });
});

test("more unknown words than are asked for need one meaning together, or are left out by choice", () => {
  const [, question] = inspected.questions;
  const many = { questions: question ? [{ ...question, more: true as const }] : [] };
  const words = { 1: { Zu: "open", Weg: "open" } };
  expect(openQuestions(many, { ...noEdits, words })).toHaveLength(1);
  const leftOut = { ...noEdits, otherwise: { 1: leftOutWords } };
  expect(openQuestions(many, leftOut)).toEqual([]);
  expect(columnsWith(inspected.columns, leftOut)[1]).not.toHaveProperty("otherwise");
});

test("the settings have the suggestion with the answers, and no file that is left out or unreadable", () => {
  const edits = {
    upl_1: {
      ...noEdits,
      sheet: "2025",
      dates: { 2: "day-first" },
      words: { 1: { Zu: "closed" } },
      constants: { subject: "None", brand: "" },
    },
  };
  const others: WizardInspectedFile[] = [
    { ...inspected, file: "upl_2", stream: null },
    { ...inspected, file: "upl_3", stream: "comments", problem: "damaged" },
  ];
  expect(settingsOf([inspected, ...others], edits, "UTC")).toEqual({
    timeZone: "UTC",
    filesLeftOut: [],
    files: {
      tickets: {
        file: "upl_1",
        sheet: "2025",
        dialect: {},
        columns: [
          { column: 0, header: "ID", field: "id" },
          { column: 1, header: "Status", field: "statusKind", words: { open: "open", Zu: "closed" } },
          { column: 2, header: "Created", field: "createdAt", date: "day-first" },
        ],
        constants: { subject: "None" },
      },
    },
  });
});

test("the sheet of a file is the one that was read, unless the customer has just chosen another", () => {
  const book = { ...inspected, sheets: ["Lists", "Tickets"], sheet: "Tickets" };
  expect(sheetOf(book, noEdits)).toBe("Tickets");
  expect(sheetOf(book, { ...noEdits, sheet: "Lists" })).toBe("Lists");
});

test("marks and units are asked for, and answered by column", () => {
  const column = { column: 4, header: "Amount", field: "amount", confidence: "likely" } as const;
  const time = { column: 5, header: "Time", field: "minutes", confidence: "likely" } as const;
  const asks = [
    { code: "decimal-mark", column: 4, field: "amount", options: [".", ","], message: "?" },
    { code: "time-unit", column: 5, field: "minutes", options: ["hours", "minutes"], message: "?" },
  ] as const;
  const open = (edits: typeof noEdits) => openQuestions({ questions: asks }, edits).map(({ code }) => code);
  expect(open(noEdits)).toEqual(["decimal-mark", "time-unit"]);
  const edits = { ...noEdits, decimals: { 4: "," }, units: { 5: "hours" } };
  expect(open({ ...edits, units: { 5: "" } })).toEqual(["time-unit"]);
  expect(open(edits)).toEqual([]);
  expect(columnsWith([column, time], edits)).toEqual([
    { ...column, decimal: "," },
    { ...time, unit: "hours" },
  ]);
});

test("a field of its own is kept as text if the customer wants it so", () => {
  const columns = [
    {
      column: 0,
      header: "Code",
      field: "customFields.code",
      confidence: "likely",
      as: "number",
      decimal: ".",
    },
    { column: 1, header: "Name", field: "subject", confidence: "likely" },
  ] as const;
  const edits = { ...noEdits, kinds: { 0: "text", 1: "text" } };
  expect(columnsWith(columns, edits)).toEqual([{ ...columns[0], as: "text" }, columns[1]]);
});

test("two files for one kind of record are noticed", () => {
  expect([...takenTwice([inspected, { ...inspected, file: "upl_2" }])]).toEqual(["tickets"]);
  expect([
    ...takenTwice([inspected, { ...inspected, stream: null }, { ...inspected, stream: null }]),
  ]).toEqual([]);
});

test("an inspection asks with what the customer chose, and leaves the rest to the server", () => {
  expect(toInspect(["a", "b"], { a: { ...noEdits, stream: null, fields: { 1: "subject" } } })).toEqual({
    files: [
      { file: "a", stream: null, sheet: undefined, dialect: {}, fields: { 1: "subject" } },
      { file: "b", stream: undefined, sheet: undefined, dialect: {}, fields: {} },
    ],
  });
});

const header = ["Vorgang", "Salary", "State", "Opened", "Note", "Note"];

/** A server that suggests each column to be a field of its own, and takes what is chosen. */
const inspectAs =
  (headers: Readonly<Record<string, readonly string[]>>, asked: InspectUploads[] = []) =>
  async (body: InspectUploads): Promise<readonly WizardInspectedFile[]> => {
    asked.push(body);
    return body.files.map(({ file, stream = "tickets", fields = {} }) => ({
      ...inspected,
      file,
      stream,
      sheets: ["2025", "2026"],
      header: headers[file] ?? [],
      columns: (headers[file] ?? []).flatMap((name, column): WizardColumn[] => {
        const field = fields[column];
        if (field === null) return [];
        const words = field === "statusKind" && { words: { open: "open" } };
        return [
          { column, header: name, field: field ?? `customFields.${name}`, confidence: "likely", ...words },
        ];
      }),
      questions:
        stream === null
          ? []
          : [
              { code: "date-order", column: 3, field: "createdAt", options: [], message: "" },
              { code: "missing-field", column: null, field: "subject", options: [], message: "" },
            ],
    }));
  };

/** The settings that the page connects with, and the questions that it still asks. */
const connectWith = async (
  files: readonly string[],
  inspect: ReturnType<typeof inspectAs>,
  edits: Readonly<Record<string, typeof noEdits>>,
  before: object = {},
) => {
  const found = await inspectWithAnswers(files, edits, savedAnswers({ ...before }), async (body) => ({
    files: await inspect(body),
    streams: [],
  }));
  const all = Object.fromEntries(
    files.map((file) => [file, editsOver(found.begun[file] ?? noEdits, edits[file] ?? noEdits)]),
  );
  return {
    settings: settingsOf(found.files, all, "UTC"),
    open: found.files.flatMap((each) => openQuestions(each, all[each.file] ?? noEdits)),
  };
};

const answers = {
  ...noEdits,
  sheet: "2026",
  fields: { 0: "id", 1: null, 2: "statusKind", 5: "tags" },
  dates: { 3: "day-first" },
  words: { 2: { Zu: "closed" } },
  constants: { subject: "None" },
};

test("a corrected file begins with the answers for the one before", async () => {
  const first = await connectWith(["a", "b"], inspectAs({ a: header }), {
    a: answers,
    b: { ...noEdits, stream: null },
  });
  // The same names in another order, with a new column before them.
  const moved = ["Extra", "Note", "Note", "Opened", "Salary", "Vorgang", "State"];
  const asked: InspectUploads[] = [];
  const { settings, open } = await connectWith(
    ["b", "c"],
    inspectAs({ b: header, c: moved }, asked),
    {},
    first.settings,
  );
  expect(open).toEqual([]);
  expect(settings.files["tickets"]).toEqual({
    file: "c",
    sheet: "2026",
    dialect: {},
    columns: [
      { column: 0, header: "Extra", field: "customFields.Extra" },
      { column: 1, header: "Note", field: "custom" },
      { column: 2, header: "Note", field: "tags" },
      { column: 3, header: "Opened", field: "custom", date: "day-first" },
      { column: 5, header: "Vorgang", field: "id" },
      { column: 6, header: "State", field: "statusKind", words: { open: "open", Zu: "closed" } },
    ],
    leftOut: [{ column: 4, header: "Salary" }],
    constants: { subject: "None" },
  });
  // A file that was left out does not come back either.
  expect(settings.filesLeftOut).toEqual(["b"]);
  // Once to see what it holds, once with its sheet, once with its columns.
  expect(asked.length).toBeLessThanOrEqual(3);
});

test("the same files begin as they are connected, with one look; what the customer changes now counts more", async () => {
  const first = await connectWith(["a"], inspectAs({ a: header }), {
    a: { ...answers, dialect: { delimiter: ";" } },
  });
  const asked: InspectUploads[] = [];
  const again = await connectWith(["a"], inspectAs({ a: header }, asked), {}, first.settings);
  expect(again.settings.files["tickets"]?.dialect).toEqual({ delimiter: ";" });
  expect(again.settings.files["tickets"]?.leftOut).toEqual([{ column: 1, header: "Salary" }]);
  expect(asked).toHaveLength(1);
  const own = { a: { ...noEdits, fields: { 1: "subject" }, words: { 2: { Zu: "solved" } } } };
  const changed = await connectWith(["a"], inspectAs({ a: header }), own, first.settings);
  expect(changed.settings.files["tickets"]?.leftOut).toBeUndefined();
  expect(changed.settings.files["tickets"]?.columns).toMatchObject([
    { column: 0, field: "id" },
    { column: 1, field: "subject" },
    { column: 2, words: { Zu: "solved" } },
    { column: 3 },
    { column: 4 },
    { column: 5 },
  ]);
});

test("a file chosen for another kind of record begins with the answers for that kind", async () => {
  const first = await connectWith(["a"], inspectAs({ a: header }), { a: answers });
  const own = { c: { ...noEdits, stream: "comments" } };
  const elsewhere = await connectWith(["c"], inspectAs({ c: header }), own, first.settings);
  expect(elsewhere.settings.files["comments"]?.columns[0]).toMatchObject({ field: "customFields.Vorgang" });
  const chosen = { c: { ...noEdits, stream: "tickets" } };
  const back = await connectWith(["c"], inspectAs({ c: header }), chosen, first.settings);
  expect(back.settings.files["tickets"]?.columns[0]).toMatchObject({ field: "id" });
});

test("answers of all kinds begin a corrected file, and go with the field that they are about", () => {
  const columns = [
    { column: 0, header: "No", field: "id" },
    { column: 1, header: "Effort", field: "estimatedMinutes", decimal: ",", unit: "hours" },
    { column: 2, header: "State", field: "statusKind", words: { open: "open" }, otherwise: "closed" },
    { column: 3, header: "Price", field: "customFields.Price", as: "text" },
  ];
  const saved = savedAnswers({ files: { tickets: { file: "a", columns } } });
  const known = { stream: "tickets", header: ["Price", "No", "Effort", "State"], sheets: [] };
  const begun = beginEdits(saved, "b", noEdits, known);
  expect(begun).toEqual({
    ...noEdits,
    stream: "tickets",
    fields: { 0: "custom", 1: "id", 2: "estimatedMinutes", 3: "statusKind" },
    decimals: { 2: "," },
    units: { 2: "hours" },
    kinds: { 0: "text" },
    words: { 3: { open: "open" } },
    otherwise: { 3: "closed" },
  });
  const own = withField(editsOver(begun, noEdits), 2, "custom");
  expect(editsOver(begun, own)).toEqual({
    ...begun,
    fields: { ...begun.fields, 2: "custom" },
    decimals: {},
    units: {},
  });
});
