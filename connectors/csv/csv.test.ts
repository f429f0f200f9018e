import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConnectorError, type Cursor, helpdesk, type Page } from "@portage/connector-kit";
import { createTestIo } from "@portage/connector-kit/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCsv } from "./csv.ts";
import type { StoredFile } from "./file-store.ts";
import { inspectTop, readTop } from "./inspect-table.ts";
import { csvSettings } from "./settings.ts";
import { folderStore, memoryStore } from "./testing/folder-store.ts";
import { column, columns, good, header, open, type Setup, table, transport } from "./testing/tickets.ts";
import { writeCsv } from "./testing/write-csv.ts";
import { writeXlsx } from "./testing/write-xlsx.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "portage-csv-test-"));
});
afterAll(async () => {
  await transport.close();
  await rm(folder, { recursive: true });
});

const messagesOf = ({ unreadable = [] }: Page<unknown>) =>
  unreadable.map(({ id, code, message }) => `${id} ${code} ${message}`);

/** Reads a table page by page, each from a stored cursor. */
const readPages = async (setup: Setup) => {
  const { read } = open(setup);
  const ids: string[] = [];
  const messages: string[] = [];
  for (let cursor: Cursor | null = null; ; ) {
    const page: Page<{ readonly id: string }> = await read(cursor);
    ids.push(...page.records.map(({ id }) => id));
    messages.push(...messagesOf(page));
    if (page.next === null) return { ids, messages };
    cursor = JSON.parse(JSON.stringify(page.next));
  }
};

describe("reports bad rows and reads the others", () => {
  const bytes = Buffer.concat([
    table(
      good("1"),
      ["2", "", "open", "", ""],
      ["3", "c", "open", "31.02.2024", ""],
      ["4", "d", "seltsam", "", ""],
      ["", "e", "open", "", ""],
      ["6", "f", "open", "", "many"],
      ["7", "g", "open", "", "", "", "extra"],
      good("1"),
      ["", "", "", "", ""],
      ["9", "short"],
      ["x".repeat(600), "h", "open", "", ""],
    ),
    Buffer.from('10,"never closed,open\n'),
    Buffer.from("11,last,zu,1.1.1960,\n"),
  ]);

  test("with the row, the column and the remedy", async () => {
    const page = await open({ bytes }).read();
    expect(page.records.map(({ id }) => id)).toEqual(["1", "11"]);
    expect(page.records[1]).toMatchObject({ statusKind: "closed", createdAt: "1960-01-01T00:00:00.000Z" });
    expect(messagesOf(page)).toEqual([
      "2 required_empty Row 3, column “Subject”: the cell is empty, but tickets need it (subject). Fill it in.",
      "3 bad_date Row 4, column “Created”: the cell is not a date in the format day, month, year. Correct the cell, or choose another date format for the column.",
      "4 unknown_word Row 5, column “Status”: the cell has a word without a meaning. Choose what it means, or what all other words mean: new, open, pending, on_hold, solved, closed. Or correct the cell.",
      "row-6 no_key Row 6, column “ID”: the cell is empty, but it is the key. Fill it in, or choose another key column.",
      "6 bad_number Row 7, column “Points”: the cell is not a number. Correct the cell, or choose whether the column has a decimal point or a decimal comma.",
      "7 too_many_cells Row 8 has 7 cells, but the table has 5 columns. Put texts that hold the separator or a line break in quotation marks.",
      "row-9 key_twice Row 9 has the same key as row 2. Give it another one, delete it, or choose a key column without repetitions.",
      "9 required_empty Row 11, column “Status”: the cell is empty, but tickets need it (status). Fill it in.",
      "row-12 unexpected_record Row 12: A record of tickets does not have the expected form: id (too_big). Correct the row.",
      "row-13 open_quote Row 13 has a quotation mark that is never closed. Close it, or double it if it is part of the text; the row was skipped.",
    ]);
  });

  test("the same page by page, from every cursor", async () => {
    const whole = await open({ bytes }).read();
    const { ids, messages } = await readPages({ bytes, rows: 1 });
    expect({ ids, messages }).toEqual({
      ids: whole.records.map(({ id }) => id),
      messages: messagesOf(whole),
    });
  });
});

