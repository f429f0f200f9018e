import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ColumnChoice } from "../settings.ts";
import { convertCell } from "./convert.ts";
import { dayText, momentText, readDate, type DateFormat } from "./dates.ts";
import { decimalText, minutesOf } from "./numbers.ts";
import { booleanOf, folded } from "./words.ts";

const day = (text: string, format: DateFormat) => {
  const date = readDate(text, format);
  return date && dayText(date);
};
const moment = (text: string, format: DateFormat, zone = "UTC") => {
  const date = readDate(text, format);
  return date && momentText(date, zone);
};

describe("dates", () => {
  test.each([
    ["2024-02-29", "year-first", "2024-02-29"],
    ["2024/2/9", "year-first", "2024-02-09"],
    ["2023-02-29", "year-first", null],
    ["31.12.2024", "day-first", "2024-12-31"],
    ["1.2.69", "day-first", "1969-02-01"],
    ["1.2.24", "day-first", "2024-02-01"],
    ["31.02.2024", "day-first", null],
    ["12/31/2024", "month-first", "2024-12-31"],
    ["31/12/2024", "month-first", null],
    ["3. März 2024", "named-month", "2024-03-03"],
    ["Mar 3, 2024", "named-month", "2024-03-03"],
    ["14 juillet 2024", "named-month", "2024-07-14"],
    ["14 juin 2024", "named-month", "2024-06-14"],
    ["3 de enero de 2024", "named-month", "2024-01-03"],
    ["Mon, 05 Feb 2024 10:00:00 +0000", "named-month", "2024-02-05"],
    ["03-Foo-2024", "named-month", null],
    ["45292", "excel-serial", "2024-01-01"],
    ["1704067200", "unix-seconds", "2024-01-01"],
    ["1704067200000", "unix-milliseconds", "2024-01-01"],
    ["yesterday", "year-first", null],
    ["", "day-first", null],
    ["2024-01-01 25:00", "year-first", null],
  ] as const)("%s as %s is %s", (text, format, wanted) => {
    expect(day(text, format)).toBe(wanted);
  });

  test.each([
    ["2024-01-01T10:00:00Z", "year-first", "UTC", "2024-01-01T10:00:00.000Z"],
    ["2024-01-01 10:00:00.5+02:00", "year-first", "UTC", "2024-01-01T08:00:00.500Z"],
    ["01.07.2024 12:30", "day-first", "Europe/Berlin", "2024-07-01T10:30:00.000Z"],
    ["01.01.2024 12:30", "day-first", "Europe/Berlin", "2024-01-01T11:30:00.000Z"],
    ["7/4/2024 1:05 PM", "month-first", "America/New_York", "2024-07-04T17:05:00.000Z"],
    ["7/4/2024 12:05 am", "month-first", "America/New_York", "2024-07-04T04:05:00.000Z"],
    ["1901-02-03 04:05:06", "year-first", "UTC", "1901-02-03T04:05:06.000Z"],
    ["2024-03-31 01:59", "year-first", "Europe/Berlin", "2024-03-31T00:59:00.000Z"],
    ["2024-03-31 03:00", "year-first", "Europe/Berlin", "2024-03-31T01:00:00.000Z"],
    ["2024-07-01", "year-first", "Asia/Kolkata", "2024-06-30T18:30:00.000Z"],
  ] as const)("%s (%s, %s) is %s", (text, format, zone, wanted) => {
    expect(moment(text, format, zone)).toBe(wanted);
  });

  test("converts any moment in a zone's local time back to UTC", () => {
    const local = (at: Date, timeZone: string) => at.toLocaleString("sv-SE", { timeZone });
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2037, 0) }),
        fc.constantFrom("Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "UTC"),
        (ms, zone) => {
          const at = new Date(Math.floor(ms / 1000) * 1000);
          const got = moment(local(at, zone), "year-first", zone);
          // A repeated hour has two moments of the same local time.
          expect(local(new Date(got ?? 0), zone)).toBe(local(at, zone));
        },
      ),
    );
  });

  test("recognises hostile texts as no dates", () => {
    for (const text of ["1".repeat(1e6), `${" ".repeat(1e5)}x`, "1 ".repeat(1e5), `a${"\u0301".repeat(1e5)}`])
      for (const format of ["year-first", "day-first", "named-month"] as const)
        expect(day(text, format)).toBe(null);
  });
});

