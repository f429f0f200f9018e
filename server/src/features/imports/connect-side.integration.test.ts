import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/database.ts";
import { givenPartner, testRegistry, testSealer } from "../../../../test/support/fixtures.ts";
import { listConnections, type TrySettings } from "../connections/index.ts";
import { connectSide } from "./connect-side.ts";
import { createImport } from "./create.ts";
import { disconnectSide } from "./disconnect-side.ts";
import { moveImport } from "./move.ts";
import { findAnyImport } from "./store.ts";
import { listAudit } from "./store-audit.ts";

let db: TestDatabase;
const sealer = testSealer();
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const givenImport = async () => {
  const { partner } = await givenPartner(db);
  const create = createImport({
    db,
    sealer,
    registry: testRegistry(),
    checkDestination: async () => ({ kind: "not_all_given" }),
  });
  const made = await create(partner, { source_tool: "redmine", family: "helpdesk" });
  const found = made.kind === "created" ? await findAnyImport(db, sealer, made.id) : undefined;
  if (!found) throw new Error("not created");
  return found;
};

/** A tool that accepts everything; `meanwhile` runs during the call. */
const accepting =
  (meanwhile: () => Promise<unknown> = async () => {}): TrySettings =>
  async ({ tool, typed }) => {
    await meanwhile();
    const { account = "acme" } = typed as { account?: string };
    return {
      kind: "accepted",
      signedIn: {
        tool,
        settings: { ...typed },
        tokens: null,
        account: { signInName: "jo", accountName: account, accountId: account },
      },
    };
  };

test("an import cancelled during the call to the tool keeps nothing", async () => {
  const found = await givenImport();
  const trySettings = accepting(() =>
    moveImport(
      db,
      { type: "cancelled" },
      { importId: found.id, partnerId: null, actor: { kind: "operator" } },
    ),
  );
  expect(await connectSide({ db, sealer, trySettings })(found, "source", {})).toEqual({ kind: "missing" });
  expect(await listConnections(db, sealer, found.id)).toEqual([]);
  expect(await disconnectSide(db)(found.id, "source")).toEqual({ kind: "missing" });
});

test("saves the sign-in and moves the import, both or neither", async () => {
  const found = await givenImport();
  const connect = connectSide({ db, sealer, trySettings: accepting() });
  await db.pool.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
    create trigger refuse before insert on audit for each row execute function refuse()`);
  await expect(connect(found, "source", {})).rejects.toThrow("no");
  await db.pool.query("drop function refuse cascade");
  expect(await listConnections(db, sealer, found.id)).toEqual([]);
  expect(await findAnyImport(db, sealer, found.id)).toMatchObject({ state: { sourceConnected: false } });
});

test("of twenty concurrent connects the last account stays, and the audit log has one event", async () => {
  const found = await givenImport();
  const connect = connectSide({ db, sealer, trySettings: accepting() });
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, i) => connect(found, "source", { account: `account ${i}` })),
  );
  expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(["connected"]));
  const [connection, ...more] = await listConnections(db, sealer, found.id);
  expect(more).toEqual([]);
  expect(connection?.settings).toEqual({ account: connection?.accountName });
  const { rows } = await db.pool.query("select revision from connections where import_id = $1", [found.id]);
  expect(rows).toEqual([{ revision: 20 }]);
  expect((await listAudit(db, found.id)).map(({ event }) => event.type)).toEqual(["created", "connected"]);
});