describe("a key that repeats one of an earlier page", () => {
  const renamed = (id: string, subject: string) => [id, subject, "open", "31.12.2024 10:00", "5"];
  const rows = [good("1"), good("2"), good("3"), renamed("1", "Other"), good("4"), good("2"), good("1")];
  const expected = {
    ids: ["1", "2", "3", "4"],
    messages: [
      expect.stringContaining("row-5 key_twice Row 5 has the same key as row 2."),
      expect.stringContaining("row-7 key_twice Row 7 has the same key as row 3."),
      expect.stringContaining("row-8 key_twice Row 8 has the same key as row 2."),
    ],
  };

  test.each([1, 2, 3])(
    "is reported with both rows, and the first row stays: %i rows a page",
    async (size) => {
      expect(await readPages({ bytes: table(...rows), rows: size })).toEqual(expected);
    },
  );

  test("is none if only the hashes are the same", async () => {
    const same = [good("liquid"), good("costarring"), good("5"), good("costarring")];
    const { ids, messages } = await readPages({ bytes: table(...same), rows: 1 });
    expect(ids).toEqual(["liquid", "costarring", "5"]);
    expect(messages).toEqual([expect.stringContaining("Row 5 has the same key as row 3.")]);
  });

  test("is reported in an Excel file", async () => {
    expect(await readPages({ bytes: writeXlsx([header, ...rows]), rows: 2 })).toEqual(expected);
  });

  test("is none after a row that could not be used, or without a key column", async () => {
    const bad = ["1", "", "open", "", ""];
    const { ids, messages } = await readPages({ bytes: table(bad, good("2"), good("1")), rows: 1 });
    expect(ids).toEqual(["2", "1"]);
    expect(messages).toHaveLength(1);
    const without = { columns: columns.slice(1) };
    const twice = await readPages({ bytes: table(good("1"), good("1")), rows: 1, choice: without });
    expect(twice).toEqual({ ids: ["row-2", "row-3"], messages: [] });
  });
});

describe("an unusable row is known by its key if no other row has a better claim to it", () => {
  const bad = (id: string) => [id, "", "open", "", ""];
  const rows = [bad("7"), good("1"), bad("7"), bad("8"), good("8"), good("9"), bad("9"), bad("5")];
  const known = (messages: readonly string[]) =>
    messages.map((each) => each.replace(/ .* (Row \d+),.*/, " $1"));

  test.each([1, 2, 3, 100])("%i rows a page, in CSV and in Excel", async (size) => {
    for (const bytes of [table(...rows), writeXlsx([header, ...rows])]) {
      const { ids, messages } = await readPages({ bytes, rows: size });
      expect(ids).toEqual(["1", "8", "9"]);
      expect(known(messages)).toEqual([
        "7 Row 2",
        "row-4 Row 4",
        // The record has the key, also if its row comes later, on another page.
        "row-5 Row 5",
        "row-8 Row 8",
        "5 Row 9",
      ]);
    }
  });

  test("a key that is too long for one is none", async () => {
    const { messages } = await readPages({ bytes: table(bad("x".repeat(600)), bad("x".repeat(599))) });
    expect(known(messages)).toEqual(["row-2 Row 2", "row-3 Row 3"]);
  });
});

