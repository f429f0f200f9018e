import { expect, test } from "vitest";
import { createTestDatabase } from "./database.ts";
import { withPatchedPool } from "./patched-pool.ts";

test("a connection that leaves the patched pool has left the pool, which can end", async () => {
  const db = await createTestDatabase();
  const patched = withPatchedPool(db, { query: () => Promise.resolve("patched") });
  expect(await patched.pool.query("select 1")).toBe("patched");
  const client = await patched.pool.connect();
  expect((await client.query("select 1 as n")).rows).toEqual([{ n: 1 }]);
  client.release(true);
  expect(db.pool.totalCount).toBe(0);
  await db.drop();
});
