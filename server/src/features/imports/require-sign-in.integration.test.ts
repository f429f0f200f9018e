import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/database.ts";
import { givenPartner, testRegistry, testSealer } from "../../../../test/support/fixtures.ts";
import type { TrySettings } from "../connections/index.ts";
import { connectSide } from "./connect-side.ts";
import { createImport } from "./create.ts";
import { moveImport } from "./move.ts";
import { requireSignIn } from "./require-sign-in.ts";
import type { ImportEvent } from "./state.ts";
import { findAnyImport } from "./store.ts";
import { listWarnings } from "./store-warnings.ts";

let db: TestDatabase;
const sealer = testSealer();
const registry = testRegistry();
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const trySettings: TrySettings = async ({ tool, typed }) => ({
  kind: "accepted",
  signedIn: {
    tool,
    settings: typed as Record<string, unknown>,
    account: { signInName: "jo", accountName: "Acme", accountId: "acme" },
    tokens: null,
  },
});

const connect = async (id: string, side: "source" | "destination") => {
  const found = await findAnyImport(db, sealer, id);
  if (!found) throw new Error("not found");
  expect((await connectSide({ db, sealer, trySettings })(found, side, {})).kind).toBe("connected");
};
const move = (importId: string, event: ImportEvent) =>
  moveImport(db, event, { importId, partnerId: null, actor: { kind: "system" } });

const givenRun = async () => {
  const { partner } = await givenPartner(db);
  const checkDestination = async () => ({ kind: "not_all_given" }) as const;
  const create = createImport({ db, sealer, registry, checkDestination });
  const made = await create(partner, { source_tool: "redmine", family: "helpdesk" });
  if (made.kind !== "created") throw new Error("not created");
  await connect(made.id, "source");
  await connect(made.id, "destination");
  await move(made.id, { type: "sample_started" });
  return made.id;
};
const effects = async (id: string) => {
  const { rows } = await db.pool.query<{ kind: string }>(
    "select effect ->> 'kind' as kind from outbox where import_id = $1 order by id",
    [id],
  );
  return rows.map(({ kind }) => kind);
};
const noticesOf = async (id: string) => {
  const { rows } = await db.pool.query<{ type: string }>(
    "select type from events where import_id = $1 and type = 'import.attention_required'",
    [id],
  );
  return rows.length;
};

test("a run waits, notifies once, and continues where it stood after a new sign-in", async () => {
  const id = await givenRun();
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => requireSignIn(db)(id, "source", 1)));
  expect(outcomes).toEqual(outcomes.map(() => ({ kind: "waits" })));
  expect(await noticesOf(id)).toBe(1);
  expect(await listWarnings(db, id)).toMatchObject([{ code: "action_required", stream: "source_sign_in" }]);
  expect((await findAnyImport(db, sealer, id))?.state).toMatchObject({
    status: "sample_in_progress",
    liveRun: "sample",
    sourceConnected: true,
  });
  await connect(id, "source");
  expect((await effects(id)).at(-1)).toBe("resume_run");
  expect(await listWarnings(db, id)).toEqual([]);
  expect((await findAnyImport(db, sealer, id))?.state.liveRun).toBe("sample");
});

test("a refusal of an earlier sign-in does not expire a later one", async () => {
  const id = await givenRun();
  await connect(id, "source");
  expect(await requireSignIn(db)(id, "source", 1)).toEqual({ kind: "signed_in_since" });
  expect(await requireSignIn(db)(id, "source", null)).toEqual({ kind: "signed_in_since" });
  expect(await noticesOf(id)).toBe(0);
  expect(await requireSignIn(db)(id, "source", 2)).toEqual({ kind: "waits" });
  expect(await requireSignIn(db)(id, "source", null)).toEqual({ kind: "waits" });
  // the next expiry notifies again
  await connect(id, "source");
  expect(await requireSignIn(db)(id, "source", 3)).toEqual({ kind: "waits" });
  expect(await noticesOf(id)).toBe(2);
});

test("a closed import asks for no sign-in", async () => {
  const id = await givenRun();
  await move(id, { type: "cancelled" });
  expect(await requireSignIn(db)(id, "source", 1)).toEqual({ kind: "missing" });
  expect(await noticesOf(id)).toBe(0);
});

test("connecting without a run resumes nothing", async () => {
  const { partner } = await givenPartner(db);
  const create = createImport({
    db,
    sealer,
    registry,
    checkDestination: async () => ({ kind: "not_all_given" }),
  });
  const made = await create(partner, { source_tool: "redmine", family: "helpdesk" });
  if (made.kind !== "created") throw new Error("not created");
  await connect(made.id, "source");
  await connect(made.id, "source");
  expect(await effects(made.id)).toEqual([]);
});
