import type { WizardInspectedFile } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import {
  columnsWith,
  leftOutWords,
  noEdits,
  openQuestions,
  settingsOf,
  sheetOf,
  takenTwice,
  toInspect,
  withField,
} from "./file-edits.ts";

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
