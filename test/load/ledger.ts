// `npm run prove:ledger`: a month of the ledger with fifty million rows. A page is claimed and settled there and, in turn, in a
// month that has just begun: what a record costs PostgreSQL must not grow with the rows. Then the month is detached while
// pages of another one are claimed.
import { noCounts, type Lease } from "../../server/src/features/runs/chunk/lease.ts";
import { takeLease } from "../../server/src/features/runs/chunk/store-lease.ts";
import { claim } from "../../server/src/features/runs/ledger/store-claim.ts";
import { dropLedgerMonths, ledgerLeafOf } from "../../server/src/features/runs/ledger/store-months.ts";
import { settle } from "../../server/src/features/runs/ledger/store-settle.ts";
import { insertRun } from "../../server/src/features/runs/lifecycle/store-runs.ts";
import { type Database, openDatabase } from "../../server/src/platform/db.ts";
import { newId } from "../../server/src/platform/ids.ts";
import { createFixture } from "../support/fixture.ts";
import { givenPartner } from "../support/fixtures.ts";
import { cpuMsOf } from "../support/process-time.ts";
import { prove } from "../support/proof.ts";
import { median } from "../support/statistics.ts";

const times = { leaseMs: 3_600_000, writeMs: 25_000 };
const pageSize = 100;
const rowsPerImport = 1_000;
/** So many imports per statement. */
const importsAtOnce = 500;
const goal = 1.25;

const hash = "00112233445566778899aabbccddeeff";
const monthsAgo = (back: number) => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1));
};
const nameOf = (month: Date) =>
  `ledger_${month.getUTCFullYear()}_${String(month.getUTCMonth() + 1).padStart(2, "0")}`;
const rounded = (value: number) => Math.round(value * 100) / 100;
const sourceId = (number: number) => String(number).padStart(8, "0");

/** Any moment of a month, as a share of it. */
const within = (month: Date, share: number) => {
  const end = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1);
  return Math.floor(month.getTime() + share * (end - month.getTime()));
};

const insertImports = (db: Database, partnerId: string, ids: readonly string[]) =>
  db.pool.query(
    `insert into imports (id, partner_id, source_tool, destination_tool, family, data_key, link_token, status, sponsorship, start_full)
     select id, $1, 'a', 'b', 'helpdesk', '', '', 'migration_in_progress', 'accepted', true from unnest($2::text[]) id`,
    [partnerId, ids],
  );

/** A run that has just begun. */
const startRun = async (db: Database, importId: string, outboxId: number): Promise<Lease> => {
  const leaf = await ledgerLeafOf(db, importId);
  const run = { importId, kind: "full" as const, causes: null, outboxId, leaf, since: null, ...times };
  const {
    send: [chunk],
  } = await insertRun(db, run);
  const lease = chunk && (await takeLease(db, chunk, times));
  if (!lease) throw new Error("The run has no lease.");
  return { ...lease, stream: "tickets" };
};

/** What a copy of one page says to PostgreSQL: every ticket has a target, and half of these have rows. */
const copyPage = async (db: Database, lease: Lease, page: number) => {
  const ids = Array.from({ length: pageSize }, (_, index) => sourceId(page * pageSize + index));
  const targets = ids.map((id, index) => ({ stream: index % 2 === 0 ? "tickets" : "contacts", id }));
  const batch = { ids, hashes: ids.map(() => hash), parents: ids.map(() => ""), targets };
  if (!(await claim(db, lease, batch, times))) throw new Error("The claim was refused.");
  const rows = ids.map((id) => ({
    sourceId: id,
    state: "written" as const,
    destId: `d${id}`,
    sourceHash: hash,
    destHash: hash,
    reason: null,
    detail: null,
    keyGeneration: 1,
    parent: null,
  }));
  const counts = { ...noCounts, read: pageSize, created: pageSize };
  const isSettled = await settle(
    db,
    lease,
    { rows, counts, tallies: {}, cursor: { to: page }, inDoubt: null },
    times,
  );
  if (!isSettled) throw new Error("The settlement was refused.");
};

const fillStatement = (month: string) => `
  insert into ${month} (import_id, stream, source_id, state, key_generation, mapping_revision, run_number, swept, dest_id,
    source_hash, dest_hash)
  select i.id, 'tickets', lpad(n::text, 8, '0'), 1, 1, 1, 1, 1, 'd' || lpad(n::text, 8, '0'), '\\x${hash}'::bytea, '\\x${hash}'::bytea
  from unnest($1::text[]) with ordinality i(id, no) cross join generate_series(0, ${rowsPerImport - 1}) n order by i.no, n`;

interface Cost {
  readonly cpu: number;
  readonly ms: number;
}

