import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/database.ts";
import { givenPartner, testSealer, testSigner } from "../../../../test/support/fixtures.ts";
import { newId } from "../../platform/ids.ts";
import { Secret } from "../../platform/secret.ts";
import { findAnyImport, moveImport, usernameKey } from "../imports/index.ts";
import { ensureLedgerMonth } from "../runs/ledger/store-months.ts";
import { runRetention } from "../retention/index.ts";
import { eraseImport } from "./erase-import.ts";
import { makeReceipt } from "./receipt.ts";
import { beginErasure, endErasure, eraseBatch, erasedTables, findErasure, listImportsOf } from "./store.ts";

let db: TestDatabase;
const sealer = testSealer();
beforeAll(async () => {
  db = await createTestDatabase();
  await ensureLedgerMonth(db, new Date());
});
afterAll(() => db.drop());

/** In every text of the customer, so that a search of the whole database finds what is left. */
const mark = "jo.of.acme";

/** A cancelled import with rows in every table that has some. */
const givenFull = async () => {
  const { partner } = await givenPartner(db);
  const id = newId("imp");
  const dataKey = sealer.newDataKey(id);
  const sealed = (field: string) => sealer.seal(id, dataKey, field, new Secret(`${mark} ${field}`));
  const run = newId("run");
  const event = newId("evt");
  const hash = () => Buffer.alloc(32, newId("tok"));
  await db.pool.query(
    `insert into imports (id, partner_id, source_tool, destination_tool, family, data_key, link_token, status, sponsorship,
       start_full, reference, destination_instance_url, destination_username, username_key, destination_token, items, findings)
     values ($1, $2, 'redmine', 'request-tracker', 'helpdesk', $3, $4, 'waiting_for_sample', 'undecided', false, $5, $6, $5, $7,
       $8, '{"tickets": 3}', $9)`,
    [
      id,
      partner.id,
      dataKey,
      sealed("link-token"),
      `${mark}@x.example`,
      `https://${mark}.example`,
      usernameKey(`${mark}@x.example`),
      sealed("destination-token"),
      JSON.stringify([{ id: `${mark}-17` }]),
    ],
  );
  // Closed before the rest is there: closing purges much of it, and an erasure must not rely on that.
  await moveImport(db, { type: "cancelled" }, { importId: id, partnerId: null, actor: { kind: "operator" } });
  const insert = (text: string, ...values: unknown[]) => db.pool.query(text, [id, ...values]);
  await insert(
    `insert into connections (import_id, side, tool, state, settings, account_id, account_name, sign_in_name)
     values ($1, 'source', 'redmine', 'connected', $2, $3, $3, $3)`,
    sealed("settings"),
    mark,
  );
  await insert(
    `insert into sign_ins (state_hash, import_id, side, tool, kept, expires_at)
     values ($3, $1, 'source', 'redmine', $2, now() + interval '1 hour')`,
    sealed("kept"),
    hash(),
  );
  await insert(
    `insert into import_links (id, import_id, purpose, token_hash, link_mark, expires_at)
     values ($2, $1, 'email', $3, $3, now() + interval '1 day')`,
    newId("lnk"),
    hash(),
  );
  await insert(
    `insert into wizard_sessions (key_hash, import_id, link_mark, expires_at, ends_at)
     values ($2, $1, $2, now() + interval '1 day', now() + interval '1 day')`,
    hash(),
  );
  await insert(`insert into mapping_facts (import_id, facts) values ($1, $2)`, sealed("facts"));
  await insert(
    `insert into mapping_people (import_id, side, page, people) values ($1, 'source', 0, $2)`,
    sealed("people"),
  );
  await insert(
    `insert into mapping_revisions (import_id, revision, mapping, actor) values ($1, 1, $2, 'customer')`,
    JSON.stringify({ by: mark }),
  );
  await insert(`insert into sample_reviews (import_id, coverage) values ($1, $2)`, sealed("coverage"));
  await insert(
    `insert into sample_results (import_id, stream, source_id, run_number, state, changes, content)
     values ($1, 'tickets', $2, 1, 1, 0, $3)`,
    `${mark}-1`,
    sealed("content"),
  );
  await insert(
    `insert into sample_records (import_id, stream, source_id, why) values ($1, 'tickets', $2, 'chosen')`,
    `${mark}-1`,
  );
  await insert(
    `insert into ledger (import_id, stream, source_id, state, key_generation, mapping_revision, run_number, dest_id, detail)
     select $1, 'tickets', $2 || n, 1, 1, 1, 1, n::text, $2 from generate_series(1, 12000) n`,
    mark,
  );
  await insert(
    `insert into pending_links (import_id, stream, source_id, field, to_stream, to_id)
     values ($1, 'tickets', $2, 'parent', 'tickets', $2), ($1, 'tickets', $2, 'other', 'tickets', $2)`,
    mark,
  );
  await insert(
    `insert into matched_records (tool, account_id, stream, dest_id, import_id) values ('redmine', $2, 'tickets', $2 || $1, $1)`,
    mark,
  );
  await insert(
    `insert into removing_records (tool, account_id, stream, dest_id, import_id) values ('redmine', $2, 'tickets', $2 || $1, $1)`,
    mark,
  );
  await insert(`insert into kept_records (import_id, stream, dest_id) values ($1, 'tickets', $2)`, mark);
  await insert(
    `insert into destination_fields (import_id, stream, source_key, tool, account_id, mark, state, field, deadline)
     values ($1, 'tickets', $2, 'redmine', $2, $2, 'created', $3, now())`,
    mark,
    JSON.stringify({ label: mark }),
  );
  await insert(
    `insert into old_links (import_id, partner_id, family, source_tool, source_settings, destination_tool, destination_settings,
       destination_urls, ledger_leaf)
     select id, partner_id, family, source_tool, $2, destination_tool, $2, '{}', '' from imports where id = $1`,
    JSON.stringify({ instanceUrl: mark }),
  );
  await insert(
    `insert into runs (id, import_id, number, kind, outbox_id, state, failure_code, failure_message, ledger_leaf, ended_at)
     values ($2, $1, 1, 'full', (random() * 1e15)::bigint, 'failed', 'x', $3, 'ledger', now())`,
    run,
    mark,
  );
  await insert(
    `insert into silence_checks (token, import_id, run_id, no, deadline, messages) values ($2, $1, $2, 1, now(), $3)`,
    run,
    JSON.stringify([{ stream: "tickets", subject: mark }]),
  );
  await insert(
    `insert into partitions (run_id, no, import_id, step, task, stream, state, cursor)
     values ($2, 1, $1, 1, 'copy', 'tickets', 'done', $3)`,
    run,
    JSON.stringify({ after: mark }),
  );
  await insert(
    `insert into mails (id, import_id, occasion, about, run_id, round, state, ended_at)
     values ($2, $1, 'done', '', '', 1, 'sent', now())`,
    newId("eml"),
  );
  await insert(
    `insert into mail_addresses (import_id, sealed, language) values ($1, $2, 'en')`,
    sealed("mail"),
  );
  await insert(`insert into partner_reminders (import_id) values ($1)`);
  await insert(`insert into scheduled_starts (import_id, starts_at, time_zone) values ($1, now(), 'UTC')`);
  await insert(
    `insert into import_warnings (import_id, code, message, count) values ($1, 'run_failed', $2, 1)
     on conflict do nothing`,
    mark,
  );
  await insert(
    `insert into events (id, partner_id, import_id, type, status) values ($2, $3, $1, 'import.status_changed', 'x')`,
    event,
    partner.id,
  );
  await db.pool.query(
    `insert into webhook_attempts (event_id, generation, at, duration_ms, answer) values ($1, 1, now(), 1, $2)`,
    [event, `hello ${mark}`],
  );
  await insert(
    `insert into audit (import_id, seq, event, to_status, actor) values ($1, 90, $2, 'waiting_for_sample', 'system')`,
    JSON.stringify({ type: "run_failed", cause: mark }),
  );
  return { id, partner, dataKey };
};

