import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/database.ts";
import { givenPartner, testRegistry, testSealer } from "../../../../test/support/fixtures.ts";
import { givenMoney } from "../../../../test/support/money.ts";
import { createCheckDestination } from "../connections/index.ts";
import { listEvents } from "../events/index.ts";
import { createImport } from "./create.ts";
import { step } from "./machine.ts";
import { moveImport } from "./move.ts";
import type { ImportEvent, ImportState } from "./state.ts";
import { findAnyImport } from "./store.ts";
import { listAudit } from "./store-audit.ts";

let db: TestDatabase;
const sealer = testSealer();
const registry = testRegistry();

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const givenImport = async () => {
  const { partner } = await givenPartner(db);
  const create = createImport({
    db,
    sealer,
    registry,
    checkDestination: createCheckDestination(registry, new Map()),
  });
  const created = await create(partner, { source_tool: "request-tracker" });
  if (created.kind !== "created") throw new Error("not created");
  return { partner, id: created.id };
};

const system = (importId: string) => ({ importId, partnerId: null, actor: { kind: "system" } }) as const;

const replay = (rows: Awaited<ReturnType<typeof listAudit>>): ImportState => {
  const [first, ...rest] = rows as readonly { event: { type: string; state?: ImportState } }[];
  let state = first?.event.state as ImportState;
  for (const { event } of rest) {
    const result = step(state, event as ImportEvent);
    if (result.kind !== "moved") throw new Error(`replay: ${event.type} ${result.kind}`);
    state = result.state;
  }
  return state;
};

test("200 concurrent events on one import leave an audit log that replays to its final state", async () => {
  const { id, partner } = await givenImport();
  const kinds: ImportEvent[] = [
    { type: "connected", side: "source" },
    { type: "connected", side: "destination" },
    { type: "sample_started" },
    { type: "run_done" },
    { type: "sponsorship_accepted" },
    { type: "sponsorship_rejected" },
    { type: "full_asked", payer: "partner_decides" },
    { type: "matching_changed" },
    { type: "full_started" },
    { type: "run_failed", wrote: true },
    { type: "undo_started" },
    { type: "started_over" },
  ];
  const results = await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      moveImport(db, kinds[(i * 7) % kinds.length] as ImportEvent, system(id)),
    ),
  );
  const moved = results.filter(({ kind }) => kind === "moved").length;
  expect(moved).toBeGreaterThan(15);
  const audit = await listAudit(db, id);
  expect(audit.map(({ seq }) => seq)).toEqual(Array.from({ length: moved + 1 }, (_, i) => i + 1));
  expect(replay(audit)).toEqual((await findAnyImport(db, sealer, id))?.state);
  // each row starts where the previous one ended
  for (const [i, row] of audit.entries()) expect(row.fromStatus).toBe(audit[i - 1]?.toStatus ?? null);

  // the partner's events tell the same story, in the same order
  const events = await listEvents(db, sealer, partner.id, { after: null, limit: 1000 });
  if (events === "unknown_event") throw new Error("unknown event");
  const changes = events.filter(({ type }) => type === "import.status_changed");
  expect(changes[0]?.previousStatus).toBe("collecting_credentials");
  for (const [i, change] of changes.entries())
    if (i > 0) expect(change.previousStatus).toBe(changes[i - 1]?.status);
  expect(changes.at(-1)?.status).toBe(audit.at(-1)?.toStatus);
});

test("status, audit, events and outbox change together or not at all", async () => {
  const { id } = await givenImport();
  await db.pool.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$`,
  );
  await db.pool.query("create trigger refuse before insert on events for each row execute function refuse()");
  await moveImport(db, { type: "connected", side: "source" }, system(id)); // no effect to send: goes through
  await expect(moveImport(db, { type: "connected", side: "destination" }, system(id))).rejects.toThrow("no");
  await db.pool.query("drop trigger refuse on events");
  const after = await findAnyImport(db, sealer, id);
  expect(after?.state.status).toBe("collecting_credentials");
  expect(await listAudit(db, id)).toHaveLength(2);
  const events = await db.pool.query("select from events where import_id = $1", [id]);
  expect(events.rowCount).toBe(0);
});

test("work reaches the outbox, notifications become events, warnings stay with the import", async () => {
  const { id } = await givenImport();
  for (const event of [
    { type: "connected", side: "source" },
    { type: "connected", side: "destination" },
    { type: "sample_started" },
    { type: "run_failed", wrote: false },
  ] as const)
    await moveImport(db, event, system(id));
  const { rows } = await db.pool.query<{ effect: { kind: string } }>(
    "select effect from outbox where import_id = $1 and dispatched_at is null order by id",
    [id],
  );
  expect(rows.map(({ effect }) => effect.kind)).toEqual(["start_run"]);
  const events = await db.pool.query<{ type: string; status: string }>(
    "select type, status from events where import_id = $1 order by seq",
    [id],
  );
  expect(events.rows.map(({ type, status }) => [type, status])).toEqual([
    ["import.status_changed", "waiting_for_sample"],
    ["import.status_changed", "sample_in_progress"],
    ["import.status_changed", "waiting_for_sample"],
  ]);
  const warnings = async () =>
    (await db.pool.query("select code, stream from import_warnings where import_id = $1", [id])).rows;
  expect(await warnings()).toEqual([{ code: "run_failed", stream: "sample" }]);
  // The warning was about the previous run.
  await moveImport(db, { type: "sample_started" }, system(id));
  expect(await warnings()).toEqual([]);
});

test("the money rows decide whether an import is bought, read under the lock", async () => {
  const { id } = await givenImport();
  for (const event of [
    { type: "connected", side: "source" },
    { type: "connected", side: "destination" },
    { type: "sample_started" },
    { type: "run_done" },
  ] as const)
    await moveImport(db, event, system(id));
  const pay = (amount: number, reference: string) => givenMoney(db, id, amount, reference);
  expect((await moveImport(db, { type: "full_started" }, system(id))).kind).toBe("refused");
  await pay(34_900, "charge 1");
  await moveImport(db, { type: "bought" }, system(id));
  expect((await findAnyImport(db, sealer, id))?.state).toMatchObject({
    status: "in_preparation",
    bought: true,
  });
  await pay(-34_900, "refund 1");
  await moveImport(db, { type: "refunded" }, system(id));
  expect((await findAnyImport(db, sealer, id))?.state).toMatchObject({
    status: "sample_completed",
    bought: false,
  });
});

test("an import of another partner, or a closed one, is missing", async () => {
  const { id, partner } = await givenImport();
  const { partner: other } = await givenPartner(db);
  const accept: ImportEvent = { type: "sponsorship_accepted" };
  const by = (partnerId: string) => ({
    importId: id,
    partnerId,
    actor: { kind: "partner", partnerId } as const,
  });
  expect((await moveImport(db, accept, by(other.id))).kind).toBe("missing");
  expect((await moveImport(db, { type: "cancelled" }, by(partner.id))).kind).toBe("moved");
  expect((await moveImport(db, accept, by(partner.id))).kind).toBe("missing");
});
