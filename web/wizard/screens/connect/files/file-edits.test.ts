import type { InspectUploads, WizardColumn, WizardInspectedFile } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { editsOver, noEdits, openQuestions, settingsOf, takenTwice, toInspect } from "./file-edits.ts";
import { inspectWithAnswers } from "./inspect-with-answers.ts";
import { savedAnswers } from "./saved-answers.ts";

const inspected: WizardInspectedFile = {
  file: "upl_1",
  stream: "tickets",
  problem: null,
  sheets: [],
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
