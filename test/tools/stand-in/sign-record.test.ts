import { expect, test } from "vitest";
import { standInDefaults } from "./options.ts";
import { createSourceChanges } from "./source-changes.ts";
import { createSourceRows, everything } from "./source-rows.ts";
import { readSign } from "./sign-record.ts";

const counts = { users: 3, groups: 2, tickets: 30, comments: 60, articles: 9, attachments: 5 };
const options = { ...standInDefaults, counts, largeText: 0, signed: true };

const wordsOf = (record: object) => {
  const { subject, title, name, body } = record as Record<string, string> & { body?: { text: string } };
  return subject ?? title ?? name ?? body?.text ?? "";
};

test.each(["groups", "tickets", "comments", "articles"])(
  "every one of %s contains its row number",
  (stream) => {
    const rows = createSourceRows(options).get(stream);
    const numbers = rows?.numbersAfter(0, 100, everything) ?? [];
    expect(numbers.length).toBeGreaterThan(1);
    for (const number of numbers) {
      const record = rows?.record(number) ?? {};
      expect(readSign(stream, wordsOf(record))).toBe(String(number));
      expect(JSON.parse(rows?.json(number) ?? "")).toEqual(record);
      expect(rows?.stream.schema.safeParse(record).success).toBe(true);
    }
  },
);

test("a row made from another one has its own number, and an edited one has it once", () => {
  const source = createSourceRows(options);
  const { added } = createSourceChanges(source, options).change("tickets", { add: 3 });
  expect(added).toHaveLength(3);
  for (const id of added) {
    const words = wordsOf(source.get("tickets")?.find(id) ?? {});
    expect(readSign("tickets", words)).toBe(id);
    expect(words.match(/row\d+of/g)).toHaveLength(1);
  }
  createSourceChanges(source, options).updateOne("tickets", "7");
  expect(wordsOf(source.get("tickets")?.find("7") ?? {}).match(/row\d+of/g)).toHaveLength(1);
});

test("ignores a sign of another stream, or within other words", () => {
  expect(readSign("tickets", "row7ofcomments and so on")).toBeNull();
  expect(readSign("tickets", "row7ofticketsale")).toBeNull();
  expect(readSign("articles", "Row12ofarticles_and_so_on")).toBe("12");
});
