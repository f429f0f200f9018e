import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../../test/support/database.ts";
import { testSealer } from "../../../../../test/support/fixtures.ts";
import { givenImport } from "../../../../../test/support/given-import.ts";
import { newId } from "../../../platform/ids.ts";
import { findKeptSample } from "./store-kept-sample.ts";
import { insertAdded } from "./store-review.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

/** An import with a finished sample of two tickets, one of which another record needs; the matching is another one by now. */
const sampled = async (outboxId: number) => {
  const importId = await givenImport(db, testSealer());
  const act = (sql: string, ...more: readonly unknown[]) => db.pool.query(sql, [importId, ...more]);
  await act(
    `insert into runs (id, import_id, number, kind, outbox_id, ledger_leaf, state, started_at, ended_at)
     values ($2, $1, 1, 'sample', $3, '', 'done', now() - interval '1 hour', now())`,
    newId("run"),
    outboxId,
  );
  await act("insert into sample_reviews (import_id, coverage) values ($1, '')");
  for (const [id, why] of [
    ["1", "chosen"],
    ["2", "needed"],
  ]) {
    await act(
      "insert into sample_records (import_id, stream, source_id, why) values ($1, 'tickets', $2, $3)",
      id,
      why,
    );
    await act(
      `insert into sample_results (import_id, stream, source_id, run_number, state, changes, content)
       values ($1, 'tickets', $2, 1, 1, 0, '')`,
      id,
    );
  }
  const connect = (side: string, at: string) =>
    act(
      `insert into connections (import_id, side, tool, state, account_id, account_name, sign_in_name, settings, connected_at)
       values ($1, $2, 'csv', 'connected', $1, 'Files', '', '', ${at})`,
      side,
    );
  await connect("source", "now() - interval '1 day'");
  await connect("destination", "now()");
  const mapping = { revision: 1, choosesLike: () => true };
  return { importId, act, kept: () => findKeptSample(db, { importId, runNumber: 2 }, mapping) };
};

test("stays while only the matching is another one", async () => {
  const { kept } = await sampled(1);
  expect(await kept()).toEqual(new Map([["tickets", 2]]));
});

test("is chosen anew after the source was connected again: the same account may be other files", async () => {
  const { act, kept } = await sampled(2);
  await act("update connections set connected_at = now() where import_id = $1 and side = 'source'");
  expect(await kept()).toBeNull();
});

test("is chosen anew after a record was added that it had only because others need it", async () => {
  const { importId, kept } = await sampled(3);
  expect(await insertAdded(db, importId, { stream: "tickets", id: "2" }, 20)).toBe("added");
  expect(await kept()).toBeNull();
});
