// `npm run prove:million`: a million records in one run. Measures memory, CPU time, journal, WAL and tables.
// --profile: the worker writes its CPU profile beside its logs.
import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Database } from "../../server/src/platform/db.ts";
import { workerFlags } from "../../server/src/main/worker-flags.ts";
import { comparableStandIn } from "../chaos/destination.ts";
import { compareSides, judgeReport } from "../chaos/judge.ts";
import { cpuMsOf } from "../support/process-time.ts";
import { type Proof, prove } from "../support/proof.ts";
import { startRestate } from "../support/restate-process.ts";
import { type ReadyImport, createRunFixture, untilCompleted } from "../support/run-fixture.ts";
import { startStandInProcess } from "../support/stand-in-process.ts";
import { forgetPeak, residentBytes } from "./memory/process-memory.ts";

const mb = 1_000_000;
const maxOverIdleMb = 150;
const partitions = 8;
const longestMs = 3_600_000;

const { values } = parseArgs({ options: { profile: { type: "boolean" } }, strict: false });
const logs = join(import.meta.dirname, "../../artifacts/million");
const profiling = values["profile"] ? ["--cpu-prof", `--cpu-prof-dir=${logs}`] : [];

const env = {
  STAND_IN_PAGE_SIZE: "100",
  STAND_IN_BATCH_SIZE: "100",
  RUN_PARTITIONS: String(partitions),
};

const rounded = (value: number) => Math.round(value * 100) / 100;

const startTool = async (proof: Proof, tickets: number) => {
  const counts = { users: 20, groups: 5, tickets };
  const tool = await startStandInProcess({ counts, lean: true, hostile: false, largeText: 0 });
  proof.afterwards(() => tool.stop());
  return tool;
};

const folderBytes = (folder: string) =>
  globSync("**", { cwd: folder }).reduce((sum, file) => {
    // Restate creates and deletes files while it works.
    const found = statSync(join(folder, file), { throwIfNoEntry: false });
    return sum + (found?.isFile() ? found.size : 0);
  }, 0);

