import { type ImportFilter, listImports } from "../server/src/features/imports/index.ts";
import {
  countBehind,
  countLiveImports,
  countOpenImports,
  countWork,
  findStuck,
  listBacklog,
  listRuns,
} from "../server/src/features/operations/index.ts";
import {
  createSessionLookup,
  createStaffLookup,
  deleteOldStaffAudit,
  deleteOldStaffSessions,
  findOpenInvitation,
  findByIdempotencyKey,
  findByOidc,
  listStaff,
  listStaffAudit,
  listSessions,
  listStaffTokens,
  signInLocally,
} from "../server/src/features/staff/index.ts";
import { deletePasskeys } from "../server/src/features/staff/store-passkeys.ts";
import {
  deleteUnusedAccounts,
  fullestQuotas,
  listAccountHealth,
} from "../server/src/features/tool-limits/index.ts";
import { countOpen, listDeliveries } from "../server/src/features/webhooks/index.ts";
import type { Database } from "../server/src/platform/db.ts";
import type { Sealer } from "../server/src/platform/seal.ts";
import { Secret } from "../server/src/platform/secret.ts";
import type { Question } from "./plans-simulator.ts";

/** People, tokens and a long audit log; and a few stuck imports among many. */
export const fillOperators = async ({ pool }: Database): Promise<void> => {
  await pool.query(`insert into staff (id, name, email, role)
    select 'stf_' || lpad(n::text, 26, '0'), 'Jo', n || '@acme.example', 'viewer' from generate_series(1, 500) n`);
  await pool.query("update staff set oidc_issuer = 'https://id.acme.example', oidc_subject = 'x' || id");
  await pool.query(`insert into staff_tokens (id, staff_id, hash, label, last_characters, role, expires_at)
    select 'stk_' || lpad(n::text, 26, '0'), 'stf_' || lpad((n % 500 + 1)::text, 26, '0'), sha256(n::text::bytea), '', '',
      'viewer', now() + interval '1 day' from generate_series(1, 2000) n`);
  await pool.query(`insert into staff_sessions (id, staff_id, hash, signed_in_by, address, expires_at, idle_at)
    select 'sts_' || lpad(n::text, 26, '0'), 'stf_' || lpad((n % 500 + 1)::text, 26, '0'), sha256(n::text::bytea), 'local', '',
      now() + n * interval '1 minute', now() from generate_series(1, 20000) n`);
  await pool.query(`insert into staff_invitations (staff_id, hash, totp_secret, expires_at)
    select id, sha256(id::bytea), '', now() from staff`);
  await pool.query(
    `insert into staff_passwords (staff_id, hash, totp_secret, totp_step) select id, '', '', 0 from staff`,
  );
  await pool.query(`insert into staff_passkeys (id, staff_id, public_key, counter)
    select n::text, 'stf_' || lpad((n % 500 + 1)::text, 26, '0'), '', 0 from generate_series(1, 5000) n`);
  await pool.query(`insert into staff_audit (staff_id, action, changes, target, target_id, request_id, idempotency_key,
      outcome, at)
    select 'stf_' || lpad((n % 500 + 1)::text, 26, '0'), 'action' || n % 40, n % 5 = 0, 'import',
      'imp_' || lpad((n % 5000 + 1)::text, 26, '0'), n::text, case when n % 5 = 0 then n::text end, 'done',
      now() - n * interval '1 minute' from generate_series(1, 50000) n`);
  await pool.query(`update imports set status = 'sample_completed', sample_copy = 'all', asked = true,
      active_at = now() - interval '9 days', reference = 'ws_' || id
    where id in (select id from imports where closed is null order by id desc limit 50)`);
  await pool.query(`update imports set live_run = 'full' where id < 'imp_' || lpad('50', 26, '0')`);
  await pool.query(`update partitions set state = 'running', due_at = now() - interval '1 hour'
    where run_id < 'run_' || lpad('20', 26, '0')`);
};

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

const imports = (sealer: Sealer, filter: ImportFilter) => (on: Database) =>
  listImports(on, sealer, filter, { before: null, limit: 50 });

