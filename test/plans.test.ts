import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteOldEvents, listEvents } from "../server/src/features/events/index.ts";
import { deleteOldKeys } from "../server/src/features/idempotency/index.ts";
import { findKey } from "../server/src/features/idempotency/store.ts";
import {
  archiveIdleImports,
  findAnyImport,
  findImport,
  listAllImports,
  listAudit,
  listImports,
  moveImport,
} from "../server/src/features/imports/index.ts";
import { createAuthenticator, listPartners, listTokens } from "../server/src/features/partners/index.ts";
import { takeTurns } from "../server/src/features/rate-limit/index.ts";
import { type Database, openDatabase } from "../server/src/platform/db.ts";
import { SealError } from "../server/src/platform/seal.ts";
import { createTestDatabase, type TestDatabase } from "./support/database.ts";
import { testSealer } from "./support/fixtures.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  // A table large enough that a sequential scan would be a choice, not a shortcut for the planner.
  await db.pool.query(`insert into partners (id, name, destination_tool)
    select 'prt_' || lpad(n::text, 26, '0'), 'Acme', 'redmine' from generate_series(1, 200) n`);
  await db.pool.query(`insert into api_tokens (id, partner_id, hash, label, last_characters)
    select 'tok_' || lpad(n::text, 26, '0'), 'prt_' || lpad((n % 200 + 1)::text, 26, '0'), sha256(n::text::bytea), '', ''
    from generate_series(1, 2000) n`);
  await db.pool.query(`insert into imports (id, partner_id, source_tool, destination_tool, family, username_key, data_key, link_token,
      status, sponsorship, start_full, closed, closed_at)
    select 'imp_' || lpad(n::text, 26, '0'), 'prt_' || lpad((n % 200 + 1)::text, 26, '0'), 'redmine', 'redmine', 'helpdesk',
      'user' || n % 500, '', '', 'collecting_credentials', 'undecided', false, case when n % 3 = 0 then 'archived' end,
      case when n % 3 = 0 then now() end
    from generate_series(1, 50000) n`);
  await db.pool.query(`insert into events (id, partner_id, import_id, type, status)
    select 'evt_' || lpad(n::text, 26, '0'), 'prt_' || lpad((n % 200 + 1)::text, 26, '0'), 'imp_' || lpad(n::text, 26, '0'), 't', 's'
    from generate_series(1, 20000) n`);
  await db.pool.query(`insert into outbox (import_id, effect, dispatched_at)
    select 'imp_' || lpad(n::text, 26, '0'), '{}', case when n > 20 then now() end from generate_series(1, 20000) n`);
  await db.pool.query(`insert into idempotency_keys (partner_id, key, fingerprint, claim, claimed_until, created_at)
    select 'prt_' || lpad((n % 200 + 1)::text, 26, '0'), n::text, '', gen_random_uuid(), now(), now() - n * interval '1 minute'
    from generate_series(1, 5000) n`);
  await db.pool.query("analyze");
}, 120_000);
afterAll(() => db.drop());

const partner = "prt_00000000000000000000000008";
const importId = "imp_00000000000000000000000007"; // of that partner
const sealer = testSealer();
const key = { partnerId: partner, key: "7", fingerprint: Buffer.alloc(1), claim: randomUUID() };

