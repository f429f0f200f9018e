import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { givenPartner } from "../../../test/support/fixtures.ts";
import { setSuspended } from "../features/partners/index.ts";
import { type Database, inTransaction } from "./db.ts";
import { inOneTransaction } from "./one-transaction.ts";

let db: TestDatabase;
let partnerId: string;
beforeAll(async () => {
  db = await createTestDatabase();
  partnerId = (await givenPartner(db)).partner.id;
});
afterAll(() => db.drop());

const rename = (on: Database, name: string) =>
  on.sql.updateTable("partners").set({ name }).where("id", "=", partnerId).execute();
const nameOf = async (on: Database) =>
  (await on.sql.selectFrom("partners").select("name").where("id", "=", partnerId).executeTakeFirstOrThrow())
    .name;

test("builder, pool and transactions within it are one: others see nothing until the end", async () => {
  await inOneTransaction(db, async (within) => {
    await within.sql.transaction().execute(async (tx) => {
      await tx.updateTable("partners").set({ name: "one" }).where("id", "=", partnerId).execute();
    });
    await inTransaction(within, (client) =>
      client.query("update partners set name = name || ' two' where id = $1", [partnerId]),
    );
    await setSuspended(within, partnerId, true);
    const { rows } = await within.pool.query<{ name: string }>({
      name: "name-of",
      text: "select name from partners where id = $1 and suspended_at is not null",
      values: [partnerId],
    });
    expect(rows).toEqual([{ name: "one two" }]);
    expect(await nameOf(db)).toBe("Acme");
  });
  expect(await nameOf(db)).toBe("one two");
});

test("an error at the end takes back the transactions within that were committed", async () => {
  await rename(db, "before");
  const failing = inOneTransaction(db, async (within) => {
    await within.sql.transaction().execute(async (tx) => {
      await tx.updateTable("partners").set({ name: "after" }).where("id", "=", partnerId).execute();
    });
    throw new Error("late");
  });
  await expect(failing).rejects.toThrow("late");
  expect(await nameOf(db)).toBe("before");
});

test("a transaction within that fails takes back its own changes alone", async () => {
  await inOneTransaction(db, async (within) => {
    await rename(within, "kept");
    const failing = within.sql.transaction().execute(async (tx) => {
      await tx.updateTable("partners").set({ name: "lost" }).where("id", "=", partnerId).execute();
      await tx.insertInto("partners").values({ id: "bad", name: "", destinationTool: "x" }).execute();
    });
    await expect(failing).rejects.toThrow(/check constraint/);
    expect(await nameOf(within)).toBe("kept");
  });
  expect(await nameOf(db)).toBe("kept");
});

test("two transactions at once within it fail, rather than mix", async () => {
  await rename(db, "alone");
  const both = inOneTransaction(db, async (within) => {
    const second = Promise.withResolvers<void>();
    const firstEnds = within.sql.transaction().execute(async () => second.promise);
    await within.sql.transaction().execute(async (tx) => {
      await tx.updateTable("partners").set({ name: "mixed" }).where("id", "=", partnerId).execute();
      second.resolve();
      await firstEnds;
    });
  });
  await expect(both).rejects.toThrow(/savepoint/);
  expect(await nameOf(db)).toBe("alone");
});
