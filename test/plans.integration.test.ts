import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  deleteOldSignIns,
  listConnections,
  purgeConnections,
} from "../server/src/features/connections/index.ts";
import { findConnection } from "../server/src/features/connections/store.ts";
import { deleteOldAudit, eraseBatch, listLongClosed } from "../server/src/features/erasure/store.ts";
import { deleteOldEvents, listEvents } from "../server/src/features/events/index.ts";
import { deleteOldKeys } from "../server/src/features/idempotency/index.ts";
import { findKey } from "../server/src/features/idempotency/store.ts";
import {
  archiveIdleImports,
  eraseFinishedSignIns,
  findAnyImport,
  findImport,
  type ImportFilter,
  listAudit,
  listImports,
  moveImport,
} from "../server/src/features/imports/index.ts";
import {
  deleteOldLinks,
  deleteOldSessions,
  findLink,
  findSession,
  listLinks,
  liveSessions,
  makeLink,
  openCustomerSession,
  revokeLink,
} from "../server/src/features/links/index.ts";
import { listDueSchedules, listToRemind } from "../server/src/features/imports/store-schedule.ts";
import { takeDueMails } from "../server/src/features/mail/store-due.ts";
import { deleteDispatched, takeWaiting } from "../server/src/features/outbox/index.ts";
import {
  countDeliveries,
  countLiveRuns,
  countOverdueRows,
  oldestDueDelivery,
  sumMails,
  sumOutbox,
  sumOverduePayments,
  sumPartitions,
} from "../server/src/features/queue-metrics/store.ts";
import { emptyMapping, loadFacts, loadMapping, saveMapping } from "../server/src/features/mapping/index.ts";
import { createAuthenticator, listPartners, listTokens } from "../server/src/features/partners/index.ts";
import { takeTurns } from "../server/src/features/rate-limit/index.ts";
import {
  deleteExpiredOldLinks,
  eraseOldSamples,
  findLatestRun,
  findReportedRun,
  progressOf,
} from "../server/src/features/runs/index.ts";
import {
  findRunChecks,
  findSilence,
  isKnownToken,
  listOpenChecks,
} from "../server/src/features/runs/silence/store-silence.ts";
import { takeOverdue } from "../server/src/features/runs/lifecycle/store-control.ts";
import { registerUses } from "../server/src/features/runs/ledger/store-fields.ts";
import {
  eraseUnfinished,
  eraseUnused,
  listErased,
  listUploads,
} from "../server/src/features/uploads/store.ts";
import { findOldLinks } from "../server/src/features/runs/old-links/store-old-links.ts";
import { beginRemoving } from "../server/src/features/runs/ledger/store-shared-accounts.ts";
import { deleteOldDeliveries, listDeliveries } from "../server/src/features/webhooks/index.ts";
import { releaseLanes } from "../server/src/features/webhooks/store-lanes.ts";
import { takeDueDeliveries, takeOne } from "../server/src/features/webhooks/store-take.ts";
import { type Database, openDatabase } from "../server/src/platform/db.ts";
import { SealError } from "../server/src/platform/seal.ts";
import { billingQuestions, fillBilling } from "./plans-billing.ts";
import { fillOperators, operatorQuestions } from "./plans-operator.ts";
import { insertSimulations, type Question, simulatorQuestions } from "./plans-simulator.ts";
import { createTestDatabase, type TestDatabase } from "./support/database.ts";
import { testSealer } from "./support/fixtures.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  // Tables large enough that a sequential scan would be a real choice of the planner.
  await db.pool.query(`insert into partners (id, name, destination_tool)
    select 'prt_' || lpad(n::text, 26, '0'), 'Acme', 'redmine' from generate_series(1, 200) n`);
  await db.pool.query(`insert into api_tokens (id, partner_id, hash, label, last_characters)
    select 'tok_' || lpad(n::text, 26, '0'), 'prt_' || lpad((n % 200 + 1)::text, 26, '0'), sha256(n::text::bytea), '', ''
    from generate_series(1, 2000) n`);
  await db.pool.query(`insert into imports (id, partner_id, source_tool, destination_tool, family, username_key, data_key, link_token,
      status, sponsorship, start_full, closed, closed_at)
    select 'imp_' || lpad(n::text, 26, '0'), 'prt_' || lpad((n % 200 + 1)::text, 26, '0'), 'redmine', 'redmine',
      case when n % 7 = 0 then 'content' else 'helpdesk' end, 'user' || n % 500, '', '', 'collecting_credentials', 'undecided', false, case when n % 3 = 0 then 'archived' end,
      case when n % 3 = 0 then now() end
    from generate_series(1, 50000) n`);
  await db.pool.query(`insert into events (id, partner_id, import_id, type, status)
    select 'evt_' || lpad(n::text, 26, '0'), 'prt_' || lpad((n % 200 + 1)::text, 26, '0'), 'imp_' || lpad(n::text, 26, '0'), 't', 's'
    from generate_series(1, 20000) n`);
  await db.pool.query(`insert into outbox (import_id, effect, dispatched_at)
    select 'imp_' || lpad(n::text, 26, '0'), case when n % 2 = 0 then '{"kind": "stop_run"}' else '{"kind": "notify"}' end::jsonb,
      case when n > 20 then now() end from generate_series(1, 20000) n`);
  await db.pool.query(`insert into runs (id, import_id, number, kind, outbox_id, ledger_leaf, state, ended_at)
    select 'run_' || lpad(n::text, 26, '0'), 'imp_' || lpad((n % 10000 + 1)::text, 26, '0'), n / 10000 + 1, 'full', n, '',
      case when n < 10000 then 'running' else 'done' end, case when n >= 10000 then now() end
    from generate_series(0, 19999) n`);
  await db.pool.query(`insert into partitions (run_id, no, import_id, step, task)
    select r.id, n, r.import_id, n, 'copy' from runs r, generate_series(0, 4) n`);
  await db.pool.query(`insert into idempotency_keys (partner_id, key, fingerprint, claim, claimed_until, created_at)
    select 'prt_' || lpad((n % 200 + 1)::text, 26, '0'), n::text, '', gen_random_uuid(), now(), now() - n * interval '1 minute'
    from generate_series(1, 5000) n`);
  await db.pool.query(`insert into connections (import_id, side, tool, state, settings, account_id, account_name, sign_in_name)
    select 'imp_' || lpad(n::text, 26, '0'), side, 'redmine', 'connected', '', 'a', 'a', 'a'
    from generate_series(1, 10000) n, unnest(array['source', 'destination']) side`);
  await db.pool.query(`insert into sign_ins (state_hash, import_id, side, tool, kept, expires_at)
    select sha256(n::text::bytea), 'imp_' || lpad(n::text, 26, '0'), 'source', 'redmine', '', now() + n * interval '1 second'
    from generate_series(1, 5000) n`);
  await db.pool.query(`insert into import_links (id, import_id, purpose, side, token_hash, link_mark, expires_at)
    select 'lnk_' || lpad(n::text, 26, '0'), 'imp_' || lpad((n % 5000 + 1)::text, 26, '0'), 'admin', 'source',
      sha256(n::text::bytea), sha256(''), now() + n * interval '1 minute' from generate_series(1, 10000) n`);
  await db.pool.query(`insert into wizard_sessions (key_hash, import_id, link_mark, expires_at, ends_at)
    select sha256(n::text::bytea), 'imp_' || lpad((n % 5000 + 1)::text, 26, '0'), sha256(''),
      now() + n * interval '1 minute', now() + n * interval '1 minute' from generate_series(1, 20000) n`);
  await db.pool.query(
    `insert into webhook_targets (partner_id, url, secret) select id, 'https://acme.example', '' from partners`,
  );
  await db.pool.query(`insert into webhook_deliveries (event_id, partner_id, import_id, type, seq, lane, state, due_at)
    select id, partner_id, import_id, 't', seq, import_id,
      case when seq % 10 = 0 then 'waiting' when seq % 10 = 1 then 'sending' else 'delivered' end,
      case when seq % 10 < 2 then now() end from events`);
  await db.pool.query(
    `insert into webhook_attempts (event_id, generation, at, duration_ms) select id, 1, now(), 1 from events`,
  );
  await db.pool.query(`insert into mails (id, import_id, occasion, about, run_id, round, state, ended_at, next_attempt_at)
    select 'eml_' || lpad(n::text, 26, '0'), 'imp_' || lpad(n::text, 26, '0'), 'done', '', '', 0,
      case when n > 20 then 'sent' else 'waiting' end, case when n > 20 then now() end, now() from generate_series(1, 20000) n`);
  await db.pool.query(`insert into scheduled_starts (import_id, starts_at, time_zone, state, missed_because)
    select 'imp_' || lpad(n::text, 26, '0'), now() + n * interval '1 minute', 'UTC',
      case when n > 20 then 'missed' else 'waiting' end, case when n > 20 then 'unpaid' end from generate_series(1, 20000) n`);
  await db.pool.query(`insert into old_links (import_id, partner_id, family, source_tool, source_settings, destination_tool,
      destination_settings, destination_urls, ledger_leaf)
    select id, partner_id, family, source_tool, '{}', destination_tool, '{}', '{}', '' from imports limit 20000`);
  await db.pool.query(`insert into uploads (id, import_id, data_key, name, size, received, store, active_at, erased_at)
    select 'upl_' || n, 'imp_' || lpad(n::text, 26, '0'), '', '', 10, case when n % 100 = 0 then 5 else 10 end, 'postgres',
      now() - n * interval '1 minute', case when n % 100 = 1 then now() end from generate_series(1, 20000) n`);
  await db.pool.query(`insert into silence_checks (token, import_id, run_id, no, deadline)
    select 'token-' || n, 'imp_' || lpad(n::text, 26, '0'), 'run_' || n, 1, now() from generate_series(1, 20000) n`);
  await fillBilling(db);
  await fillOperators(db);
  await insertSimulations(db);
  await db.pool.query("analyze");
});
afterAll(() => db.drop());

