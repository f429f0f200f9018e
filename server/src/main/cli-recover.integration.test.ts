import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cli, createCli } from "../../../test/support/cli.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { testSealer } from "../../../test/support/fixtures.ts";
import { givenImport } from "../../../test/support/given-import.ts";
import { listEvents, restoreEventOrderIfNeeded } from "../features/events/index.ts";
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
  expect(await portage.json("recover")).toEqual({ runs: 1, events: 0 });
  expect(await servers()).toBe(before + 1);
  const { rows } = await db.pool.query("select server, looks_from from runs");
  expect(rows).toEqual([{ server: before + 1, looks_from: 3 }]);
  await db.pool.query("update runs set ended_at = now(), state = 'done'");
  expect(await portage.json("recover")).toEqual({ runs: 0, events: 0 });
  expect((await portage.run("recover")).stdout).toContain("So does the next run of each import.");
});

test("events that were dumped on another server keep their order, before new ones", async () => {
  const importId = await givenImport(db, testSealer());
  const { rows } = await db.pool.query<{ partner: string }>(
    "select partner_id as partner from imports where id = $1",
    [importId],
  );
  const [{ partner } = { partner: "" }] = rows;
  await db.pool.query("delete from events");
  const ids = ["c", "a", "d", "b"].map((letter) => `evt_${letter.repeat(26)}`);
  const add = (id: string | undefined, tx: string) =>
    db.pool.query(
      `insert into events (id, tx, partner_id, import_id, type, status) values ($1, ${tx}, $2, $3, 'x', 'x')`,
      [id, partner, importId],
    );
  // The second was committed by an older transaction than the first.
  await add(ids[0], "'99999999998'::xid8");
  await add(ids[1], "'99999999997'::xid8");
  await add(ids[2], "'99999999999'::xid8");
  const listed = async (after: string | null) => {
    const found = await listEvents(db, testSealer(), partner, { after, limit: 10 });
    return found === "unknown_event" ? found : found.map(({ id }) => id);
  };
  const finding = async () =>
    (await checkDatabase({ DATABASE_URL: db.url })).find(({ part }) => part === "event order");
  expect(await listed(null)).toEqual([]);
  expect(await finding()).toMatchObject({ state: "problem" });
  expect(await restoreEventOrderIfNeeded(db)).toBe(3);
  await add(ids[3], "default");
  expect(await finding()).toMatchObject({ state: "ok" });
  expect(await listed(null)).toEqual([ids[1], ids[0], ids[2], ids[3]]);
  expect(await listed(ids[0] ?? null)).toEqual([ids[2], ids[3]]);
  expect(await restoreEventOrderIfNeeded(db)).toBe(0);
  // An older release was started first, and added an event.
  await db.pool.query("update events set tx = '99999999999'::xid8 where id = $1", [ids[2]]);
  expect(await portage.json("recover")).toMatchObject({ events: 3 });
  expect((await listed(null)).at(-1)).toBe(ids[3]);
});
