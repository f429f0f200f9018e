import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/database.ts";
import { givenPartner, testRegistry, testSealer } from "../../../../test/support/fixtures.ts";
import { listConnections, saveConnection } from "../connections/index.ts";
import { eraseOldMatching } from "../mapping/index.ts";
import { createImport } from "./create.ts";
import { disconnectSide } from "./disconnect-side.ts";
import { eraseFinishedSignIns } from "./erase-finished.ts";
import { moveImport } from "./move.ts";
import type { ImportEvent } from "./state.ts";
import { findAnyImport } from "./store.ts";

let db: TestDatabase;
const sealer = testSealer();
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const move = (importId: string, event: ImportEvent) =>
  moveImport(db, event, { importId, partnerId: null, actor: { kind: "system" } });

const toTheEnd: readonly ImportEvent[] = [
  { type: "connected", side: "source" },
  { type: "connected", side: "destination" },
  { type: "sample_started" },
  { type: "run_done" },
  { type: "sponsorship_accepted" },
  { type: "full_asked", payer: "partner_decides" },
  { type: "full_started" },
  { type: "run_done" },
];

/** An import with both sides connected, whose events are `daysAgo` days old. */
const given = async (events: readonly ImportEvent[], daysAgo: number) => {
  const { partner } = await givenPartner(db);
  const create = createImport({
    db,
    sealer,
    registry: testRegistry(),
    checkDestination: async () => ({ kind: "not_all_given" }),
  });
  const made = await create(partner, { source_tool: "request-tracker", destination_token: "given" });
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
  for (const event of events) expect((await move(made.id, event)).kind).toBe("moved");
  const ago = [made.id, daysAgo];
  await db.pool.query("update audit set at = now() - $2 * interval '1 day' where import_id = $1", ago);
  await db.pool.query("update imports set active_at = now() - $2 * interval '1 day' where id = $1", ago);
  await db.pool.query(
    "update connections set connected_at = now() - $2 * interval '1 day' where import_id = $1",
    ago,
  );
  return made.id;
};
const statesOf = async (id: string) =>
  (await listConnections(db, sealer, id))
    .toSorted((a, b) => b.side.localeCompare(a.side))
    .map(({ side, state }) => `${side} ${state}`);

const both = ["source connected", "destination connected"];

test("erases the source's sign-in a week and the destination's a month after the move, and nothing else", async () => {
  const fresh = await given(toTheEnd, 6);
  const week = await given(toTheEnd, 8);
  const month = await given(toTheEnd, 31);
  const unfinished = await given(toTheEnd.slice(0, -1), 31);
  const sampled = await given(toTheEnd.slice(0, 4), 31);
  const again = await given([...toTheEnd, { type: "delta_started", withinWindow: true }], 31);
  const reconnected = await given(toTheEnd, 31);
  await db.pool.query("update connections set connected_at = now() where import_id = $1", [reconnected]);

  expect(await eraseFinishedSignIns(db)).toEqual({ erased: 3 });
  for (const id of [fresh, unfinished, sampled, again, reconnected]) expect(await statesOf(id)).toEqual(both);
  expect(await statesOf(week)).toEqual(["source disconnected", "destination connected"]);
  expect(await statesOf(month)).toEqual(["source disconnected", "destination disconnected"]);
  expect((await findAnyImport(db, sealer, month))?.state).toMatchObject({
    status: "migration_completed",
    sourceConnected: false,
    destinationConnected: false,
  });
  const { rows } = await db.pool.query(
    `select destination_token, (active_at < now() - interval '30 days') as idle from imports where id = $1`,
    [month],
  );
  expect(rows).toEqual([{ destination_token: null, idle: true }]);
  expect(await eraseFinishedSignIns(db)).toEqual({ erased: 0 });
});