export const operatorQuestions = (partner: string, importId: string, sealer: Sealer): readonly Question[] => {
  const staffId = "stf_00000000000000000000000007";
  return [
    [
      "staff_tokens_hash_key",
      "a staff token's person",
      (on) => createStaffLookup(on)(`ptg_staff_${"x".repeat(40)}`),
    ],
    [
      "staff_sessions_hash_key",
      "a session's person",
      (on) => createSessionLookup(on)(`ptg_session_${"x".repeat(40)}`),
    ],
    ["staff_sessions_by_staff", "a person's sessions", (on) => listSessions(on, staffId)],
    ["staff_sessions_by_end", "old sessions", (on) => deleteOldStaffSessions(on)],
    [
      "staff_invitations_hash_key",
      "an invitation",
      (on) => findOpenInvitation(on, sealer, new Secret("none")),
    ],
    [
      "staff_email_key",
      "a sign-in by email address",
      (on) =>
        signInLocally({ db: on, sealer }, { email: "none@acme.example", password: new Secret(""), code: "" }),
    ],
    [
      "staff_oidc_key",
      "a person of the identity provider",
      (on) => findByOidc(on, "https://id.acme.example", "x7"),
    ],
    ["staff_passkeys_by_staff", "a person's passkeys", (on) => deletePasskeys(on, staffId)],
    ["staff_tokens_by_staff", "a person's tokens", (on) => listStaffTokens(on, staffId)],
    ["staff_pkey", "a page of the staff", (on) => listStaff(on, { after: staffId, limit: 20 })],
    [
      "staff_audit_pkey",
      "a page of the audit log",
      (on) => listStaffAudit(on, { before: 40_000, limit: 50 }),
    ],
    ["staff_audit_by_staff", "what a person did", (on) => listStaffAudit(on, { staffId, limit: 50 })],
    [
      "staff_audit_by_target",
      "what was done to an import",
      (on) => listStaffAudit(on, { targetId: importId, limit: 50 }),
    ],
    ["staff_audit_by_action", "who did it", (on) => listStaffAudit(on, { action: "eraseImport", limit: 50 })],
    ["staff_audit_once_key", "a change with a key", (on) => findByIdempotencyKey(on, staffId, "5")],
    ["staff_audit_by_age", "old entries of the audit log", (on) => deleteOldStaffAudit(on)],
    ["imports_by_status", "imports by status", imports(sealer, { status: "migration_completed" })],
    ["imports_by_source_tool", "imports by source", imports(sealer, { sourceTool: "znuny" })],
    ["imports_by_destination_tool", "imports by destination", imports(sealer, { destinationTool: "znuny" })],
    ["imports_by_family", "imports of a family", imports(sealer, { family: "crm" })],
    ["imports_by_reference", "imports by reference", imports(sealer, { references: ["ws_none"] })],
    [
      "imports_by_username",
      "imports by username, of all partners",
      imports(sealer, { usernames: ["user7"] }),
    ],
    [
      "imports_by_family|imports_pkey",
      "imports of a family since a time",
      imports(sealer, { family: "helpdesk", createdAfter: new Date() }),
    ],
    ["imports_live", "imports with a live run", imports(sealer, { running: true })],
    ["imports_live", "how many imports run", (on) => countLiveImports(on)],
    [
      "open_imports_by_status",
      "open imports by status, for the overview and metrics",
      (on) => countOpenImports(on),
    ],
    ["imports_pkey", "imports by id", imports(sealer, { ids: [importId] })],
    ["outbox_work", "stuck: not dispatched", (on) => findStuck(on)],
    ["imports_live", "stuck: without a run", (on) => findStuck(on)],
    ["imports_undecided", "stuck: no decision", (on) => findStuck(on)],
    ["runs_one_live", "stuck: live runs", (on) => findStuck(on)],
    ["partitions_running|partitions_pkey", "stuck: partitions", (on) => findStuck(on)],
    ["runs_one_live", "whether one import is stuck", (on) => findStuck(on, [importId])],
    ["runs_import_id_number_key", "an import's runs", (on) => listRuns(on, importId)],
    [
      "webhook_deliveries_by_import",
      "an import's deliveries",
      (on) => listDeliveries(on, partner, { after: null, limit: 10, eventId: null, importId }),
    ],
    [
      "webhook_deliveries_(open|lane)",
      "the webhook backlog",
      (on) => listBacklog(on, { behind: false, limit: 50 }),
    ],
    ["webhook_deliveries_(open|lane)", "how many partners are behind", (on) => countBehind(on)],
    ["partitions_running", "work in hand", (on) => countWork(on)],
    ["account_slots_by_use", "accounts of tools", (on) => listAccountHealth(on, { minutes: 60, limit: 100 })],
    ["account_slots_by_use", "metrics: the fullest quotas", (on) => fullestQuotas(on)],
    ["account_slots_by_use", "accounts that were not used for a week", (on) => deleteUnusedAccounts(on)],
    [
      "staff_audit_changes",
      "the audit log of changes",
      (on) => listStaffAudit(on, { changes: true, limit: 50 }),
    ],
    [
      "staff_audit_changes_by_staff",
      "what a person changed",
      (on) => listStaffAudit(on, { changes: true, staffId, limit: 50 }),
    ],
    [
      "staff_audit_by_age",
      "a day of long ago in the audit log",
      (on) => listStaffAudit(on, { since: daysAgo(30), until: daysAgo(20), limit: 50 }),
    ],
    ["webhook_deliveries_open", "how far a partner's webhooks are behind", (on) => countOpen(on, partner)],
  ];
};