describe("records by their ids", () => {
  const bad = (id: string) => [id, "", "open", "", ""];
  const ask = async (rows: readonly (readonly string[])[], ids: readonly string[]) => {
    const { stream, io } = open({ bytes: table(...rows) });
    const found = await stream.readByIds(io, ids);
    const left = ids.filter((id) => !found.some((each) => each.id === id));
    const explained = (await stream.unreadableAmong?.(io, left)) ?? [];
    return {
      found: found.map(({ id }) => id),
      explained: explained.map(({ id, code, elsewhere }) => `${id} ${code}${elsewhere ? " elsewhere" : ""}`),
    };
  };
  const reported = ["7", "row-3", "row-5", "row-6", "row-8"];
  const rows = [bad("7"), good(""), good("1"), good("1"), bad("7"), good("8"), bad("8")];

  test("what is there and can't be used is not gone: it has the row's own reason", async () => {
    const page = await open({ bytes: table(...rows) }).read();
    expect(page.unreadable?.map(({ id }) => id).toSorted()).toEqual(reported);
    expect(await ask(rows, [...reported, "1", "99", "row-99", "row-x"])).toEqual({
      found: ["1"],
      explained: [
        "7 required_empty",
        "row-3 no_key",
        "row-5 key_twice",
        "row-6 required_empty",
        "row-8 required_empty",
      ],
    });
  });

  test("after a correction, a row that got another key is found under it, and is not gone", async () => {
    const corrected = [
      good("7"),
      good("2"),
      good("1"),
      good("3"),
      good("4"),
      good("8"),
      ["", "", "", "", ""],
    ];
    expect(await ask(corrected, reported)).toEqual({
      found: ["7"],
      explained: ["row-3 id_changed elsewhere", "row-5 id_changed elsewhere", "row-6 id_changed elsewhere"],
    });
    // A row that still can't be used is known by its key from now on.
    expect((await ask([bad("7"), bad("2")], ["row-3"])).explained).toEqual(["row-3 id_changed elsewhere"]);
  });

  test("without a key column, a row is known by its position", async () => {
    const { stream, io } = open({
      bytes: table(good("1"), bad("2")),
      choice: { columns: columns.slice(1) },
    });
    expect((await stream.readByIds(io, ["row-2", "row-3"])).map(({ id }) => id)).toEqual(["row-2"]);
    expect(await stream.unreadableAmong?.(io, ["row-3", "row-9"])).toMatchObject([
      { id: "row-3", code: "required_empty" },
    ]);
  });
});

describe("whole files", () => {
  const failing = async (setup: Setup, cursor: Cursor | null = null) => {
    const error = await open(setup)
      .read(cursor)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConnectorError);
    return `${(error as ConnectorError).recovery} ${(error as ConnectorError).code}`;
  };

  test("fails for a file that is missing, empty, blank, .xls, replaced, or has other columns", async () => {
    expect(await failing({ files: memoryStore({}) })).toBe("abort file_missing");
    expect(await failing({ bytes: Buffer.from("") })).toBe("abort file_empty");
    expect(await failing({ bytes: Buffer.from("\n \n,,\n") })).toBe("abort file_empty");
    expect(await failing({ bytes: Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1, 2]) })).toBe("abort file_format");
    expect(await failing({ bytes: table(good("1")).subarray(3) })).toBe("abort columns_changed");
    const { next } = await open({ bytes: table(good("1"), good("2")), rows: 1 }).read();
    expect(await failing({ bytes: table(good("1")) }, next)).toBe("abort file_changed");
    expect(await failing({ bytes: table(good("1")), choice: { columns: [column(0, "nonsense")] } })).toBe(
      "abort unknown_field",
    );
  });

  test("check names the missing file and asks the customer for it", async () => {
    const { connector, io } = open({ files: memoryStore({}) });
    await expect(connector.check(io)).rejects.toMatchObject({ recovery: "reauthorize", setting: "files" });
    await expect(
      connector.check({ ...io, settings: { importId: "", files: {}, timeZone: "UTC" } }),
    ).rejects.toMatchObject({
      code: "file_missing",
    });
  });

  test("a stream without a file is empty", async () => {
    const { connector, io } = open({ bytes: table(good("1")) });
    const users = connector.source?.helpdesk?.find((each) => each.stream.name === "users");
    expect(await users?.readPage(io, { cursor: null, since: null, parentId: null })).toEqual({
      records: [],
      next: null,
    });
    expect(await users?.count?.(io)).toEqual({ value: 0, exact: true });
  });

  test("stops between windows", async () => {
    const stop = new AbortController();
    stop.abort(new Error("stopped"));
    await expect(open({ bytes: table(good("1")), signal: stop.signal }).read()).rejects.toThrow("stopped");
  });

  test("refuses an unknown time zone", () => {
    expect(csvSettings.safeParse({ files: {}, timeZone: "Mars/Olympus" }).success).toBe(false);
  });
});