await prove("ledger", async (proof) => {
  const imports = Math.max(2, Math.round(proof.size(50_000_000, 20_000) / rowsPerImport));
  const pages = proof.size(100, 40);
  const rounds = proof.size(20, 8);
  const fixture = await createFixture(proof, {
    shared_buffers: proof.scale > 0.1 ? "1GB" : "128MB",
    max_wal_size: "8GB",
    checkpoint_timeout: "15min",
  });
  const { db } = fixture;
  const { partner } = await givenPartner(db);
  const [begun, full] = [monthsAgo(3), monthsAgo(2)];
  const ids = Array.from({ length: imports }, (_, index) => newId("imp", within(full, index / imports)));
  await ledgerLeafOf(db, ids[0] ?? "");

  const openOne = (statementTimeoutMs: number) =>
    openDatabase({
      url: fixture.env["DATABASE_URL"] ?? "",
      poolSize: 1,
      acquireTimeoutMs: 10_000,
      statementTimeoutMs,
      applicationName: "portage proof",
      onConnectionLost: () => {},
    });
  const filler = openOne(1_800_000);
  const fillStarted = performance.now();
  for (let at = 0; at < imports; at += importsAtOnce) {
    const some = ids.slice(at, at + importsAtOnce);
    await insertImports(filler, partner.id, some);
    await filler.pool.query(fillStatement(nameOf(full)), [some]);
    const done = at + some.length;
    if (done % 10_000 < importsAtOnce) proof.say(`${done * rowsPerImport} rows`);
  }
  const fillSeconds = (performance.now() - fillStarted) / 1_000;
  await filler.pool.query(`vacuum analyze ${nameOf(full)}`);
  // By the connection that may take long: counting fifty million rows does.
  const sizeOf = async (month: Date) => {
    const { rows } = await filler.pool.query<{ rows: number; bytes: number }>(
      `select count(*)::float8 as rows, (select sum(pg_total_relation_size(inhrelid)) from pg_inherits
         where inhparent = $1::regclass)::float8 as bytes from ${nameOf(month)}`,
      [nameOf(month)],
    );
    return rows[0] ?? { rows: Number.NaN, bytes: Number.NaN };
  };
  const filled = await sizeOf(full);
  proof.holds("the month is full", filled.rows === imports * rowsPerImport, filled.rows);

  const one = openOne(60_000);
  const { rows: pids } = await one.pool.query<{ pid: number }>("select pg_backend_pid() as pid");
  const backend = pids[0]?.pid ?? 0;
  let outboxId = 0;
  /** A run's first pages, in CPU time of PostgreSQL's process and in time, both in µs per record. */
  const measure = async (importId: string): Promise<Cost> => {
    outboxId += 1;
    const lease = await startRun(one, importId, outboxId);
    const [cpu, at] = [cpuMsOf(backend), performance.now()];
    for (let page = 0; page < pages; page += 1) await copyPage(one, lease, page);
    const records = (pages * pageSize) / 1_000;
    return { cpu: (cpuMsOf(backend) - cpu) / records, ms: (performance.now() - at) / records };
  };
  const measureNew = async (month: Date) => {
    const id = newId("imp", within(month, Math.random()));
    await insertImports(one, partner.id, [id]);
    return measure(id);
  };
  const costs = { begun: [] as Cost[], full: [] as Cost[] };
  const sides = [
    ["begun", begun],
    ["full", full],
  ] as const;
  // The first round prepares statements and does not count.
  for (let round = 0; round <= rounds; round += 1)
    for (const [side, month] of round % 2 === 0 ? sides : sides.toReversed()) {
      const cost = await measureNew(month);
      if (round > 0) costs[side].push(cost);
    }
  const of = (side: "begun" | "full", what: keyof Cost) => median(costs[side].map((cost) => cost[what]));
  const sum = (side: "begun" | "full") => costs[side].reduce((total, { cpu }) => total + cpu, 0);
  const ratio = rounded(sum("full") / sum("begun"));
  proof.aims(
    `claim and settle cost at most ${goal} times as much CPU as in a month that has begun`,
    ratio <= goal,
    {
      ratio,
      begun_us: rounded(of("begun", "cpu")),
      full_us: rounded(of("full", "cpu")),
    },
  );
  const settled = await sizeOf(begun);

  await db.pool.query("update imports set closed = 'archived', closed_at = now() where id < $1", [
    newId("imp", monthsAgo(1).getTime()).slice(0, 14),
  ]);
  const current = newId("imp");
  await insertImports(one, partner.id, [current]);
  const lease = await startRun(one, current, outboxId + 1);
  await dropLedgerMonths(filler, monthsAgo(2));
  let isDropping = true;
  let longestMs = 0;
  const copyOn = async () => {
    for (let page = 0; isDropping; page += 1) {
      const at = performance.now();
      await copyPage(one, lease, page);
      longestMs = Math.max(longestMs, performance.now() - at);
    }
  };
  const copying = copyOn();
  const at = performance.now();
  const dropped = await dropLedgerMonths(filler, monthsAgo(1));
  const dropMs = performance.now() - at;
  isDropping = false;
  await copying;
  proof.holds("the month was detached and dropped, nothing else", dropped.join() === nameOf(full), dropped);
  await filler.close();
  await one.close();
  return {
    rows: filled.rows,
    fill_seconds: Math.round(fillSeconds),
    bytes_per_row: Math.round(filled.bytes / filled.rows),
    bytes_per_row_settled: Math.round(settled.bytes / settled.rows),
    records_per_side: rounds * pages * pageSize,
    cpu_ratio: ratio,
    begun_cpu_us_per_record: rounded(of("begun", "cpu")),
    full_cpu_us_per_record: rounded(of("full", "cpu")),
    begun_us_per_record: rounded(of("begun", "ms")),
    full_us_per_record: rounded(of("full", "ms")),
    detach_ms: Math.round(dropMs),
    longest_page_meanwhile_ms: Math.round(longestMs),
  };
});
