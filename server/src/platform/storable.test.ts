import { expect, test } from "vitest";
import { toStorable } from "./storable.ts";

const cut = "😀".slice(0, 1);

test("leaves alone what PostgreSQL accepts", () => {
  const bytes = Buffer.from([0, 1]);
  const now = new Date();
  const values = ["", "Größe 😀", '{"a":"b"}', "a \\u0041", 0, 12n, true, null, undefined];
  expect(values.map(toStorable)).toEqual(values);
  expect(toStorable(bytes)).toBe(bytes);
  expect(toStorable(now)).toBe(now);
});

test("drops NUL characters from texts and lists of texts", () => {
  expect(toStorable("a\0b\0")).toBe("ab");
  expect(toStorable(["a\0", ["\0b", null]])).toEqual(["a", ["b", null]]);
});

test("mends values and names inside JSON, as text and as an object", () => {
  const broken = { "na\0me": ["a\0b", { deep: `cut ${cut}` }], whole: "😀", n: 1 };
  const mended = '{"name":["ab",{"deep":"cut \ufffd"}],"whole":"😀","n":1}';
  expect(toStorable(JSON.stringify(broken))).toBe(mended);
  expect(toStorable(broken)).toBe(mended);
});

test("keeps a text that only mentions such an escape", () => {
  expect(toStorable("PostgreSQL refuses \\u0000 in jsonb")).toBe("PostgreSQL refuses \\u0000 in jsonb");
  const mentions = JSON.stringify({ text: "write \\u0000 or \\ud800" });
  expect(toStorable(mentions)).toBe(mentions);
});