const partner = "prt_00000000000000000000000008";
const importId = "imp_00000000000000000000000007"; // of that partner
const reported = "imp_00000000000000000000000123"; // with a run that is done
const sealer = testSealer();
const key = { partnerId: partner, key: "7", fingerprint: Buffer.alloc(1), claim: randomUUID() };

const purge = (on: Database) => on.sql.transaction().execute((tx) => purgeConnections(tx, importId));

const takeLimits = { perPartner: 4, leaseMs: 30_000 };
const answered = [{ eventId: "evt_answered", generation: 1 }];
const delivery = { eventId: "evt_00000000000000000000000007", generation: 0 };
const lanes = (on: Database) => on.sql.transaction().execute((tx) => releaseLanes(tx, [importId]));
const listed = (on: Database, filter: ImportFilter) =>
  listImports(on, sealer, { partnerId: partner, closed: false, ...filter }, { limit: 10, before: null });
const deliveries = (on: Database) => listDeliveries(on, partner, { after: null, limit: 10, eventId: null });

/** Every query on a growing table, by the function that runs it, and the index that serves it. */
const questions: Question[] = [
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
  ["money_entries_by_import", "its money", (on) => findImport(on, sealer, partner, importId)],
  ["imports_pkey", "one import", (on) => findAnyImport(on, sealer, importId)],
  ["imports_open_by_username", "imports of a username", (on) => listed(on, { usernames: ["user7"] })],
  ["imports_by_reference", "imports of a reference", (on) => listed(on, { references: ["r7"] })],
  ["imports_open_by_status", "imports in a status", (on) => listed(on, { status: "collecting_credentials" })],
  ["imports_open_by_family", "imports of a family", (on) => listed(on, { family: "content" })],
  ["imports_pkey|imports_by_partner", "new imports", (on) => listed(on, { createdAfter: new Date() })],
  [
    "imports_by_partner",
    "a page of a partner's imports",
    (on) => listImports(on, sealer, { partnerId: partner }, { before: null, limit: 50 }),
  ],
  [
    "imports_pkey",
    "a page of all imports",
    (on) => listImports(on, sealer, {}, { before: importId, limit: 50 }),
  ],
  ["imports_idle", "the longest idle imports", (on) => archiveIdleImports(on)],
  ["mails_due", "mails to send", (on) => takeDueMails(on, 5, 1_000)],
  ["scheduled_starts_due", "planned starts that are due", (on) => listDueSchedules(on, 50)],
  ["scheduled_starts_due", "planned starts to remind of", (on) => listToRemind(on, 3_600_000, 50)],
  ["audit_pkey", "an import's audit trail", (on) => listAudit(on, importId)],
  ["runs_one_live", "the live runs of some imports", (on) => progressOf(on, [importId], { causes: true })],
  ["runs_import_id_number_key", "the last run with a report", (on) => findReportedRun(on, reported)],
  ["partitions_pkey", "the partitions of live runs", (on) => progressOf(on, [importId], { causes: true })],
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
  ["mapping_revisions_pkey", "the newest mapping", (on) => loadMapping(on, importId)],
  [
    "mapping_revisions_pkey",
    "a mapping to save",
    (on) => saveMapping(on, importId, { mapping: emptyMapping, based: 0, actor: "system" }),
  ],
  ["mapping_facts_pkey", "what a mapping is made from", (on) => loadFacts({ db: on, sealer }, importId)],
  ["idempotency_keys_by_age", "old keys", (on) => deleteOldKeys(on)],
  ["connections_pkey", "a side", (on) => findConnection(on, sealer, { importId, side: "source" })],
  ["connections_pkey", "both sides", (on) => listConnections(on, sealer, importId)],
  ["connections_pkey", "sign-ins to erase", (on) => eraseFinishedSignIns(on)],
  ["sign_ins_by_import", "what to purge", purge],
  ["sign_ins_by_expiry", "old sign-ins", (on) => deleteOldSignIns(on)],
  [
    "import_links_import_id_token_hash_key",
    "a link by its token",
    (on) => findLink(on, importId, Buffer.alloc(32)),
  ],
  ["import_links_import_id_token_hash_key", "an import's links", (on) => listLinks(on, importId)],
  [
    "import_links_import_id_token_hash_key",
    "a link to make",
    (on) => makeLink(on, { importId, purpose: "admin", side: "source", expiresInMs: 1 }),
  ],
  ["import_links_pkey", "a link to take back", (on) => revokeLink(on, importId, "lnk_x")],
  ["import_links_by_expiry", "old links", (on) => deleteOldLinks(on)],
  [
    "wizard_sessions_by_import",
    "a session to open",
    (on) => openCustomerSession(on, { importId, linkMark: "", link: null }),
  ],
  ["wizard_sessions_pkey", "a session", (on) => findSession(on, importId, "x".repeat(43))],
  ["wizard_sessions_pkey", "who listens", (on) => liveSessions(on, ["00".repeat(32)])],
  ["wizard_sessions_by_expiry", "old sessions", (on) => deleteOldSessions(on)],
  ["runs_import_id_number_key", "the latest run", (on) => findLatestRun(on, reported)],
  ["partitions_running", "what is overdue", (on) => takeOverdue(on, 10, 1_000)],
  [
    "matched_records_by_import|removing_records_by_import",
    "an undo's beginning",
    (on) => beginRemoving(on, importId),
  ],
  [
    "destination_fields_by_account",
    "fields that other imports created",
    (on) =>
      registerUses(on, importId, { tool: "x", accountId: "x" }, [
        { stream: "tickets", sourceKey: "a", key: "b" },
      ]),
  ],
  [
    "webhook_deliveries_due",
    "webhooks that are due",
    (on) => takeDueDeliveries(on, 10, takeLimits, answered),
  ],
  [
    "webhook_deliveries_sending",
    "a partner's calls under way",
    (on) => takeDueDeliveries(on, 10, takeLimits, answered),
  ],
  [
    "webhook_deliveries_pkey",
    "a webhook that was put off",
    (on) => takeOne(on, delivery, 100, takeLimits, answered),
  ],
  ["webhook_deliveries_lane", "what may follow in a lane", lanes],
  ["webhook_deliveries_by_partner", "a partner's deliveries", deliveries],
  ["webhook_attempts_pkey", "their attempts", deliveries],
  ["webhook_deliveries_pkey", "old deliveries", (on) => deleteOldDeliveries(on)],
  ...simulatorQuestions(partner, sealer),
  ["old_links_pkey", "where old addresses lead", (on) => findOldLinks(on, importId)],
  ["old_links_by_age", "old links whose time is over", (on) => deleteExpiredOldLinks(on)],
  ["uploads_by_import", "the files of an import", (on) => listUploads(on, sealer, importId)],
  ["uploads_erased", "erased files whose bytes are still there", (on) => listErased(on, 20)],
  ["uploads_unfinished", "uploads that were given up", (on) => eraseUnfinished(on, 7)],
  ["uploads_by_import", "files that came after the erasure", (on) => eraseUnused(on, 7)],
  ["silence_checks_by_import", "canaries that may be there", (on) => listOpenChecks(on, importId)],
  ["silence_checks_by_import", "the last measurement of silence", (on) => findSilence(on, importId)],
  ["silence_checks_run_id_no_key", "the measurement of a run", (on) => findRunChecks(on, "run_7")],
  ["silence_checks_pkey", "a mail about a canary", (on) => isKnownToken(on, "token-7")],
  ["sample_reviews_by_age", "old samples", (on) => eraseOldSamples(on, 90)],
  [
    "outbox_work",
    "effects to dispatch",
    (on) => takeWaiting(on, { limit: 20, exceptImports: [] }, async (waiting) => waiting.map(({ id }) => id)),
  ],
  ["outbox_dispatched", "old effects", (on) => deleteDispatched(on, 30)],
  ["imports_closed", "imports that were closed long ago", (on) => listLongClosed(on, 400, 10)],
  ["imports_closed", "their audit logs", (on) => deleteOldAudit(on, 400, 10)],
  ["runs_one_live", "metrics: live runs", (on) => countLiveRuns(on)],
  ["partitions_running", "metrics: partitions at work", (on) => sumPartitions(on, 60_000)],
  ["outbox_work|outbox_waiting", "metrics: waiting effects", (on) => sumOutbox(on)],
  ["mails_due", "metrics: waiting mails", (on) => sumMails(on)],
  ["webhook_deliveries_(open|lane)", "metrics: deliveries", (on) => countDeliveries(on)],
  ["webhook_deliveries_due", "metrics: the oldest due delivery", (on) => oldestDueDelivery(on)],
  ["checkouts_to_look_at", "metrics: overdue checkouts", (on) => sumOverduePayments(on)],
  ["refunds_to_do", "metrics: overdue refunds", (on) => sumOverduePayments(on)],
  [
    "events_by_age",
    "metrics: events that should be deleted",
    (on) => countOverdueRows(on, [{ table: "events", column: "created_at", days: 32 }]),
  ],
  ...billingQuestions,
  ...operatorQuestions(partner, importId, sealer),
];

