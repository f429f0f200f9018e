// `npm run prove:many`: many concurrent imports on one worker, each with its own tool accounts. All end, and none waits
// much longer than another. --profile: the worker writes its CPU profile beside its logs.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { workerFlags } from "../../server/src/main/worker-flags.ts";
import { cpuMsOf } from "../support/process-time.ts";
import { prove } from "../support/proof.ts";
import { startRestate } from "../support/restate-process.ts";
import { createRunFixture, type ReadyImport } from "../support/run-fixture.ts";
import { startStandInProcess } from "../support/stand-in-process.ts";
import { inTurns, rounded, type Run, spreadOf, untilAllEnded } from "./concurrent-runs.ts";

const { values } = parseArgs({ options: { profile: { type: "boolean" } }, strict: false });
const logs = join(import.meta.dirname, "../../artifacts/many");
const profiling = values["profile"] ? ["--cpu-prof", `--cpu-prof-dir=${logs}`] : [];

const records = 200;
const maxSpread = 3;
const goalCpuMs = 300;
await prove("many", async (proof) => {
  const count = proof.size(300, 8);
  const counts = { users: 5, groups: 2, tickets: records };
  const tool = await startStandInProcess({ counts, lean: true, hostile: false, largeText: 0 });
  proof.afterwards(() => tool.stop());
  const restate = await startRestate();
  proof.afterwards(() => restate.remove());
  const { services, startWorker, newImport } = await createRunFixture(proof, {
    name: "many",
    restate,
    tools: [tool],
  });
  const imports: ReadyImport[] = [];
  await inTurns(count, async () => {
    const made = await newImport(tool);
    await made.start();
    imports.push(made);
  });
  proof.say(`${count} imports of ${records} tickets each are ready, and wait for a worker`);

  // All runs are requested before the worker starts, so that they begin at the same moment.
  const worker = await startWorker({ nodeFlags: [...workerFlags, ...profiling] });
  const startedAt = Date.now();
  const cpuMs = cpuMsOf(worker.pid);
  const runs = await untilAllEnded(proof, services.db, count);
  const cpuSeconds = (cpuMsOf(worker.pid) - cpuMs) / 1_000;
  const seconds = (Date.now() - startedAt) / 1_000;
  const statuses = await Promise.all(
    imports.map(async ({ customer }) => (await customer.show()).status.code),
  );
  const completed = statuses.filter((code) => code === "migration_completed").length;
  proof.holds("all are completed", completed === count && runs.length === count, completed);
  const { written, duplicates } = await tool.control.stats();
  const expected = count * (counts.tickets + counts.groups);
  proof.holds("nothing is lost or doubled", written === expected && duplicates === 0, {
    written,
    expected,
    duplicates,
  });
  const endedAt = ({ endedAt: at }: Run) => at?.getTime() ?? Number.NaN;
  const sinceAsked = spreadOf(runs.map((run) => (endedAt(run) - startedAt) / 1_000));
  const own = spreadOf(runs.map((run) => (endedAt(run) - run.startedAt.getTime()) / 1_000));
  const claim = `slowest over fastest under ${maxSpread}`;
  proof.meets(`${claim}, since they were asked for`, sinceAsked.spread < maxSpread, sinceAsked);
  proof.meets(`${claim}, since each began`, own.spread < maxSpread, own);
  await worker.stop();
  const cpuMsPerImport = Math.round((cpuSeconds * 1_000) / count);
  proof.aims(
    `at most ${goalCpuMs} ms of a worker's CPU time per import`,
    cpuMsPerImport <= goalCpuMs,
    cpuMsPerImport,
  );
  return {
    imports: count,
    records_each: records,
    run_seconds: rounded(seconds),
    worker_cpu_ms_per_import: cpuMsPerImport,
    imports_per_minute: rounded((count * 60) / seconds),
    since_asked_seconds: sinceAsked,
    since_began_seconds: own,
  };
});