test("values: constants, joined names, headers that are names of JavaScript properties", async () => {
  const bytes = writeCsv([
    ["ID", "First", "Last", "__proto__", "constructor"],
    ["1", "Anna", "Ax", "evil", "also"],
  ]);
  const choice = {
    columns: [
      { column: 0, header: "ID", field: "id" },
      { column: 1, header: "First", field: "subject" },
      { column: 3, header: "__proto__", field: "customFields.__proto__" },
      { column: 4, header: "constructor", field: "customFields.constructor" },
    ],
    constants: { status: "imported", statusKind: "closed" },
  };
  const { records } = await open({ bytes, choice }).read();
  expect(records[0]).toMatchObject({ subject: "Anna", status: "imported", statusKind: "closed" });
  expect(records[0]?.customFields.constructor).toBe("also");
  expect(Object.getPrototypeOf(records[0]?.customFields)).toBe(Object.prototype);
  expect(({} as Record<string, unknown>).evil).toBeUndefined();
});

test("an estimated count is close to the real one", async () => {
  const rows = Array.from({ length: 5000 }, (_, index) => good(String(100_000 + index)));
  const { stream, io } = open({ bytes: table(...rows), rows: 500 });
  const count = await stream.count?.(io);
  expect(count?.exact).toBe(false);
  expect(Math.abs((count?.value ?? 0) - 5000)).toBeLessThan(50);
});

test("from an upload to records: inspect, choose the suggested columns, read", async () => {
  await writeFile(
    join(folder, "contacts.xlsx"),
    writeXlsx([
      ["Kundennummer", "Vorname", "Nachname", "E-Mail"],
      ["K1", "Anna", "Ax", "a@example.com"],
      ["K2", "Bert", "By", "b@example.com"],
    ]),
  );
  await writeFile(
    join(folder, "tickets.csv"),
    writeCsv(
      [
        ["Ticket-Nr.", "Betreff", "Status", "Kundennummer", "Erstellt am", "Gerät"],
        ["1", "Drucker; kaputt", "Offen", "K1", "31.12.2024 10:00", "HP"],
        ["2", "Größe", "Gelöst", "K2", "01.01.2025 10:00", "Dell"],
      ],
      { delimiter: ";", encoding: "windows-1252", lineBreak: "\r\n" },
    ),
  );
  const files = folderStore(folder);
  const fileOf = async (name: string) => (await files.open("", name)) as StoredFile;
  const contacts = inspectTop(helpdesk.contacts, await readTop(await fileOf("contacts.xlsx")));
  const tickets = inspectTop(helpdesk.tickets, await readTop(await fileOf("tickets.csv")), [contacts.table]);
  expect([contacts.questions, tickets.questions]).toEqual([[], []]);
  expect(tickets).toMatchObject({
    confidence: "certain",
    place: { encoding: "windows-1252", delimiter: ";" },
  });
  const settings = csvSettings.parse({
    files: {
      contacts: { file: "contacts.xlsx", columns: contacts.columns },
      tickets: { file: "tickets.csv", columns: tickets.columns },
    },
    timeZone: "Europe/Berlin",
  });
  const connector = createCsv({ files });
  const io = createTestIo({ manifest: connector.manifest, settings, transport });
  const pageOf = async (name: string) =>
    connector.source?.helpdesk
      ?.find((each) => each.stream.name === name)
      ?.readPage(io, { cursor: null, since: null, parentId: null });
  expect((await pageOf("contacts"))?.records).toMatchObject([
    { id: "K1", name: "Anna Ax", emails: ["a@example.com"] },
    { id: "K2", name: "Bert By" },
  ]);
  expect((await pageOf("tickets"))?.records).toMatchObject([
    {
      id: "1",
      subject: "Drucker; kaputt",
      statusKind: "open",
      createdAt: "2024-12-31T09:00:00.000Z",
      requester: { stream: "contacts", id: "K1" },
      customFields: { gerat: "HP" },
    },
    { id: "2", subject: "Größe", statusKind: "solved" },
  ]);
});
