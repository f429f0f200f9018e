import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { bytesArray, itself, jsonArray, numberArray, textArray } from "./array-literal.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

/** As PostgreSQL reads it, through the pool of the product. */
const readBack = async (type: string, parameter: unknown) => {
  const { rows } = await db.pool.query<{ list: unknown }>(`select to_jsonb($1::${type}[]) as list`, [
    parameter,
  ]);
  return rows[0]?.list;
};

const hostile = fc.oneof(
  fc.constantFrom(
    "",
    "NULL",
    "null",
    '"',
    "\\",
    '\\"',
    "{}",
    "{a,b}",
    "},{",
    ",",
    " ",
    "\n",
    "\\x00",
    "\\u0000",
    "$1",
    "'",
    "😀",
  ),
  fc.string({ unit: fc.constantFrom(..."\"\\{},N \t'$é😀") }),
  fc.string({ unit: "grapheme" }),
);
const mended = (text: string) => text.replaceAll("\0", "").toWellFormed();

test("texts come back as they are, whatever is in them, and null stays null", async () => {
  const lists = fc.array(fc.option(hostile), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(lists, async (list) => {
      expect(await readBack("text", textArray(list, itself))).toEqual(
        list.map((each) => (each === null ? null : mended(each))),
      );
    }),
    { numRuns: 300 },
  );
});

test("NUL characters go, and half a surrogate pair is replaced, as in every other parameter", async () => {
  const list = ["a\0b", "cut \ud83d"];
  expect(await readBack("text", textArray(list, itself))).toEqual(["ab", "cut \ufffd"]);
  expect(await readBack("jsonb", jsonArray([{ list }], itself))).toEqual([{ list: ["ab", "cut \ufffd"] }]);
});

test("numbers, bytes and JSON come back as they are", async () => {
  expect(await readBack("integer", numberArray([1, null, -7, 0], itself))).toEqual([1, null, -7, 0]);
  const { rows } = await db.pool.query<{ list: unknown }>("select $1::bytea[] as list", [
    bytesArray(["00ff", null, ""], itself),
  ]);
  expect(rows[0]?.list).toEqual([Buffer.from([0, 255]), null, Buffer.alloc(0)]);
  const objects = fc.array(fc.option(fc.record({ texts: fc.array(hostile, { maxLength: 3 }) })), {
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(objects, async (list) => {
      expect(await readBack("jsonb", jsonArray(list, itself))).toEqual(list);
    }),
    { numRuns: 100 },
  );
});
