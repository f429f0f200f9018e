import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/support/database.ts";
import type { Database } from "./db.ts";
import { countByKey, rewrapBatch, type SealedColumn } from "./sealed-column.ts";
import { createSealer } from "./seal.ts";
import { Secret } from "./secret.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await db.pool.query("create table boxes (shelf text, name text, content bytea, primary key (shelf, name))");
});
afterAll(() => db.drop());

const oldKey = { id: "a-long-name-of-a-key", key: randomBytes(32) };
const newKey = { id: "k2", key: randomBytes(32) };
const before = createSealer([oldKey]);
const after = createSealer([newKey, oldKey]);
const column: SealedColumn = {
  what: "boxes",
  table: "boxes",
  column: "content",
  key: ["shelf", "name"],
  about: ([shelf, name]) => `box:${shelf}:${name}`,
};
const put = (shelf: string, name: string, sealer = before, text = `${shelf} ${name}`) =>
  db.pool.query(
    "insert into boxes values ($1, $2, $3) on conflict (shelf, name) do update set content = $3",
    [shelf, name, sealer.sealAlone(`box:${shelf}:${name}`, new Secret(text))],
  );

test("re-seals every value, in batches of any size, so that the new key alone opens it", async () => {
  for (const limit of [1, 2, 3, 100]) {
    await db.pool.query("truncate boxes");
    for (const [shelf, name] of ["a 1", "a 2", "b 1", "b 2", "b 3"].map((text) => text.split(" ")))
      await put(shelf ?? "", name ?? "");
    await put("b", "0", after);
    await db.pool.query("insert into boxes values ('c', 'empty', null)");
    expect(await countByKey(db, column)).toEqual(
      new Map([
        [oldKey.id, 5],
        [newKey.id, 1],
      ]),
    );
    let at: readonly string[] | null = null;
    let count = 0;
    do {
      const batch = await rewrapBatch(db, after, column, at, limit);
      count += batch.count;
      at = batch.next;
    } while (at !== null);
    expect(count).toBe(5);
    expect(await countByKey(db, column)).toEqual(new Map([[newKey.id, 6]]));
    const { rows } = await db.pool.query<{ shelf: string; name: string; content: Buffer }>(
      "select * from boxes where content is not null",
    );
    const alone = createSealer([newKey]);
    for (const { shelf, name, content } of rows)
      expect(alone.openAlone(`box:${shelf}:${name}`, content).reveal()).toBe(`${shelf} ${name}`);
  }
});

test("keeps a value that another process changes between read and write", async () => {
  await db.pool.query("truncate boxes");
  await put("a", "1");
  const query = async (text: string, values: unknown[]) => {
    if (text.startsWith("update")) await put("a", "1", after, "changed meanwhile");
    return db.pool.query(text, values);
  };
  const interrupted = { ...db, pool: { query } } as unknown as Database;
  expect(await rewrapBatch(interrupted, after, column, null, 10)).toEqual({ next: null, count: 0 });
  const { rows } = await db.pool.query<{ content: Buffer }>("select content from boxes");
  expect(after.openAlone("box:a:1", rows[0]?.content as Buffer).reveal()).toBe("changed meanwhile");
});

test("stops at a key that is not in the ring, and names it", async () => {
  await db.pool.query("truncate boxes");
  await put("a", "1");
  await expect(rewrapBatch(db, createSealer([newKey]), column, null, 10)).rejects.toThrow(oldKey.id);
});
