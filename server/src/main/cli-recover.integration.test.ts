import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cli, createCli } from "../../../test/support/cli.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { testSealer } from "../../../test/support/fixtures.ts";
import { givenImport } from "../../../test/support/given-import.ts";
import { areEventsAhead } from "../features/events/index.ts";
import { checkDatabase } from "./doctor/database.ts";

let db: TestDatabase;
let portage: Cli;
beforeAll(async () => {
  db = await createTestDatabase();
  portage = createCli({ DATABASE_URL: db.url });
});
afterAll(() => db.drop());

test("recover declares a loss that workers can't notice: unfinished runs are flagged", async () => {
  const importId = await givenImport(db, testSealer());
  await db.pool.query(
    `insert into runs (id, import_id, number, kind, outbox_id, ledger_leaf)
     values ('run_' || repeat('0', 26), $1, 3, 'full', 1, '')`,
    [importId],
  );
  const servers = async () =>
    (await db.pool.query<{ no: number }>("select no from database_servers order by no")).rows.length;
  const before = await servers();
  expect(await portage.json("recover")).toEqual({ runs: 1 });
  expect(await servers()).toBe(before + 1);
  const { rows } = await db.pool.query("select server, looks_from from runs");
  expect(rows).toEqual([{ server: before + 1, looks_from: 3 }]);
  await db.pool.query("update runs set ended_at = now(), state = 'done'");
  expect(await portage.json("recover")).toEqual({ runs: 0 });
  expect((await portage.run("recover")).stdout).toContain("So does the next run of each import.");
});

test("the doctor finds events from transactions that this server has not had", async () => {
  const importId = await givenImport(db, testSealer());
  await db.pool.query(
    `insert into events (id, partner_id, import_id, type, status)
     select 'evt_' || repeat('0', 26), partner_id, id, 'x', 'x' from imports where id = $1`,
    [importId],
  );
  const finding = async () =>
    (await checkDatabase({ DATABASE_URL: db.url })).find(({ part }) => part === "event order");
  expect(await areEventsAhead(db)).toBe(false);
  expect(await finding()).toMatchObject({ state: "ok" });
  await db.pool.query("update events set tx = '99999999999'::xid8");
  expect(await areEventsAhead(db)).toBe(true);
  expect(await finding()).toMatchObject({ state: "problem" });
});
