import {
  type CustomFieldType,
  customFieldTypes,
  type CustomValue,
  type FieldChange,
} from "@portage/connector-kit";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { converterFor } from "./convert-field.ts";
import type { FieldShape } from "../model/mapping.ts";
import { readTime } from "./read-value.ts";
import { anyText, anyValue } from "../testing/arbitraries.ts";

const shape = (type: CustomFieldType, label: string, more: Partial<FieldShape> = {}): FieldShape => ({
  label,
  type,
  options: null,
  maxLength: null,
  ...more,
});

const list = (...labels: readonly string[]) => ({
  options: labels.map((label) => ({ value: label.toLowerCase(), label })),
});

interface Case {
  readonly from: CustomFieldType;
  readonly to: CustomFieldType;
  readonly value: Exclude<CustomValue, null>;
  readonly fromMore?: Partial<FieldShape>;
  readonly toMore?: Partial<FieldShape>;
  readonly options?: Readonly<Record<string, string | null>>;
}

const people: Readonly<Record<string, string>> = { "7": "70" };
const names: Readonly<Record<string, string>> = { "7": "Robin Sample", "8": "Kim Sample" };

const convert = ({ from, to, value, fromMore, toMore, options = {} }: Case) => {
  const changes: FieldChange[] = [];
  const result = converterFor({
    path: "customFields.k",
    from: shape(from, "Old", fromMore),
    to: shape(to, "New", toMore),
    options: new Map(Object.entries(options)),
    personOf: (id) => people[id] ?? null,
    nameOf: (id) => names[id] ?? null,
  })(value, changes);
  return { result, changes: changes.map(({ change }) => change), why: changes.map(({ why }) => why) };
};

describe("without a loss", () => {
  test.each<[string, Case, CustomValue]>([
    ["a number as a text", { from: "number", to: "text", value: 12.5 }, "12.5"],
    ["yes or no as a text", { from: "boolean", to: "text", value: false }, "No"],
    ["an option as its name", { from: "choice", to: "text", value: "red", fromMore: list("Red") }, "Red"],
    [
      "several as a list",
      { from: "choices", to: "text", value: ["red", "x"], fromMore: list("Red") },
      "Red, x",
    ],
    ["a person as a name", { from: "person", to: "text", value: "8" }, "Kim Sample"],
    ["a person as a person", { from: "person", to: "person", value: "7" }, "70"],
    ["lines where lines may be", { from: "long-text", to: "long-text", value: "a\nb" }, "a\nb"],
    ["a text that is a number", { from: "text", to: "number", value: " -3.25 " }, -3.25],
    ["yes or no as a number", { from: "boolean", to: "number", value: true }, 1],
    ["a word for yes", { from: "text", to: "boolean", value: "Oui" }, true],
    ["a day", { from: "text", to: "date", value: "2026-02-28" }, "2026-02-28"],
    ["a leap day", { from: "text", to: "date", value: "2000-02-29" }, "2000-02-29"],
    [
      "a time with a zone",
      { from: "text", to: "moment", value: "2026-01-01T00:30:00+01:00" },
      "2025-12-31T23:30:00.000Z",
    ],
    [
      "an option by its name",
      {
        from: "choice",
        to: "choice",
        value: "1",
        fromMore: { options: [{ value: "1", label: "Rouge" }] },
        toMore: { options: [{ value: "r", label: "rougé" }] },
      },
      "r",
    ],
    ["a text that is an option", { from: "text", to: "choice", value: "RED", toMore: list("Red") }, "red"],
    ["one among several", { from: "choice", to: "choices", value: "red", toMore: list("Red") }, ["red"]],
    [
      "the choice made for an option",
      { from: "choice", to: "choice", value: "a", toMore: list("Red"), options: { a: "red" } },
      "red",
    ],
    [
      "an option mapped to empty",
      { from: "choice", to: "choice", value: "red", toMore: list("Red"), options: { red: null } },
      null,
    ],
    [
      "several without a list of options",
      { from: "choices", to: "choices", value: ["a", "b", "a"] },
      ["a", "b"],
    ],
    ["a number that is an option", { from: "number", to: "choice", value: 3, toMore: list("3") }, "3"],
    [
      "an option without a name",
      { from: "choice", to: "choice", value: "1", fromMore: { options: [{ value: "1", label: "" }] } },
      "1",
    ],
    ["a link", { from: "text", to: "link", value: "https://acme.example" }, "https://acme.example"],
  ])("%s", (_, given, wanted) => {
    expect(convert(given)).toEqual({ result: wanted, changes: [], why: [] });
  });
});