/** A database that records the plan of every statement, as the server made it. */
const withPlans = async (work: (database: Database) => Promise<unknown>): Promise<string> => {
  const plans: string[] = [];
  const settings = {
    session_preload_libraries: "auto_explain",
    "auto_explain.log_min_duration": "0",
    client_min_messages: "log",
    // Disables the shortcuts for small tables: the plan then shows whether the index can serve the query.
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
    if (!(error instanceof SealError)) throw error; // the rows have no valid keys; the query has run
  });
  await watched.close();
  return plans.join("\n");
};

test.each(questions)("%s: %s", async (index, what, ask) => {
  const plan = await withPlans(ask);
  expect(plan).toMatch(new RegExp(index));
  // One row per migration, and one per partner.
  const small = /Seq Scan on (schema_migrations|webhook_targets t )/g;
  expect(plan.replaceAll(small, "")).not.toContain("Seq Scan");
  // A page must not sort the rows that it skips. A username's imports, a run's partitions and visible effects are few;
  // partners with due deliveries are shuffled, those with open ones sorted.
  const isPage = !/^(imports of a username|effects to dispatch|the webhook backlog)$|^(money|metrics): /.test(
    what,
  );
  if (isPage)
    expect(plan.replaceAll(/Sort Key: ((w|p|p_1)\..*|\(random\(\)\))/g, "")).not.toMatch(/Sort Key/);
});

