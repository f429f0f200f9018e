import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/database.ts";
import { givenPartner, testRegistry, testSealer } from "../../../../test/support/fixtures.ts";
import { saveConnection } from "../connections/index.ts";
import { archiveIdleImports } from "./archive-idle.ts";
import { createImport } from "./create.ts";

let db: TestDatabase;
const sealer = testSealer();
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

test("archives imports idle for the partner's retention period, never one with a live run", async () => {
  const create = createImport({
    db,
    sealer,
    registry: testRegistry(),
    checkDestination: async () => ({ kind: "not_all_given" }),
  });
  const short = await givenPartner(db, { archiveAfterDays: 10 });
  const long = await givenPartner(db);
  const given = async (partner: typeof short.partner, idleDays: number, liveRun: string | null = null) => {
    const made = await create(partner, { source_tool: "request-tracker", destination_token: "x" });
    if (made.kind !== "created") throw new Error("not created");
    await db.sql.transaction().execute(async (tx) => {
      for (const side of ["source", "destination"] as const)
        await saveConnection(
          tx,
          sealer,
          { importId: made.id, side },
          {
            tool: "redmine",
            settings: { token: "x" },
            tokens: null,
            account: { accountId: "a", accountName: "a", signInName: "jo" },
          },
        );
    });
    await db.pool.query(
      "update imports set active_at = now() - $2 * interval '1 day', live_run = $3 where id = $1",
      [made.id, idleDays, liveRun],
    );
    return made.id;
  };
  const archived = [await given(short.partner, 11), await given(long.partner, 91)];
  const kept = [
    await given(short.partner, 9),
    await given(long.partner, 89),
    await given(long.partner, 500, "full"),
  ];
  expect(await archiveIdleImports(db)).toEqual({ archived: 2 });
  const { rows } = await db.pool.query<{ id: string; closed: string | null; secret: boolean; sides: number }>(
    `select id, closed, destination_token is not null as secret,
       (select count(*) from connections c where c.import_id = i.id) as sides from imports i`,
  );
  const of = (ids: string[]) =>
    rows.filter(({ id }) => ids.includes(id)).map(({ closed, secret, sides }) => ({ closed, secret, sides }));
  expect(of(archived)).toEqual(archived.map(() => ({ closed: "archived", secret: false, sides: 0 })));
  expect(of(kept)).toEqual(kept.map(() => ({ closed: null, secret: true, sides: 2 })));
  expect(await archiveIdleImports(db)).toEqual({ archived: 0 });
});

test.each([
  ["acts", "update imports set active_at = now() where id = $1"],
  [
    "plans the start",
    `insert into scheduled_starts (import_id, starts_at, time_zone) values ($1, now() + interval '1 day', 'UTC')`,
  ],
])("keeps an import whose customer %s after it was listed", async (_, acts) => {
  const create = createImport({
    db,
    sealer,
    registry: testRegistry(),
    checkDestination: async () => ({ kind: "not_all_given" }),
  });
  const { partner } = await givenPartner(db);
  const made = await create(partner, { source_tool: "request-tracker" });
  if (made.kind !== "created") throw new Error("not created");
  await db.pool.query("update imports set active_at = now() - interval '91 days' where id = $1", [made.id]);
  // Holds the import's lock until the sweep waits for it: what the customer does then is after the list.
  const customer = await db.pool.connect();
  await customer.query("begin");
  await customer.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [made.id]);
  const archiving = archiveIdleImports(db);
  const waiting = "select 1 from pg_locks where locktype = 'advisory' and not granted";
  while ((await db.pool.query(waiting)).rowCount === 0);
  await customer.query(acts, [made.id]);
  await customer.query("commit");
  customer.release();
  expect(await archiving).toEqual({ archived: 0 });
  const { rows } = await db.pool.query("select closed from imports where id = $1", [made.id]);
  expect(rows).toEqual([{ closed: null }]);
});
