import pg from "pg";
import { ensureLedgerMonth } from "../../../server/src/features/runs/ledger/store-months.ts";
import type { Database } from "../../../server/src/platform/db.ts";
import { newId } from "../../../server/src/platform/ids.ts";
import type { Sealer } from "../../../server/src/platform/seal.ts";
import { Secret } from "../../../server/src/platform/secret.ts";

/** How many rows an installation has. */
export interface Volume {
  readonly imports: number;
  readonly ledger: number;
  readonly partners: number;
  readonly staff: number;
  readonly staffAudit: number;
  readonly accounts: number;
}

const dayMs = 86_400_000;
const year = 365;

/** Two at a time: one connection waits for the disk while the other computes. */
const inTurns = async (url: string, statements: readonly string[]) => {
  const left = [...statements];
  const work = async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      // No foreign key is looked up and no trigger runs: what is inserted fits together as it is.
      await client.query("set session_replication_role = replica");
      await client.query("set synchronous_commit = off");
      for (let next = left.shift(); next !== undefined; next = left.shift()) await client.query(next);
    } finally {
      await client.end();
    }
  };
  await Promise.all([work(), work()]);
};

const partnersOf = ({ partners }: Volume) => [
  `insert into partners (id, name, destination_tool, created_at)
   select 'prt_' || lpad(n::text, 26, '0'), 'Partner ' || n,
     (array['redmine', 'zendesk', 'freshdesk'])[n % 3 + 1], now() - interval '400 days' from generate_series(1, ${partners}) n`,
  `insert into api_tokens (id, partner_id, hash, label, last_characters, revoked_at)
   select 'tok_' || lpad(n::text, 26, '0'), 'prt_' || lpad((n % ${partners} + 1)::text, 26, '0'), sha256(n::text::bytea),
     'server', 'abcd', case when n % 4 = 0 then now() end from generate_series(1, ${partners * 4}) n`,
  // Every fortieth endpoint is disabled: its events are held.
  `insert into webhook_targets (partner_id, url, secret, disabled_at, disabled_because, failing_since)
   select 'prt_' || lpad(n::text, 26, '0'), 'https://hooks.acme.example/' || n, '', case when n % 40 = 0 then now() - interval '2 days' end,
     case when n % 40 = 0 then 'no_success' end, case when n % 20 = 0 then now() - interval '3 days' end
   from generate_series(1, ${partners}) n`,
];

const pick = (name: string, shares: Readonly<Record<string, number>>) => {
  let sum = 0;
  const cases = Object.entries(shares).map(([value, share]) => {
    sum += share;
    return `when ${name} < ${sum} then '${value}'`;
  });
  return `case ${cases.join(" ")} end`;
};