/** The tables in whose rows of an import, or any rows at all, the text occurs. */
const tablesWith = async (text: string) => {
  const { rows } = await db.pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not relispartition`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const hits = await db.pool.query(
      `select 1 from ${name} t where to_jsonb(t)::text like '%' || $1 || '%' limit 1`,
      [text],
    );
    if (hits.rowCount) found.push(name);
  }
  return found;
};

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

test("nothing of the customer is left, the data key is gone, and the receipt says so", async () => {
  const { id, partner, dataKey } = await givenFull();
  const other = await givenFull();
  await eraseImport(db, other.id);
  const before = await tablesWith(id);
  // The fixture is complete: each table that an erasure empties has a row.
  expect(before).toEqual(
    expect.arrayContaining(erasedTables.filter((name) => name !== "webhookAttempts").map(snakeCase)),
  );
  expect(await tablesWith(mark)).toContain("webhook_attempts");

  const erased = await eraseImport(db, id);
  if (erased.kind !== "erased") throw new Error(erased.kind);
  expect(await tablesWith(mark)).toEqual([]);
  expect(await tablesWith(id)).toEqual(expect.not.arrayContaining(erasedTables.map(snakeCase)));
  expect((await tablesWith(id)).toSorted()).toEqual(["audit", "erasures", "events", "imports"]);
  const { rows } = await db.pool.query<{ key: Buffer }>("select data_key as key from imports where id = $1", [
    id,
  ]);
  expect(rows).toEqual([{ key: Buffer.alloc(0) }]);
  expect(dataKey.length).toBeGreaterThan(0);

  const { receipt, jws } = makeReceipt(erased.erasure, testSigner());
  expect(receipt).toMatchObject({
    import: id,
    partner: partner.id,
    reason: "requested",
    data_key: "destroyed",
    erased: { ledger: 12_000, pending_links: 2, connections: 1, webhook_attempts: 1, runs: 1, partitions: 1 },
  });
  expect(Object.keys(receipt.erased).toSorted()).toEqual(erasedTables.map(snakeCase).toSorted());
  expect(receipt.kept.map(({ what }) => what).join()).toContain("payments");
  const [, payload = ""] = jws.split(".");
  expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toEqual(receipt);
  expect(await eraseImport(db, id)).toEqual(erased);
});

test("an erased import is shown without a link, and no link opens it", async () => {
  const { id } = await givenFull();
  await eraseImport(db, id);
  const found = await findAnyImport(db, sealer, id);
  expect(found).toMatchObject({
    id,
    destinationUsername: null,
    reference: null,
    state: { closed: "cancelled" },
  });
  expect(found?.linkToken.reveal()).toBe("");
});

test("an open import and one with a live run are refused, and nothing is deleted", async () => {
  const { id } = await givenFull();
  await db.pool.query("update imports set closed = null, closed_at = null where id = $1", [id]);
  expect(await eraseImport(db, id)).toEqual({ kind: "open" });
  await db.pool.query(
    "update imports set live_run = 'full', closed = 'cancelled', closed_at = now() where id = $1",
    [id],
  );
  expect(await eraseImport(db, id)).toEqual({ kind: "live_run" });
  expect(await eraseImport(db, "imp_00000000000000000000000000")).toEqual({ kind: "missing" });
  expect(await findErasure(db, id)).toBeUndefined();
  expect(await tablesWith(mark)).toContain("connections");
  await db.pool.query("update imports set live_run = null where id = $1", [id]);
  await eraseImport(db, id);
});

test("an interrupted erasure goes on, and its counts add up", async () => {
  const { id } = await givenFull();
  expect(await beginErasure(db, id, "requested")).toEqual({ kind: "begun" });
  expect(await eraseBatch(db, id)).toBe(true);
  expect(await findErasure(db, id)).toMatchObject({ erased: { ledger: 10_000 }, endedAt: null });
  const erased = await eraseImport(db, id);
  expect(erased).toMatchObject({ kind: "erased", erasure: { erased: { ledger: 12_000, runs: 1 } } });
  await endErasure(db, id, "requested");
  expect(await findErasure(db, id)).toMatchObject({ erased: { runs: 1 } });
});

test("a customer's imports are found by their name, whatever its case", async () => {
  const { id, partner } = await givenFull();
  const found = (name: string, of: string | null) => listImportsOf(db, usernameKey(name), of);
  expect(await found(`${mark.toUpperCase()}@X.example `, partner.id)).toEqual([{ id, isAtRest: true }]);
  expect(await found(`${mark}@x.example`, (await givenPartner(db)).partner.id)).toEqual([]);
  expect(await found("other@x.example", null)).toEqual([]);
  await eraseImport(db, id);
  expect(await found(`${mark}@x.example`, null)).toEqual([]);
});

test("retention erases imports that were closed long ago, with their audit log, and old effects", async () => {
  const { id } = await givenFull();
  const young = await givenFull();
  await db.pool.query("update imports set closed_at = now() - interval '401 days' where id = $1", [id]);
  await db.pool.query(
    `insert into outbox (import_id, effect, dispatched_at) values
       ($1, '{"kind": "stop_run"}', now() - interval '31 days'), ($1, '{"kind": "stop_run"}', now()), ($1, '{"kind": "x"}', null)`,
    [young.id],
  );
  expect(await runRetention(db)).toMatchObject({ erasedImports: 1, deletedEffects: 1 });
  expect(await findErasure(db, id)).toMatchObject({ reason: "retention" });
  expect(await tablesWith(id)).not.toContain("audit");
  expect(await tablesWith(young.id)).toEqual(expect.arrayContaining(["audit", "runs", "ledger"]));
  expect(await runRetention(db)).toMatchObject({ erasedImports: 0, deletedEffects: 0 });
});