test.each([
  ["1,234.50", ".", "1234.50"],
  ["1.234,50 €", ",", "1234.50"],
  ["1.234,50", ".", null],
  ["1 234,5", ",", "1234.5"],
  ["1'234.50", ".", "1234.50"],
  ["($12.00)", ".", "-12.00"],
  ["-0", ".", "0"],
  ["007", ".", "7"],
  ["50%", ".", "50"],
  ["12,34", ".", null],
  ["EUR 5", ".", "5"],
  ["abc", ".", null],
  ["ABC-12", ".", null],
  ["CAD-12", ".", null],
  ["CAD -12", ".", "-12"],
  ["12 EUR", ".", "12"],
  ["12 34", ".", null],
  ["1 234 567", ".", "1234567"],
  ["1 234'567", ".", null],
  ["", ".", null],
  ["99999999999999999999.99", ".", "99999999999999999999.99"],
] as const)("the number %s with %s is %s", (text, mark, wanted) => {
  expect(decimalText(text, mark)).toBe(wanted);
});

describe("a custom field", () => {
  const custom =
    (as: "number" | "day" | "moment") =>
    (cell: string, more: Partial<ColumnChoice> = {}) => {
      const choice = { column: 0, header: "X", field: "customFields.x", as, ...more };
      const target = { path: choice.field, kind: as, required: false, about: "", options: [], to: [] };
      const converted = convertCell(cell, choice, target, "UTC");
      return "problem" in converted ? converted.problem.code : converted.value;
    };

  test("takes a number that keeps all of its characters, and no other", () => {
    const number = custom("number");
    expect(["12", "-1.5", "1,234.5", "EUR 5", "7 €", "0"].map((cell) => number(cell))).toEqual([
      12, -1.5, 1234.5, 5, 7, 0,
    ]);
    expect(number("1.234,5", { decimal: "," })).toBe(1234.5);
    for (const cell of ["01067", "1.10", "+5", ".5", "5.", "-0", "50%", "(5)", "12345678901234567", "1_000"])
      expect([cell, number(cell)]).toEqual([cell, "inexact_number"]);
    expect([number("ABC-12"), number("many")]).toEqual(["bad_number", "bad_number"]);
  });

  test("takes no version for a day", () => {
    expect(custom("day")("2.4.12", { date: "day-first" })).toBe("bad_date");
    expect(custom("moment")("2. 4. 12 10:00", { date: "day-first" })).toBe("bad_date");
    expect(custom("day")("2.4.2012", { date: "day-first" })).toBe("2012-04-02");
    // Where a field is a date, its cells are.
    expect(day("2.4.12", "day-first")).toBe("2012-04-02");
  });
});

test("without a choice of its mark, a number that both marks fit is not guessed", () => {
  const amount = (cell: string, decimal?: "." | ",") => {
    const target = {
      path: "amount",
      kind: "decimal",
      required: false,
      about: "",
      options: [],
      to: [],
    } as const;
    const choice = { column: 0, header: "X", field: "amount", ...(decimal ? { decimal } : {}) };
    const converted = convertCell(cell, choice, target, "UTC");
    return "problem" in converted ? converted.problem.code : converted.value;
  };
  expect([amount("1.500"), amount("1,500"), amount("1.5"), amount("12")]).toEqual([
    "bad_number",
    "bad_number",
    "1.5",
    "12",
  ]);
  expect([amount("1.500", "."), amount("1.500", ",")]).toEqual(["1.500", "1500"]);
});

test("durations", () => {
  expect(minutesOf("1:30", ".", "hours")).toBe(90);
  expect(minutesOf("1,5", ",", "hours")).toBe(90);
  expect(minutesOf("45 min", ".", "minutes")).toBe(45);
  expect(minutesOf("-5", ".", "minutes")).toBe(null);
  expect(minutesOf("soon", ".", "minutes")).toBe(null);
  // A cell that names its unit has it, whatever the column has.
  expect(minutesOf("45 min", ".", "hours")).toBe(45);
  expect(minutesOf("1.5 h", ".", "minutes")).toBe(90);
  expect(minutesOf("2 Std.", ".", "minutes")).toBe(120);
});

test("words", () => {
  expect(folded("  Größe / ÉTAT ")).toBe("große etat");
  expect(booleanOf("Ja")).toBe(true);
  expect(booleanOf("✓")).toBe(true);
  expect(booleanOf("Não")).toBe(false);
  expect(booleanOf("maybe")).toBe(null);
});