/** Most imports are of few partners; those older than 90 days are closed, but for some. */
const importRows = ({ partners }: Volume) => `
  insert into imports (id, partner_id, source_tool, destination_tool, family, reference, destination_username, username_key,
    data_key, link_token, status, sponsorship, start_full, asked, source_connected, destination_connected, sample_copy,
    full_copy, live_run, closed, closed_at, active_at, created_at, items, source_people, findings, audit_seq)
  select id, 'prt_' || lpad((floor(${partners} * r1 * r1 * r1)::int + 1)::text, 26, '0'), tool,
    (array['redmine', 'zendesk', 'freshdesk'])[(floor(${partners} * r1 * r1 * r1)::int + 1) % 3 + 1], family,
    case when r2 < 0.8 then 'ws_' || n end, 'user' || n || '@acme.example', 'user' || n || '@acme.example', data_key, link_token, status,
    case when status in ('collecting_credentials', 'waiting_for_sample', 'sample_in_progress', 'sample_completed')
      then 'undecided' else 'accepted' end, false,
    status <> 'sample_completed' or r3 < 0.03, status <> 'collecting_credentials', status <> 'collecting_credentials',
    case when status in ('collecting_credentials', 'waiting_for_sample', 'sample_in_progress') then 'none' else 'all' end,
    case when status in ('migration_completed', 'migration_cleaned', 'undo_in_progress') then 'all' else 'none' end,
    case when closed is not null then null when status = 'sample_in_progress' then 'sample' when status = 'migration_in_progress' then 'full'
      when status = 'undo_in_progress' then 'undo' end,
    closed, case when closed is not null then least(at + interval '20 days', now()) end,
    least(at + r4 * interval '20 days', now()), at,
    '{"tickets": 400, "comments": 2100, "users": 90}', 90,
    case when status = 'migration_completed' and r4 < 0.3 then
      '[{"stream": "tickets", "kind": "failed", "code": "invalid_record", "count": 3, "examples": ["17", "21"]}]'::jsonb else '[]' end, 5
  from (
    select *, case when closed is null then ${pick("r5", {
      collecting_credentials: 0.35,
      waiting_for_sample: 0.05,
      sample_in_progress: 0.005,
      sample_completed: 0.2,
      in_preparation: 0.02,
      migration_in_progress: 0.015,
      undo_in_progress: 0.0005,
      migration_completed: 0.3395,
      migration_cleaned: 0.02,
    })} else ${pick("r5", {
      collecting_credentials: 0.15,
      sample_completed: 0.1,
      migration_completed: 0.7,
      migration_cleaned: 0.05,
    })} end as status
    from (
      select *, case when at < now() - interval '90 days' and r6 < 0.97 or r6 < 0.35 then
          case when r2 < 0.85 then 'archived' else 'cancelled' end end as closed,
        ${pick("r3", { zendesk: 0.4, freshdesk: 0.25, "request-tracker": 0.15, znuny: 0.1, intercom: 0.07, redmine: 0.03 })} as tool,
        ${pick("r4", { helpdesk: 0.85, projects: 0.08, crm: 0.05, content: 0.02 })} as family
      from (
        select *, random() as r1, random() as r2, random() as r3, random() as r4, random() as r5, random() as r6
        from unnest($1::text[], $2::bytea[], $3::bytea[], $4::timestamptz[], $5::int[]) as given (id, data_key, link_token, at, n)
        offset 0) drawn offset 0) dated offset 0) made`;

const batch = 10_000;

/** Younger ones are sealed for real, since a list opens the link of every import that it shows; older ones are as erasure leaves them. */
const sealedDays = 100;

const insertImports = async (db: Database, sealer: Sealer, volume: Volume) => {
  const { imports } = volume;
  const token = new Secret("x".repeat(43));
  const first = Date.now() - year * dayMs;
  const stepMs = (year * dayMs) / imports;
  const statement = importRows(volume);
  for (let from = 0; from < imports; from += batch) {
    const numbers = Array.from({ length: Math.min(batch, imports - from) }, (_, index) => from + index);
    const times = numbers.map((n) => new Date(first + n * stepMs));
    const ids = times.map((at) => newId("imp", at.getTime()));
    const isOld = (times[0]?.getTime() ?? 0) < Date.now() - sealedDays * dayMs;
    const keys = ids.map((id) => (isOld ? Buffer.alloc(0) : sealer.newDataKey(id)));
    const links = ids.map((id, index) =>
      isOld ? Buffer.alloc(0) : sealer.seal(id, keys[index] as Buffer, "link-token", token),
    );
    await db.pool.query(statement, [ids, keys, links, times, numbers]);
  }
};

const began = `i.status not in ('collecting_credentials', 'waiting_for_sample')`;
const copied = `i.status in ('migration_in_progress', 'migration_completed', 'migration_cleaned', 'undo_in_progress')`;
const runId = "'run_' || substr(i.id, 5, 25) || k.number";
const random = (text: string) => `(hashtext(${text})::bigint + 2147483648) / 4294967296.0`;