/** Total bytes written to the write-ahead log, and the current size of our tables. */
const databaseBytes = async (db: Database) => {
  const { rows } = await db.pool.query<{ wal: string; ledger: string; partitions: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text as wal,
       (select coalesce(sum(pg_total_relation_size(oid)), 0)::text from pg_class
        where relkind = 'r' and relname ~ '^ledger_') as ledger,
       pg_total_relation_size('partitions')::text as partitions`,
  );
  const [row] = rows;
  return { wal: Number(row?.wal), ledger: Number(row?.ledger), partitions: Number(row?.partitions) };
};

interface Sample {
  readonly atMs: number;
  readonly written: number;
  readonly cpuMs: number;
  readonly residentMb: number;
  readonly step: string | null;
}

/** Samples the worker continuously until `end`. */
const watch = (started: ReadyImport, pid: number) => {
  const samples: Sample[] = [];
  let ended = false;
  const look = async () => {
    const { written } = await started.tool.control.stats();
    const step = (await started.customer.progress())?.step ?? null;
    samples.push({
      atMs: performance.now(),
      written,
      step,
      cpuMs: cpuMsOf(pid),
      residentMb: residentBytes(pid).now / mb,
    });
  };
  const loop = (async () => {
    while (!ended) {
      await look();
      await sleep(250);
    }
    await look();
  })();
  return {
    async end() {
      ended = true;
      await loop;
      return samples;
    },
  };
};

/** The CPU time at this number of written records, interpolated between two samples. */
const cpuMsAt = (samples: readonly Sample[], written: number): number => {
  const after = samples.findIndex((sample) => sample.written >= written);
  const before = samples[Math.max(0, after - 1)];
  const next = samples[after];
  if (!before || !next) return Number.NaN;
  const span = next.written - before.written;
  return before.cpuMs + (next.cpuMs - before.cpuMs) * (span === 0 ? 1 : (written - before.written) / span);
};

/** The duration and the worker's CPU time of each kind of step. */
const byStep = (samples: readonly Sample[]) => {
  const steps = new Map<string, { seconds: number; cpuSeconds: number }>();
  for (const [index, { step, atMs, cpuMs }] of samples.entries()) {
    const next = samples[index + 1];
    if (!next || step === null) continue;
    const { seconds, cpuSeconds } = steps.get(step) ?? { seconds: 0, cpuSeconds: 0 };
    steps.set(step, {
      seconds: rounded(seconds + (next.atMs - atMs) / 1_000),
      cpuSeconds: rounded(cpuSeconds + (next.cpuMs - cpuMs) / 1_000),
    });
  }
  return Object.fromEntries(steps);
};

await prove("million", async (proof) => {
  const records = proof.size(1_000_000, 50_000);
  const warmUp = proof.size(20_000, 1_000);
  // In a short run one garbage collection weighs much, so the blocks are as large as possible.
  const block = proof.size(100_000, 20_000);
  const maxSlowdown = 1.25;
  const small = await startTool(proof, warmUp);
  const large = await startTool(proof, records);
  const restate = await startRestate();
  proof.afterwards(() => restate.remove());
  const { services, startWorker, newImport } = await createRunFixture(proof, {
    name: "million",
    restate,
    tools: [small, large],
    env,
  });
  const worker = await startWorker({ nodeFlags: [...workerFlags, ...profiling] });
  const freshMb = residentBytes(worker.pid).now / mb;

  const before = await newImport(small);
  await before.start();
  await untilCompleted(before, longestMs);
  await sleep(5_000);
  const idleMb = residentBytes(worker.pid).now / mb;
  proof.say(
    `the worker: ${rounded(freshMb)} MB when it is fresh, ${rounded(idleMb)} MB idle after ${warmUp}`,
  );

  const started = await newImport(large);
  const bytes = await databaseBytes(services.db);
  const journal = folderBytes(restate.folder);
  const toolCpuMs = cpuMsOf(large.pid);
  forgetPeak(worker.pid);
  const startedAt = performance.now();
  const watched = watch(started, worker.pid);
  await started.start();
  await untilCompleted(started, longestMs);
  const seconds = (performance.now() - startedAt) / 1_000;
  const samples = await watched.end();
  const peakMb = residentBytes(worker.pid).peak / mb;

  const perRecord = (value: number) => rounded(value / records);
  const after = await databaseBytes(services.db);
  const firstMs = cpuMsAt(samples, warmUp + block) - cpuMsAt(samples, warmUp);
  const lastMs = cpuMsAt(samples, records) - cpuMsAt(samples, records - block);
  const steps = byStep(samples);
  proof.say(`${records} records in ${rounded(seconds)} s: ${Math.round(records / seconds)} a second`);
  proof.say(`by step: ${JSON.stringify(steps)}`);
  proof.say(
    `CPU of the worker per record: ${rounded((firstMs * 1_000) / block)} µs in the first ${block} after ${warmUp}, ` +
      `${rounded((lastMs * 1_000) / block)} µs in the last`,
  );

  const judged = comparableStandIn(large.control);
  const { lost, doubled, differing } = await compareSides(proof, judged, null);
  proof.holds("nothing is lost, doubled or different", lost + doubled + differing === 0, {
    lost,
    doubled,
    differing,
  });
  await judgeReport(proof, judged, started);
  const overIdleMb = rounded(peakMb - idleMb);
  proof.meets(`peak memory minus idle at most ${maxOverIdleMb} MB`, overIdleMb <= maxOverIdleMb, overIdleMb);
  const ratio = rounded(lastMs / firstMs);
  proof.meets(`CPU time per record, last over first, at most ${maxSlowdown}`, ratio <= maxSlowdown, ratio);
  const total = (of: (sample: Sample) => number) => of(samples.at(-1) as Sample) - of(samples[0] as Sample);
  return {
    records,
    partitions,
    batch: 100,
    run_seconds: rounded(seconds),
    records_per_second: Math.round(records / seconds),
    fresh_mb: rounded(freshMb),
    idle_mb: rounded(idleMb),
    peak_mb: rounded(peakMb),
    peak_over_idle_mb: overIdleMb,
    cpu_ratio: ratio,
    by_step: steps,
    worker_cpu_micros_per_record: perRecord(total(({ cpuMs }) => cpuMs) * 1_000),
    stand_in_cpu_micros_per_record: perRecord((cpuMsOf(large.pid) - toolCpuMs) * 1_000),
    journal_bytes_per_record: perRecord(folderBytes(restate.folder) - journal),
    wal_bytes_per_record: perRecord(after.wal - bytes.wal),
    ledger_bytes_per_record: perRecord(after.ledger - bytes.ledger),
    partitions_table_bytes: after.partitions,
  };
});