test("due webhooks: partner by partner, so that one partner's backlog does not slow down others", async () => {
  const plan = await withPlans((on) => takeDueDeliveries(on, 10, takeLimits, answered));
  expect(plan).not.toMatch(/Hash|Merge|head_key/);
});

test("a report: the partitions of the import's own runs, not of all", async () => {
  const plan = await withPlans((on) => findReportedRun(on, reported));
  expect(plan).toMatch(/Scan using partitions_pkey on partitions p/);
  expect(plan).not.toMatch(/Scan using partitions_pkey on partitions p .*\n\s*(?!Index Cond)\S/);
});

test("an erasure: a range of keys at a time, with no join that without statistics would compare each row with each other", async () => {
  const plan = await withPlans((on) => eraseBatch(on, importId));
  for (const table of ["ledger", "pending_links", "sample_results", "sample_records"])
    expect(plan).toMatch(new RegExp(`Delete on ${table}`));
  expect(plan).not.toMatch(/Nested Loop|Hash|Merge Join/);
});

test("pending effects in the outbox: outbox_waiting", async () => {
  const plan = await withPlans((database) =>
    database.pool.query("select id from outbox where dispatched_at is null order by id limit 100"),
  );
  expect(plan).toContain("outbox_waiting");
});

test("a query above uses every index that is not a key", async () => {
  // ledger-plans.integration.test.ts covers the ledger's indexes, with a million rows.
  const { rows } = await db.pool.query<{ indexname: string }>(
    "select indexname from pg_indexes where schemaname = 'public' and indexname !~ '^ledger_|_(pkey|key)$'",
  );
  const asked = new Set(["outbox_waiting", ...questions.flatMap(([index]) => index.split("|"))]);
  expect(rows.map(({ indexname }) => indexname).filter((name) => !asked.has(name))).toEqual([]);
});