/** The live one is the last; one in twenty of them waits for a sign-in, one in fifty was refused, one in two hundred is missing. */
const runsOf = () => [
  `insert into runs (id, import_id, number, kind, outbox_id, state, wanted, waiting_for, waiting_since, refusals, ledger_leaf,
     started_at, ended_at)
   select ${runId}, i.id, k.number, k.kind, row_number() over () * 10, case when not live then 'done' when draw < 0.05 then 'waiting' else 'running' end,
     case when live and draw between 0.05 and 0.07 then 'pause' else 'run' end, case when live and draw < 0.05 then 'source' end,
     case when live and draw < 0.05 then now() - draw * interval '40 days' end,
     case when live and draw between 0.05 and 0.07 then '{"stream": "tickets"}'::jsonb end, 'ledger', i.created_at + k.number * interval '1 day',
     case when not live then i.created_at + k.number * interval '1 day' + interval '3 hours' end
   from imports i
   cross join lateral (values (1, 'sample', ${began}), (2, 'full', ${copied}), (3, 'delta', ${copied} and i.live_run is null and ${random("i.id")} < 0.2),
     (4, 'undo', i.status = 'undo_in_progress')) k (number, kind, there)
   cross join lateral (select coalesce(i.live_run = k.kind, false) as live, ${random("i.id || 'r'")} as draw) l
   where k.there and not (live and draw > 0.995)`,
];

const partitionsOf = () => [
  `insert into partitions (run_id, no, import_id, step, task, stream, state, cursor, due_at, failures, failing_since, expected, read, created,
     failed, tallies, started_at, ended_at, mark_at)
   select r.id, p.no, r.import_id, p.no, p.task, p.stream, case when r.ended_at is not null then 'done' when p.no = 1 then 'running'
       when p.no = 0 then 'done' else 'waiting' end, '{"after": "10423"}',
     case when live then now() + (case when draw < 0.02 then -1 else 1 end) * interval '20 minutes' end,
     case when live and draw between 0.02 and 0.05 then 9 else 0 end,
     case when live and draw between 0.02 and 0.05 then now() - interval '1 hour' end, 2600, 2600, 2590, 3,
     case when p.task = 'copy' then '{"failed": {"invalid_record": {"count": 3, "examples": ["17", "21"]}}}'::jsonb else '{}' end,
     r.started_at, r.ended_at, case when live then now() - interval '2 minutes' end
   from runs r cross join (values (0, 'prepare', ''), (1, 'copy', 'tickets'), (2, 'copy', 'comments'), (3, 'verify', 'tickets')) p (no, task, stream)
   cross join lateral (select r.ended_at is null and p.no = 1 as live, ${random("r.id")} as draw) l`,
];