/** Every question that a growing table is asked, by the function that asks it, and the index that answers. */
const questions: [index: string, what: string, ask: (on: Database) => Promise<unknown>][] = [
  [
    "api_tokens_hash_key",
    "a token's partner",
    (on) => createAuthenticator(on).authenticate(`ptg_live_${"x".repeat(40)}`),
  ],
  ["api_tokens_by_partner", "a partner's tokens", (on) => listTokens(on, partner)],
  ["partners_pkey", "a page of partners", (on) => listPartners(on, { after: partner, limit: 20 })],
  ["request_ring_pkey", "a turn", (on) => takeTurns(on, [partner])],
  [
    "imports_by_partner|imports_pkey",
    "one import of a partner",
    (on) => findImport(on, sealer, partner, importId),
  ],
  ["import_warnings_pkey", "its warnings", (on) => findImport(on, sealer, partner, importId)],
  ["payments_by_import", "its money", (on) => findImport(on, sealer, partner, importId)],
  ["imports_pkey", "one import", (on) => findAnyImport(on, sealer, importId)],
  [
    "imports_open_by_username",
    "imports of a username",
    (on) => listImports(on, sealer, partner, ["user7"], { limit: 10, before: null }),
  ],
  [
    "imports_by_partner",
    "a page of a partner's imports",
    (on) => listAllImports(on, sealer, { partnerId: partner, before: null, limit: 50 }),
  ],
  [
    "imports_pkey",
    "a page of all imports",
    (on) => listAllImports(on, sealer, { partnerId: null, before: importId, limit: 50 }),
  ],
  ["imports_idle", "the longest idle imports", (on) => archiveIdleImports(on)],
  ["audit_pkey", "an import's audit trail", (on) => listAudit(on, importId)],
  [
    "imports_pkey",
    "an import to move",
    (on) =>
      moveImport(
        on,
        { type: "sponsorship_accepted" },
        { importId, partnerId: partner, actor: { kind: "system" } },
      ),
  ],
  [
    "events_by_partner",
    "a partner's events",
    (on) => listEvents(on, sealer, partner, { after: "evt_00000000000000000000000007", limit: 100 }),
  ],
  ["events_by_age", "old events", (on) => deleteOldEvents(on)],
  ["idempotency_keys_pkey", "a kept key", (on) => findKey(on, key.partnerId, key.key)],
  ["idempotency_keys_by_age", "old keys", (on) => deleteOldKeys(on)],
];

/** A database that writes down the plan of every statement it runs, as the server made it. */
const withPlans = async (work: (database: Database) => Promise<unknown>): Promise<string> => {
  const plans: string[] = [];
  const settings = {
    session_preload_libraries: "auto_explain",
    "auto_explain.log_min_duration": "0",
    client_min_messages: "log",
    // Without the shortcuts that a small table allows: what is left shows whether the index can answer.
    enable_seqscan: "off",
    enable_bitmapscan: "off",
  };
  const flags = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const watched = openDatabase({
    ...db.options,
    url: `${db.url}?options=${encodeURIComponent(flags.join(" "))}`,
  });
  watched.pool.on("connect", (client) =>
    client.on("notice", ({ message }) => void plans.push(message ?? "")),
  );
  await work(watched).catch((error: unknown) => {
    if (!(error instanceof SealError)) throw error; // the rows were made without keys; the question was asked
  });
  await watched.close();
  return plans.join("\n");
};

test.each(questions)("%s: %s", async (index, what, ask) => {
  const plan = await withPlans(ask);
  expect(plan).toMatch(new RegExp(index));
  expect(plan.replaceAll("Seq Scan on schema_migrations", "")).not.toContain("Seq Scan");
  // A page must not sort what it skips. Imports of one username are few, and may.
  if (what !== "imports of a username")
    expect(plan.replaceAll(/Sort Key: w\..*/g, "")).not.toMatch(/Sort Key/);
});

test("what waits in the outbox: outbox_waiting", async () => {
  // The dispatcher's question; it moves here with the dispatcher.
  const plan = await withPlans((database) =>
    database.pool.query("select id from outbox where dispatched_at is null order by id limit 100"),
  );
  expect(plan).toContain("outbox_waiting");
});

test("every index that is not a key is asked for above", async () => {
  const { rows } = await db.pool.query<{ indexname: string }>(
    "select indexname from pg_indexes where schemaname = 'public' and indexname !~ '_(pkey|key)$'",
  );
  const asked = new Set(["outbox_waiting", ...questions.flatMap(([index]) => index.split("|"))]);
  expect(rows.map(({ indexname }) => indexname).filter((name) => !asked.has(name))).toEqual([]);
});
