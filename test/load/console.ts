// `npm run prove:console`: the console of a busy installation. PostgreSQL holds a million imports and fifty million rows of the
// ledger; twenty people walk through every page at once, by two API processes. Every page's data is there within 300 ms
// (p95), and no statement reads a growing table from beginning to end.
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { insertStaff, issueStaffToken } from "../../server/src/features/staff/index.ts";
import { operatorBase } from "../../server/src/http/operator/base.ts";
import { operatorRoutes } from "../../server/src/http/operator/index.ts";
import { readPart } from "../../server/src/main/config.ts";
import { newId } from "../../server/src/platform/ids.ts";
import { createSealer } from "../../server/src/platform/seal.ts";
import { createFixture } from "../support/fixture.ts";
import { testRegistry, testWebFolder } from "../support/fixtures.ts";
import { freePort } from "../support/free-port.ts";
import { prove } from "../support/proof.ts";
import { percentile } from "../support/statistics.ts";
import { fillInstallation } from "./console/fill.ts";
import { consolePages, drawSamples, type ConsolePage } from "./console/pages.ts";
import { logMark, readPlans } from "./console/plans.ts";

const boundMs = 300;
const operators = 20;
/** A person looks at a page for at least as long; on average. */
const pauseMs = 1_000;
/** How often each person walks through all of them. */
const rounds = 3;

/** As few rows as an operator has partners, tools, people, keys or servers: they do not grow with the work. */
const smallTables = new Set([
  "partners",
  "webhook_targets",
  "tool_settings",
  "staff",
  "staff_tokens",
  "staff_passwords",
  "price_books",
  "sponsor_rules",
  "oauth_clients",
  "database_servers",
  "key_checks",
  "last_retention",
  "schema_migrations",
  "request_ring",
]);

/** In CI the tables are small, and only an index that can't serve leaves a scan. */
const withoutScans = "-c enable_seqscan=off -c enable_bitmapscan=off";

interface Visit {
  readonly page: string;
  readonly ms: number;
}

