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