describe("with a loss, which is reported", () => {
  test.each<[string, Case, CustomValue, FieldChange["change"]]>([
    [
      "the first of several",
      { from: "choices", to: "choice", value: ["blue", "red"], toMore: list("Red", "Blue") },
      "blue",
      "converted",
    ],
    [
      "options that are there",
      { from: "choices", to: "choices", value: ["red", "x"], toMore: list("Red") },
      ["red"],
      "converted",
    ],
    ["no such option", { from: "text", to: "choice", value: "green", toMore: list("Red") }, null, "cleared"],
    [
      "two options that differ by case",
      {
        from: "text",
        to: "choice",
        value: "RED",
        toMore: {
          options: [
            { value: "red", label: "red" },
            { value: "Red", label: "Red" },
          ],
        },
      },
      null,
      "cleared",
    ],
    ["no number", { from: "text", to: "number", value: "1,5" }, null, "cleared"],
    ["no yes or no", { from: "text", to: "boolean", value: "perhaps" }, null, "cleared"],
    [
      "the day of a time",
      { from: "moment", to: "date", value: "2026-11-15T09:41:00Z" },
      "2026-11-15",
      "converted",
    ],
    [
      "midnight of a day",
      { from: "date", to: "moment", value: "2026-11-15" },
      "2026-11-15T00:00:00.000Z",
      "converted",
    ],
    ["a day that does not exist", { from: "text", to: "date", value: "2026-02-30" }, null, "cleared"],
    ["no leap day", { from: "text", to: "date", value: "2025-02-29" }, null, "cleared"],
    ["no leap day of a century", { from: "text", to: "date", value: "1900-02-29" }, null, "cleared"],
    ["no year", { from: "text", to: "moment", value: "0000-01-01T00:00:00+05:00" }, null, "cleared"],
    [
      "signs that are no option",
      { from: "text", to: "choice", value: "!?", toMore: list("✓") },
      null,
      "cleared",
    ],
    [
      "a link that would be cut off",
      { from: "text", to: "link", value: "https://acme.example", toMore: { maxLength: 9 } },
      null,
      "cleared",
    ],
    ["a day in an ambiguous order", { from: "text", to: "date", value: "03/04/2026" }, null, "cleared"],
    ["a person without a match", { from: "person", to: "person", value: "8" }, null, "cleared"],
    ["a name as a person", { from: "text", to: "person", value: "7" }, null, "cleared"],
    ["a person without a known name", { from: "person", to: "text", value: "9" }, null, "cleared"],
    ["one line of several", { from: "long-text", to: "text", value: "a\r\n b" }, "a b", "converted"],
    ["what fits", { from: "text", to: "text", value: "abc😀", toMore: { maxLength: 4 } }, "abc", "truncated"],
    ["no link", { from: "text", to: "link", value: "javascript:alert(1)" }, null, "cleared"],
    ["several where one is read", { from: "choices", to: "number", value: ["1", "2"] }, null, "cleared"],
    ["the first person of several", { from: "person", to: "person", value: ["7", "8"] }, "70", "converted"],
  ])("%s", (_, given, wanted, change) => {
    const { result, changes, why } = convert(given);
    expect(result).toEqual(wanted);
    expect(changes).toEqual([change]);
    expect(why[0]).toMatch(/^\S?.*“(Old|New)”.*\.$/);
  });
});

const isOf = (type: CustomFieldType, value: CustomValue): boolean => {
  if (value === null) return true;
  if (type === "number") return typeof value === "number";
  if (type === "boolean") return typeof value === "boolean";
  if (type === "choices") return Array.isArray(value) && value.length > 0;
  if (typeof value !== "string" || value === "") return false;
  const time = type === "date" || type === "moment" ? readTime(value)?.is : null;
  return time === null || time === (type === "date" ? "day" : "moment");
};

const anyShape = fc.record({
  label: fc.constant("Size"),
  type: fc.constantFrom(...customFieldTypes),
  options: fc.option(fc.array(fc.record({ value: anyText, label: anyText }), { maxLength: 4 })),
  maxLength: fc.option(fc.integer({ min: 1, max: 6 })),
});

test("any value becomes one of the field's type, options and length, or the loss is reported", () => {
  fc.assert(
    fc.property(anyShape, anyShape, anyValue, (from, to, value) => {
      fc.pre(value !== null && value !== "" && !(Array.isArray(value) && value.join("") === ""));
      const changes: FieldChange[] = [];
      const conversion = {
        path: "customFields.k",
        from,
        to,
        options: new Map(),
        personOf: () => "1",
        nameOf: () => "Robin",
      };
      const result = converterFor(conversion)(value, changes);
      expect(isOf(to.type, result)).toBe(true);
      if (result === null) expect(changes.some(({ change }) => change === "cleared")).toBe(true);
      if (typeof result === "string" && ["text", "long-text", "link"].includes(to.type) && to.maxLength)
        expect(result.length).toBeLessThanOrEqual(to.maxLength);
      const isListed = (each: string) => to.options?.some((option) => option.value === each) ?? true;
      if (to.type === "choice" && result !== null) expect(isListed(result as string)).toBe(true);
      if (to.type === "choices" && result !== null) expect((result as string[]).every(isListed)).toBe(true);
    }),
    { numRuns: 5_000 },
  );
});