interface Walker {
  readonly origin: string;
  readonly token: string;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
const round = (ms: number) => Math.round(ms * 10) / 10;
const p95 = (times: readonly number[]) =>
  round(
    percentile(
      times.toSorted((a, b) => a - b),
      0.95,
    ),
  );

await prove("console", async (proof) => {
  // Large enough that the planner would scan if it had to, and that time means something.
  const isLarge = proof.scale >= 0.1;
  const volume = {
    imports: proof.size(1_000_000, 3_000),
    ledger: proof.size(50_000_000, 50_000),
    partners: proof.size(300, 120),
    staff: 40,
    staffAudit: proof.size(3_000_000, 5_000),
    accounts: proof.size(20_000, 500),
  };
  const fixture = await createFixture(
    proof,
    {
      shared_preload_libraries: "auto_explain",
      "auto_explain.log_format": "json",
      "auto_explain.log_analyze": "on",
      "auto_explain.log_timing": "off",
      log_line_prefix: logMark,
      shared_buffers: isLarge ? "2GB" : "128MB",
      max_wal_size: "16GB",
      checkpoint_timeout: "30min",
      maintenance_work_mem: "512MB",
    },
    async (url) => (isLarge ? url : `${url}?options=${encodeURIComponent(withoutScans)}`),
  );
  const { db, postgres } = fixture;
  const sealer = createSealer(readPart(["PORTAGE_KEYS"], fixture.env).PORTAGE_KEYS);
  await fillInstallation(db, postgres.url, sealer, volume, proof.say);
  const { rows: counted } = await db.pool.query<{ imports: number; ledger: number; bytes: number }>(
    `select (select count(*) from imports)::float8 as imports, (select count(*) from ledger)::float8 as ledger,
       pg_database_size(current_database())::float8 as bytes`,
  );
  const size = {
    imports: counted[0]?.imports ?? 0,
    ledgerRows: counted[0]?.ledger ?? 0,
    databaseGb: Math.round((counted[0]?.bytes ?? 0) / 1e8) / 10,
  };
  proof.say(`${size.imports} imports, ${size.ledgerRows} rows of the ledger, ${size.databaseGb} GB`);

  const origins: string[] = [];
  for (let index = 0; index < 2; index += 1) {
    const port = await freePort();
    await fixture.startApi({
      env: {
        PORT: String(await freePort()),
        OPERATOR_PORT: String(port),
        OPERATOR_HOST: "127.0.0.1",
        WEB_FOLDER: testWebFolder,
      },
      logFile: join(dirname(postgres.data), `api-${index}.log`),
    });
    origins.push(`http://127.0.0.1:${port}`);
  }
  const walkers: Walker[] = [];
  for (let index = 0; index < operators; index += 1) {
    const id = newId("stf");
    await insertStaff(db, id, { name: `Operator ${index}`, email: `${id}@acme.example`, role: "admin" });
    const { token } = await issueStaffToken(db, id, { label: "proof", role: "admin", areas: null, days: 1 });
    walkers.push({ origin: origins[index % origins.length] ?? "", token: token.reveal() });
  }
  const samples = await drawSamples(db);

  const failed: string[] = [];
  const asked = new Set<string>();
  const ask = async ({ origin, token }: Walker, path: string) => {
    asked.add(path.replace(/\?.*/, ""));
    const answer = await fetch(`${origin}${operatorBase}${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const text = await answer.text();
    if (answer.status !== 200) failed.push(`${answer.status} ${path}: ${text.slice(0, 200)}`);
    return text;
  };
  const draw = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)] as T;
  const nextOf = (path: string, text: string) => {
    const { next = null } = JSON.parse(text) as { next?: string | null };
    if (next === null) return null;
    const url = new URL(path, "http://x");
    url.searchParams.set(/^\/(partners|staff)/.test(path) ? "after" : "before", next);
    return `${url.pathname}${url.search}`;
  };
  /** The page and the further ones of its list, each as a visit of its own. */
  const open = async (walker: Walker, page: ConsolePage, pause: () => Promise<unknown>) => {
    const visits: Visit[] = [];
    let paths: readonly string[] = page.calls(samples, draw);
    for (let turned = 0; turned <= (page.further ?? 0); turned += 1) {
      const started = performance.now();
      const texts = await Promise.all(paths.map((path) => ask(walker, path)));
      visits.push({ page: page.name, ms: performance.now() - started });
      await pause();
      const next = page.further ? nextOf(paths[0] ?? "", texts[0] ?? "{}") : null;
      if (next === null) break;
      paths = [next];
    }
    return visits;
  };

  // Plans first: they also warm what an installation that is looked at has in its memory.
  const log = join(dirname(postgres.data), "log");
  const before = statSync(log).size;
  const explain = async (isOn: boolean) => {
    await db.pool.query(`alter system set auto_explain.log_min_duration = ${isOn ? 0 : -1}`);
    await db.pool.query("select pg_reload_conf()");
    await sleep(1_000);
  };
  /** All of them share the pages, each as fast as one person's requests are accepted. */
  const shareOut = () =>
    Promise.all(
      walkers.map(async (walker, index) => {
        const visits: Visit[] = [];
        for (const page of consolePages.filter((_, no) => no % operators === index))
          visits.push(...(await open(walker, page, () => sleep(500))));
        return visits;
      }),
    );
  await explain(true);
  await shareOut();
  await explain(false);
  const plans = readPlans(log, before);
  const scans = new Map<string, string>();
  for (const { scanned, text } of plans)
    for (const table of scanned)
      if (!smallTables.has(table) && !table.startsWith("pg_"))
        scans.set(`${table}: ${text.slice(0, 160)}`, text);
  proof.holds("statements were explained", plans.length > consolePages.length, plans.length);
  proof.holds("no statement scans a table that grows", scans.size === 0, [...scans.keys()]);
  // A whole index can be read as well: at most the open imports, which the overview counts, are as many.
  const most = isLarge ? 400_000 : 3_000;
  const heavy = plans.filter(({ touched }) => touched > most).map(({ text }) => text.slice(0, 160));
  proof.holds(`no statement touches more than ${most} rows`, heavy.length === 0, [...new Set(heavy)]);
  const heaviest = new Map<string, { touched: number; ms: number }>();
  for (const { text, touched, ms } of plans) {
    const known = heaviest.get(text);
    heaviest.set(text, { touched: Math.max(touched, known?.touched ?? 0), ms: Math.max(ms, known?.ms ?? 0) });
  }
  for (const [text, { touched, ms }] of [...heaviest].toSorted((a, b) => b[1].ms - a[1].ms).slice(0, 15))
    proof.say(`${round(ms)} ms, ${touched} rows touched: ${text.slice(0, 400)}`);

  const visits: Visit[] = [];
  const bareQuery: number[] = [];
  const bareCall: number[] = [];
  let isWalking = true;
  /** What the machine gives at this moment: one row by its key, and an answer without the database. */
  const calibrate = async () => {
    while (isWalking) {
      const started = performance.now();
      await db.pool.query("select id from imports where id = $1", [draw(samples.imports)]);
      bareQuery.push(performance.now() - started);
      const called = performance.now();
      await (await fetch(`${draw(origins)}/healthz`)).arrayBuffer();
      bareCall.push(performance.now() - called);
      await sleep(50);
    }
  };
  const calibrating = calibrate();
  const pause = () => sleep(pauseMs * (0.5 + Math.random()));
  if (!isLarge) visits.push(...(await shareOut()).flat());
  else
    await Promise.all(
      walkers.map(async (walker) => {
        for (let turn = 0; turn < rounds; turn += 1)
          for (const page of consolePages.toSorted(() => Math.random() - 0.5))
            visits.push(...(await open(walker, page, pause)));
      }),
    );
  isWalking = false;
  await calibrating;

  proof.holds("every call is answered", failed.length === 0, failed.slice(0, 10));
  const reads = operatorRoutes({
    sealer,
    registry: testRegistry(),
    publicUrl: "",
    operatorUrl: "",
    webhookAllow: [],
    signInFailuresPerMinute: 1,
    signer: { sign: () => "", verify: () => false } as never,
    openSide: async () => ({ kind: "missing" }),
    destinationStreams: async () => [],
  }).flatMap(({ operation: { method, path } }) => (method === "GET" ? [path] : []));
  const missing = reads.filter((path) => {
    const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`);
    return ![...asked].some((each) => pattern.test(each));
  });
  proof.holds("every read of the operator API was made", missing.length === 0, missing);

  const calibration = { queryP95: p95(bareQuery), callP95: p95(bareCall) };
  proof.say(`bare query p95 ${calibration.queryP95} ms, bare call p95 ${calibration.callP95} ms`);
  const byPage = consolePages
    .map(({ name }) => {
      const times = visits.filter(({ page }) => page === name).map(({ ms }) => ms);
      return {
        name,
        visits: times.length,
        mean: round(sum(times) / times.length),
        p95: p95(times),
        max: round(Math.max(...times)),
      };
    })
    .toSorted((a, b) => b.p95 - a.p95);
  for (const { name, visits: count, mean, p95: high, max } of byPage)
    proof.say(
      `${name}: p95 ${high} ms (${round(high / calibration.callP95)} × a bare call), mean ${mean}, max ${max}, ${count} visits`,
    );
  const slow = byPage.filter(({ p95: high }) => !(high < boundMs));
  proof.aims(
    `every page's data is there within ${boundMs} ms (p95)`,
    slow.length === 0,
    slow.map(({ name, p95: high }) => `${name} ${high}`),
  );
  return {
    ...size,
    operators,
    pages: byPage.length,
    visits: visits.length,
    explained: plans.length,
    ...calibration,
    slowest: byPage
      .slice(0, 5)
      .map(({ name, p95: high }) => ({ name, p95: high, ratio: round(high / calibration.callP95) })),
    overallP95: p95(visits.map(({ ms }) => ms)),
  };
});
