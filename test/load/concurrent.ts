// `npm run prove:concurrent`: ten thousand runs at once, each of a small import between slow tools, over as many worker processes
// as this machine has cores. All end; it prints what a run takes while it waits and works: memory, connections to PostgreSQL,
// and Restate's data.
import { globSync, readFileSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { workerFlags } from "../../server/src/main/worker-flags.ts";
import { cpuMsOf } from "../support/process-time.ts";
import { prove } from "../support/proof.ts";
import { startRestate } from "../support/restate-process.ts";
import { createRunFixture, type ReadyImport } from "../support/run-fixture.ts";
import { startStandInProcess } from "../support/stand-in-process.ts";
import { inTurns, rounded, type Run, spreadOf, untilAllEnded } from "./concurrent-runs.ts";
import { residentBytes } from "./memory/process-memory.ts";

const counts = { users: 2, groups: 1, tickets: 5 };
const latencyMs = 1_000;
const mb = 1024 * 1024;

const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const residentMb = (pids: readonly number[]) => sum(pids.map((pid) => residentBytes(pid).now)) / mb;

const folderMb = (folder: string) =>
  sum(
    globSync("**", { cwd: folder }).map((file) => {
      // Restate creates and deletes files while it works.
      const found = statSync(join(folder, file), { throwIfNoEntry: false });
      return found?.isFile() ? found.size : 0;
    }),
  ) / mb;

/** The most runs that were under way at one moment. */
const mostAtOnce = (runs: readonly Run[]) => {
  const moments = runs.flatMap(({ startedAt, endedAt }) => [
    { at: startedAt.getTime(), by: 1 },
    { at: endedAt?.getTime() ?? Number.POSITIVE_INFINITY, by: -1 },
  ]);
  let [now, most] = [0, 0];
  for (const { by } of moments.toSorted((a, b) => a.at - b.at)) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
};

await prove("concurrent", async (proof) => {
  const count = proof.size(10_000, 12);
  const processes = availableParallelism();
  const tool = await startStandInProcess({ counts, lean: true, hostile: false, largeText: 0 });
  proof.afterwards(() => tool.stop());
  const restate = await startRestate();
  proof.afterwards(() => restate.remove());
  const { services, startWorker, newImport } = await createRunFixture(proof, {
    name: "concurrent",
    restate,
    tools: [tool],
  });
  const imports: ReadyImport[] = [];
  await inTurns(count, async () => {
    const made = await newImport(tool);
    await made.start();
    imports.push(made);
    if (imports.length % 500 === 0) proof.say(`${imports.length} imports are ready`);
  });
  await tool.control.setWeather({ latencyMs });

  const worker = await startWorker({
    nodeFlags: [...workerFlags],
    env: { WORKER_PROCESSES: String(processes) },
  });
  const children = childrenOf(worker.pid);
  const all = [worker.pid, ...children];
  const idle = { workersMb: residentMb(all), restateMb: folderMb(restate.folder) };
  const peak = { workersMb: 0, restateMb: 0, restateMemoryMb: 0, connections: 0, invocations: 0 };
  const most = (name: keyof typeof peak, value: number) => {
    peak[name] = Math.max(peak[name], value);
  };
  let looks = 0;
  const look = async () => {
    most("workersMb", residentMb(all));
    most("restateMemoryMb", residentMb([restate.pid()]));
    const { rows } = await services.db.pool.query<{ n: number }>(
      "select count(*)::int as n from pg_stat_activity where application_name like 'portage worker%'",
    );
    most("connections", rows[0]?.n ?? 0);
    looks += 1;
    // Slower to find out.
    if (looks % 20 !== 1) return;
    most("restateMb", folderMb(restate.folder));
    const [open] = await restate.query<{ n: number }>("select count(*) as n from sys_invocation");
    most("invocations", open?.n ?? 0);
  };
  const startedAt = Date.now();
  const cpuMs = sum(all.map(cpuMsOf));
  const runs = await untilAllEnded(proof, services.db, count, look);
  const seconds = (Date.now() - startedAt) / 1_000;
  const cpuSeconds = (sum(all.map(cpuMsOf)) - cpuMs) / 1_000;
  const completed = runs.filter(({ state }) => state === "done").length;
  proof.holds("all runs are done", completed === count, { completed, of: count });
  const atOnce = mostAtOnce(runs);
  proof.meets("all were under way at once", atOnce === count, atOnce);
  const { written, duplicates } = await tool.control.stats();
  const expected = count * (counts.tickets + counts.groups);
  proof.holds("nothing is lost or doubled", written === expected && duplicates === 0, {
    written,
    expected,
    duplicates,
  });
  proof.holds("no worker process ended", children.join() === childrenOf(worker.pid).join());
  await worker.stop();
  const { rows: chunks } = await services.db.pool.query<{ n: number }>(
    "select sum(generation)::float8 as n from partitions",
  );
  const kbPerRun = (grown: number) => rounded((grown * 1024) / count);
  return {
    runs: count,
    at_once: atOnce,
    records_each: counts.tickets + counts.groups,
    latency_ms: latencyMs,
    worker_processes: processes,
    run_seconds: rounded(seconds),
    runs_per_minute: rounded((count * 60) / seconds),
    chunks_per_run: rounded((chunks[0]?.n ?? Number.NaN) / count),
    worker_cpu_ms_per_run: Math.round((cpuSeconds * 1_000) / count),
    idle_workers_mb: rounded(idle.workersMb),
    peak_workers_mb: rounded(peak.workersMb),
    worker_kb_per_run: kbPerRun(peak.workersMb - idle.workersMb),
    postgres_connections: peak.connections,
    peak_invocations: peak.invocations,
    restate_memory_mb: rounded(peak.restateMemoryMb),
    restate_data_mb: rounded(peak.restateMb),
    restate_data_kb_per_run: kbPerRun(peak.restateMb - idle.restateMb),
    since_asked_seconds: spreadOf(
      runs.map((run) => ((run.endedAt?.getTime() ?? Number.NaN) - startedAt) / 1_000),
    ),
  };
});