const giveMatching = async (id: string) => {
  await db.pool.query(
    `with facts as (insert into mapping_facts (import_id, facts) values ($1, '\\x00') returning import_id),
       choices as (insert into mapping_revisions (import_id, revision, mapping, actor) values ($1, 1, '{}', 'customer'))
     select from facts`,
    [id],
  );
  await db.pool.query(
    "insert into mapping_people (import_id, side, page, people) values ($1, 'source', 0, '\\x00')",
    [id],
  );
};
const givenMatched = async (events: readonly ImportEvent[], daysAgo: number) => {
  const id = await given(events, daysAgo);
  await giveMatching(id);
  return id;
};
/** Which of facts, people and choices are left. */
const matchingOf = async (id: string) => {
  const { rows } = await db.pool.query<{ name: string }>(
    `select 'facts' as name from mapping_facts where import_id = $1 union all
     select 'people' from mapping_people where import_id = $1 union all
     select 'choices' from mapping_revisions where import_id = $1`,
    [id],
  );
  return rows.map(({ name }) => name);
};
const everything = ["facts", "people", "choices"];

test("facts with names and addresses go with the source's sign-in, choices with the import", async () => {
  const fresh = await givenMatched(toTheEnd, 6);
  const week = await givenMatched(toTheEnd, 8);
  const asked = await givenMatched(toTheEnd, 1);
  await eraseFinishedSignIns(db);
  await disconnectSide(db)(asked, "source");
  expect(await matchingOf(fresh)).toEqual(everything);
  expect(await matchingOf(week)).toEqual(["choices"]);
  expect(await matchingOf(asked)).toEqual(["choices"]);
  for (const id of [fresh, week]) await move(id, { type: "archived" });
  expect(await matchingOf(fresh)).toEqual([]);
  expect(await matchingOf(week)).toEqual([]);
});

test("if cancelled under a live run, everything goes when the run has ended", async () => {
  const id = await givenMatched(toTheEnd.slice(0, -1), 1);
  await move(id, { type: "cancelled" });
  expect(await matchingOf(id)).toEqual(everything);
  expect(await eraseOldMatching(db)).toBe(0);
  await move(id, { type: "run_stopped", wrote: true });
  expect(await matchingOf(id)).toEqual([]);
});

test("facts gathered while the import or the sign-in ended are erased later", async () => {
  const closed = await given(toTheEnd, 1);
  await move(closed, { type: "archived" });
  const erased = await given(toTheEnd, 8);
  await eraseFinishedSignIns(db);
  const sampled = await given(toTheEnd.slice(0, 4), 31);
  for (const id of [closed, erased, sampled]) await giveMatching(id);
  expect(await eraseOldMatching(db)).toBe(2);
  expect(await matchingOf(closed)).toEqual([]);
  expect(await matchingOf(erased)).toEqual(["choices"]);
  expect(await matchingOf(sampled)).toEqual(everything);
});

test("while an undo waits, the source's sign-in expires as usual: an undo does not need it", async () => {
  const undoing = [...toTheEnd, { type: "undo_started" }] as const;
  const late = await given(undoing, 8);
  const early = await given(undoing, 6);
  const ofSample = await given([...toTheEnd.slice(0, 4), { type: "undo_started" }], 8);
  expect(await eraseFinishedSignIns(db)).toMatchObject({ erased: 2 });
  for (const id of [late, ofSample])
    expect(await statesOf(id)).toEqual(["source disconnected", "destination connected"]);
  expect(await statesOf(early)).toEqual(both);
  expect((await findAnyImport(db, sealer, late))?.state).toMatchObject({
    status: "undo_in_progress",
    liveRun: "undo",
    sourceConnected: false,
    destinationConnected: true,
  });
  expect(await disconnectSide(db)(early, "destination")).toEqual({ kind: "under_way" });
  expect(await disconnectSide(db)(early, "source")).toEqual({ kind: "disconnected" });
  expect((await move(late, { type: "run_done" })).kind).toBe("moved");
  expect((await findAnyImport(db, sealer, late))?.state.status).toBe("migration_cleaned");
});