const historyOf = (volume: Volume) => [
  `insert into audit (import_id, seq, event, from_status, to_status, actor, at)
   select i.id, k, jsonb_build_object('type', (array['created', 'connected', 'connected', 'sample_started', 'run_done'])[k]),
     'collecting_credentials', i.status, 'customer', i.created_at + k * interval '1 hour'
   from imports i cross join generate_series(1, 5) k`,
  `insert into import_warnings (import_id, code, message, count) select i.id, 'fields_left_out', 'Two fields have no place.', 2
   from imports i where ${random("i.id || 'w'")} < 0.2`,
  `insert into connections (import_id, side, tool, state, settings, account_id, account_name, sign_in_name)
   select i.id, side, case when side = 'source' then i.source_tool else i.destination_tool end, 'disconnected', null, 'a' || hashtext(i.id), 'Acme', 'jo'
   from imports i cross join unnest(array['source', 'destination']) side where i.source_connected and i.created_at > now() - interval '120 days'`,
  `insert into outbox (import_id, effect, created_at, dispatched_at)
   select i.id, case when k % 2 = 0 then '{"kind": "start_run"}' else '{"kind": "notify"}' end::jsonb, i.created_at + k * interval '1 day',
     case when ${random("i.id || 'o'")} > 0.0002 then i.created_at + k * interval '1 day' end
   from imports i cross join generate_series(1, 4) k where i.created_at > now() - interval '31 days'`,
  // Deliveries are kept for 30 days; those of disabled endpoints are held.
  `with made as (
     insert into events (id, partner_id, import_id, type, status, created_at)
     select 'evt_' || substr(i.id, 5, 25) || k, i.partner_id, i.id, 'import.status_changed', i.status, i.created_at + k * interval '1 hour'
     from imports i cross join generate_series(1, 6) k where i.created_at > now() - interval '31 days'
     returning id, partner_id, import_id, seq, created_at),
   sent as (
     insert into webhook_deliveries (event_id, partner_id, import_id, type, seq, lane, state, created_at, ended_at)
     select m.id, m.partner_id, m.import_id, 'import.status_changed', m.seq, m.import_id,
       case when t.disabled_at is not null then 'held' when ${random("m.id")} < 0.005 then 'failed' else 'delivered' end, m.created_at,
       case when t.disabled_at is null then m.created_at end
     from made m join webhook_targets t on t.partner_id = m.partner_id returning event_id, state, created_at)
   insert into webhook_attempts (event_id, generation, at, status, duration_ms)
   select event_id, n, created_at, case when state = 'delivered' then 200 else 503 end, 80 from sent cross join generate_series(1, 2) n
   where state <> 'held' and (n = 1 or ${random("event_id")} < 0.1)`,
  // Of each endpoint that fails, the newest events wait for their next attempt.
  `update webhook_deliveries d set state = 'waiting', due_at = now() + interval '5 minutes', ended_at = null
   from (select max(w.event_id) as event_id from webhook_deliveries w join webhook_targets t on t.partner_id = w.partner_id
         where t.failing_since is not null and t.disabled_at is null and w.import_id is not null group by w.lane) newest
   where d.event_id = newest.event_id`,
  `insert into staff (id, name, email, role) select 'stf_' || lpad(n::text, 26, '0'), 'Jo ' || n, n || '@portage.example',
     (array['viewer', 'operator', 'admin'])[n % 3 + 1] from generate_series(1, ${volume.staff}) n`,
  `insert into staff_sessions (id, staff_id, hash, signed_in_by, address, expires_at, idle_at)
   select 'sts_' || lpad(n::text, 26, '0'), 'stf_' || lpad((n % ${volume.staff} + 1)::text, 26, '0'), sha256(n::text::bytea), 'local', '10.0.0.1',
     now() - n * interval '1 hour', now() - n * interval '1 hour' from generate_series(1, ${volume.staff * 50}) n`,
  `insert into silence_checks (token, import_id, run_id, no, deadline, written_at, records)
   select 'token-' || i.id, i.id, 'run_' || substr(i.id, 5, 25) || '2', 1, i.created_at, i.created_at, 1 from imports i
   where ${copied} and ${random("i.id || 's'")} < 0.2`,
  `insert into destination_fields (import_id, stream, source_key, tool, account_id, mark, state, deadline)
   select i.id, 'tickets', 'f' || k, i.destination_tool, 'a' || hashtext(i.id), 'm' || k, 'created', i.created_at
   from imports i cross join generate_series(1, 2) k where ${copied} and ${random("i.id || 'f'")} < 0.1`,
  // One call in three hundred is a change.
  `insert into staff_audit (staff_id, role, action, changes, target, target_id, request_id, outcome, at, reason, before, after)
   select 'stf_' || lpad((n % ${volume.staff} + 1)::text, 26, '0'), 'operator',
     case when n % 300 = 0 then (array['pauseImport', 'resumeImport', 'retryImport', 'setWebhook'])[n / 300 % 4 + 1]
       else (array['showOverview', 'listImports', 'showImport', 'listTools', 'listWorkers', 'showPartner'])[n % 6 + 1] end,
     n % 300 = 0, case when n % 3 = 0 then 'import' end, case when n % 3 = 0 then i.ids[1 + n % 5000] end,
     'req-' || n, 'done', now() - (${volume.staffAudit} - n) * (interval '400 days' / ${volume.staffAudit}),
     case when n % 300 = 0 then 'ticket 4711' end, case when n % 300 = 0 then '{"status": "a"}'::jsonb end,
     case when n % 300 = 0 then '{"status": "b"}'::jsonb end
   from generate_series(1, ${volume.staffAudit}) n,
     (select array_agg(id) as ids from (select id from imports order by id desc limit 5000) newest) i`,
];

