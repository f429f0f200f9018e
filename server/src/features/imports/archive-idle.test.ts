import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/database.ts";
import { givenPartner, testRegistry, testSealer } from "../../../../test/support/fixtures.ts";
import { archiveIdleImports } from "./archive-idle.ts";
import { createImport } from "./create.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

test("archives what is idle for as long as its partner keeps it, never what runs", async () => {
  const create = createImport({
    db,
    sealer: testSealer(),
    registry: testRegistry(),
    checkDestination: async () => ({ kind: "not_all_given" }),
  });
  const [short, long] = [await givenPartner(db, { archiveAfterDays: 10 }), await givenPartner(db)];
  const given = async (partner: typeof short.partner, idleDays: number, liveRun: string | null = null) => {
    const made = await create(partner, { source_tool: "request-tracker", destination_token: "x" });
    if (made.kind !== "created") throw new Error("not created");
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
  const { rows } = await db.pool.query<{ id: string; closed: string | null; secret: boolean }>(
    "select id, closed, destination_token is not null as secret from imports",
  );
  const of = (ids: string[]) =>
    rows.filter(({ id }) => ids.includes(id)).map(({ closed, secret }) => ({ closed, secret }));
  expect(of(archived)).toEqual(archived.map(() => ({ closed: "archived", secret: false })));
  expect(of(kept)).toEqual(kept.map(() => ({ closed: null, secret: true })));
  expect(await archiveIdleImports(db)).toEqual({ archived: 0 });
});