const moneyOf = () => [
  `insert into price_books (id, partner_id, currency, packages, counts, quote_days, refund_days, created_by)
   select 'book_' || lpad(n::text, 26, '0'), case when n > 1 then 'prt_' || lpad(n::text, 26, '0') end, 'usd',
     '[{"id": "s", "name": "Small", "upToRecords": null, "amount": 9900}]', '{}', 30, 14, 'operator' from generate_series(1, 20) n`,
  `insert into quotes (id, import_id, price_book_id, records, package, amount, currency, valid_until)
   select 'quo_' || substr(i.id, 5), i.id, 'book_' || lpad('1', 26, '0'), 2600, '{"id": "s", "name": "Small", "upToRecords": null, "amount": 9900}', 9900, 'usd', i.created_at
   from imports i where ${copied} and ${random("i.id || 'm'")} < 0.4`,
  `insert into checkouts (id, import_id, quote_id, amount, currency, provider, reference, state, paid_at, created_at)
   select 'chk_' || substr(q.import_id, 5), q.import_id, q.id, q.amount, 'usd', 'manual', q.id, 'paid', q.valid_until, q.valid_until from quotes q`,
  `insert into refunds (id, checkout_id, import_id, amount, reason, state, done_at, created_at)
   select 'ref_' || substr(c.import_id, 5), c.id, c.import_id, c.amount, 'undone', case when hashtext(c.id) % 50 = 0 then 'failed' else 'done' end,
     case when hashtext(c.id) % 50 <> 0 then c.created_at end, c.created_at from checkouts c where ${random("c.id")} < 0.05`,
  `insert into disputes (provider, reference, checkout_id, import_id, state, reason, amount, currency, opened_at)
   select 'manual', c.id, c.id, c.import_id, (array['open', 'won', 'lost'])[abs(hashtext(c.id)) % 3 + 1], 'fraudulent', c.amount, 'usd', c.created_at
   from checkouts c where ${random("c.id || 'd'")} < 0.01`,
  `insert into money_postings (kind, reference, import_id, actor, at)
   select 'paid', 'paid:' || c.id, c.import_id, '{"kind": "operator"}', c.created_at from checkouts c`,
  `insert into money_entries (posting_id, import_id, partner_id, account, amount, currency, at)
   select p.id, p.import_id, i.partner_id, line.account, line.amount, 'usd', p.at from money_postings p join imports i on i.id = p.import_id,
     (values ('customer_paid', 9900), ('at_provider', -9900)) line (account, amount)`,
  `insert into sponsor_decisions (import_id, partner_id, decision, actor, rule, cost, currency, at)
   select i.id, i.partner_id, 'accepted', '{"kind": "operator"}', 'small', 9900, 'usd', i.created_at from imports i
   where ${copied} and ${random("i.id || 'm'")} > 0.9`,
];

/** The accounts of a week: what the workers share about each, as large as it is with two limits and a minute of use. */
const accountsOf = ({ accounts }: Volume) => {
  const limit = {
    requests: 400,
    perMs: 60_000,
    declared: 400,
    told: true,
    nextAt: 0,
    waitedSince: null,
    countedUntil: 0,
    raise: { at: 0, step: 1, waitMs: 60_000, trial: null },
  };
  const now = Date.now();
  const use = Array.from({ length: 40 }, (_, index) => [
    Math.floor((now - (40 - index) * 1_500) / 250) * 250,
    3,
  ]).flat();
  const state = {
    shape: 2,
    atMs: now,
    limits: { minute: limit, hour: { ...limit, requests: 20_000, perMs: 3_600_000 } },
    spare: {},
    pausedUntil: 0,
    usage: use,
    usageBy: {},
    refused: null,
    settledMs: 0,
    silentRefusals: 0,
    quotas: {},
    latencyMs: 120,
    circuit: null,
    members: {},
  };
  return [
    `insert into account_slots (tool, account_id, version, changed_from, state, changed_at)
     select (array['zendesk', 'freshdesk', 'request-tracker', 'znuny', 'redmine'])[n % 5 + 1], 'https://acme' || n || '.example', 2, 1,
       '${JSON.stringify(state)}'::json, clock_timestamp() - n * (interval '7 days' / ${accounts}) from generate_series(1, ${accounts}) n`,
  ];
};

/** In the order of ids, so that the rows of an import are neighbours. Three sizes: most imports are small. */
const ledgerOf = (months: readonly { name: string; from: string; to: string }[], factor: number) =>
  months.map(
    ({ name, from, to }) => `
    insert into ${name} (import_id, stream, source_id, state, key_generation, mapping_revision, run_number, swept, dest_id, source_hash,
      dest_hash, reason)
    select i.id, 'tickets', lpad(n::text, 8, '0'), s.state, 2, 1, 2, 2, case when s.state < 3 then 'd' || n end,
      '\\x00112233445566778899aabbccddeeff'::bytea, '\\x00112233445566778899aabbccddeeff'::bytea,
      case when s.state = 4 then 'invalid_record' when s.state = 3 then 'parent_missing' end
    from (select id, row_number() over (order by id) as no from imports i where ${copied} and id >= '${from}' and id < '${to}') i
    cross join lateral generate_series(1, greatest(1, (${factor} * case when i.no % 10000 = 5000 then 100000
      when i.no % 100 = 50 then 2000 else 54 end)::int)) n
    cross join lateral (select case when n % 900 = 0 then 4 when n % 700 = 0 then 3 when n % 50 = 0 then 2 else 1 end as state) s
    order by i.no, n`,
  );

const ledgerMonths = async (db: Database) => {
  const now = new Date();
  const months = Array.from(
    { length: 13 },
    (_, back) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)),
  );
  for (const month of months) await ensureLedgerMonth(db, month);
  return months.map((month) => ({
    name: `ledger_${month.getUTCFullYear()}_${String(month.getUTCMonth() + 1).padStart(2, "0")}`,
    from: newId("imp", month.getTime()).slice(0, 14),
    to: newId("imp", Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1)).slice(0, 14),
  }));
};

/** Fills an empty database as a busy year leaves it, by the rules that the server follows; says how long each part took. */
export const fillInstallation = async (
  db: Database,
  url: string,
  sealer: Sealer,
  volume: Volume,
  say: (line: string) => void,
): Promise<void> => {
  const part = async (what: string, work: () => Promise<unknown>) => {
    const started = performance.now();
    await work();
    say(`filled ${what} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  };
  await part("partners", () => inTurns(url, partnersOf(volume)));
  await part(`${volume.imports} imports`, () => insertImports(db, sealer, volume));
  await db.pool.query("vacuum analyze imports");
  const { rows } = await db.pool.query<{ rows: number }>(
    `select coalesce(sum(case when no % 10000 = 5000 then 100000 when no % 100 = 50 then 2000 else 54 end), 1)::float8 as rows
     from (select row_number() over (order by id) as no from imports i where ${copied}) i`,
  );
  const factor = volume.ledger / (rows[0]?.rows ?? 1);
  const months = await ledgerMonths(db);
  await part("runs", () => inTurns(url, runsOf()));
  await part("partitions and accounts", () => inTurns(url, [...partitionsOf(), ...accountsOf(volume)]));
  // One after the other: each reads what the one before wrote.
  const [, ...rest] = historyOf(volume);
  await part("history", async () => {
    const [audit = ""] = historyOf(volume);
    const others = (async () => {
      for (const statement of rest) await inTurns(url, [statement]);
    })();
    await Promise.all([inTurns(url, [audit]), others]);
  });
  await part("money", async () => {
    for (const statement of moneyOf()) await inTurns(url, [statement]);
  });
  await part("the ledger", () => inTurns(url, ledgerOf(months, factor)));
  const { rows: tables } = await db.pool.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
     order by pg_total_relation_size(oid) desc`,
  );
  await part("the visibility map and statistics (vacuum analyze)", () =>
    inTurns(
      url,
      tables.map(({ name }) => `vacuum (analyze) ${name}`),
    ),
  );
};
