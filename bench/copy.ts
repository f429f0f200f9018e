// `npm run bench:copy`: compares a full run with a bare script that does the same reads and writes, into a tool that
// takes one record per call and into one that takes 100. It prints the goals that it missed. Both run in
// turn on the same machine; only the ratio counts. --beside FOLDER: a checkout of another commit, with its node_modules, whose
// worker copies in turn with this one's, and what each spends per record.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Proof, prove } from "../test/support/proof.ts";
import { median } from "../test/support/statistics.ts";
import { startStandInProcess, type StandInProcess } from "../test/support/stand-in-process.ts";
import type { Copied, CopyOrder } from "./copy-order.ts";
import { cpuMsOf } from "../test/support/process-time.ts";
import { type EngineSide, startEngineSide } from "./engine-copy.ts";
import { isCompared, observability } from "./observability.ts";
import { measureQuota } from "./quota.ts";
import { readProfile } from "./read-profile.ts";

const pageSize = 100;
/** The same value as a worker uses. */
const writeConcurrency = 8;
const stream = "tickets";
const profiles = join(import.meta.dirname, "../artifacts/bench-copy/profile");

interface Setting {
  readonly name: "ratio50" | "ratio50x32" | "ratio0" | "ratio50_single";
  readonly latencyMs: number;
  readonly partitions: number;
  readonly batchSize: number;
  readonly records: number;
  readonly goal: number;
}

const inBulk = { partitions: 8, batchSize: 100, records: 40_000 };

/**
 * With 100 records per call there is little latency to wait for, so CPU time dominates. Most tools take one record per
 * call, as Redmine and Request Tracker do: `ratio50_single`.
 */
const settings: readonly Setting[] = [
  { ...inBulk, name: "ratio50", latencyMs: 50, goal: 0.9 },
  { ...inBulk, name: "ratio0", latencyMs: 0, goal: 0.5 },
  { ...inBulk, name: "ratio50x32", latencyMs: 50, partitions: 32, goal: 0.85 },
  { ...inBulk, name: "ratio50_single", latencyMs: 50, batchSize: 1, records: 6_400, goal: 0.9 },
];

const rounded = (value: number) => Math.round(value * 1000) / 1000;

const bareOnce = async (bare: ChildProcess, order: CopyOrder): Promise<Copied> => {
  bare.send(order);
  const [result] = (await once(bare, "message")) as [Copied | { error: string }];
  if ("error" in result) throw new Error(result.error);
  return result;
};

/** Records per second from the first write to the last, measured by the tool's clock on all sides. */
const measured = async ({ control }: StandInProcess, records: number, copy: () => Promise<unknown>) => {
  await control.forget();
  await copy();
  const { writes, written } = await control.stats();
  const { items, firstAt, lastAt } = writes[stream] ?? { items: 0, firstAt: 0, lastAt: 0 };
  if (items !== records || written < records) throw new Error(`${items} of ${records} were written.`);
  return (items / (lastAt - firstAt)) * 1000;
};

const { values } = parseArgs({ options: { beside: { type: "string" } }, strict: false });
const beside = typeof values["beside"] === "string" ? resolve(values["beside"]) : null;

type Side = "kit" | "raw" | "engine" | "observed" | "before";
const sides: readonly Side[] = [
  "kit",
  "raw",
  "engine",
  ...(isCompared ? (["observed"] as const) : []),
  ...(beside ? (["before"] as const) : []),
];

/** The other checkout's API, worker and database, started by its own code. */
const startBefore = async (...needs: Parameters<typeof startEngineSide>): Promise<EngineSide | null> => {
  if (beside === null) return null;
  const other = (await import(join(beside, "bench/engine-copy.ts"))) as {
    readonly startEngineSide: typeof startEngineSide;
  };
  return other.startEngineSide(...needs);
};

interface Fixture {
  readonly tool: StandInProcess;
  readonly bare: ChildProcess;
  readonly engine: EngineSide;
  /** The same with metrics, and with traces if they are asked for. */
  readonly observed: EngineSide | null;
  /** The same of another checkout. */
  readonly before: EngineSide | null;
}

const workerCpuMs = (engine: EngineSide | null) =>
  engine?.processes.workers.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0) ?? 0;

const compare = async (proof: Proof, setting: Setting, fixture: Fixture) => {
  const { tool, bare, engine, observed, before } = fixture;
  const { name, latencyMs, partitions, batchSize, goal } = setting;
  await tool.control.setWeather({ latencyMs });
  const order = {
    url: tool.url,
    token: tool.token,
    stream,
    partitions,
    pageSize,
    batchSize,
    writeConcurrency,
  };
  const copyBy = {
    kit: () => bareOnce(bare, { ...order, by: "kit" }),
    raw: () => bareOnce(bare, { ...order, by: "raw" }),
    engine: () => engine.copyOnce(),
    observed: async () => observed?.copyOnce(),
    before: async () => before?.copyOnce(),
  };
  const rates: Record<Side, number[]> = { kit: [], raw: [], engine: [], observed: [], before: [] };
  const cpuMicros: Record<"engine" | "observed" | "before", number[]> = {
    engine: [],
    observed: [],
    before: [],
  };
  const rounds = proof.size(5, 2);
  // The first round warms up compilers and connections and does not count.
  for (let round = 0; round <= rounds; round += 1) {
    for (const at of sides.keys()) {
      const side = sides[(at + round) % sides.length] as Side;
      const by = side === "kit" || side === "raw" ? null : side;
      const spent = by ? workerCpuMs(fixture[by]) : 0;
      const rate = await measured(tool, recordsOf(proof, setting), copyBy[side]);
      if (round === 0) continue;
      rates[side].push(rate);
      if (by) cpuMicros[by].push((1_000 * (workerCpuMs(fixture[by]) - spent)) / recordsOf(proof, setting));
    }
    const line = sides.map((side) => `${side} ${Math.round(rates[side].at(-1) ?? Number.NaN)}/s`);
    if (round > 0) proof.say(`${name}, round ${round}: ${line.join(", ")}`);
  }
  const ratios = (against: Side) =>
    rates.engine.map((rate, round) => rate / (rates[against][round] ?? Number.NaN));
  const ratio = rounded(median(ratios("kit")));
  const isReached = ratio >= goal;
  proof.say(
    `${name}: ${ratio} times as fast as a bare script; the goal is ${goal}${isReached ? "" : ", NOT REACHED"}`,
  );
  const cpuRatios = cpuMicros.observed.map((cpu, round) => cpu / (cpuMicros.engine[round] ?? Number.NaN));
  const cpuOfBefore = cpuMicros.before.map((cpu, round) => (cpuMicros.engine[round] ?? Number.NaN) / cpu);
  const [without, withIt, old] = [cpuMicros.engine, cpuMicros.observed, cpuMicros.before].map((each) =>
    Math.round(median(each)),
  );
  if (observed)
    proof.say(
      `${name}, CPU of the worker per record: ${without} µs without, ${withIt} µs with observability ` +
        `${observability}: ${rounded(median(cpuRatios))} times`,
    );
  if (before)
    proof.say(
      `${name}, CPU of the worker per record: ${without} µs, ${old} µs of the other checkout: ` +
        `${rounded(median(cpuOfBefore))} times`,
    );
  return {
    isReached,
    figures: {
      [name]: ratio,
      [`${name}_raw`]: rounded(median(ratios("raw"))),
      [`${name}_rates`]: Object.fromEntries(sides.map((side) => [side, Math.round(median(rates[side]))])),
      [`${name}_ratios`]: ratios("kit").map(rounded),
      [`${name}_worker_cpu_us_per_record`]: without,
      ...(observed && {
        [`${name}_observed_worker_cpu_us_per_record`]: withIt,
        [`${name}_observed_cpu_ratio`]: rounded(median(cpuRatios)),
      }),
      ...(before && {
        [`${name}_before_worker_cpu_us_per_record`]: old,
        [`${name}_cpu_ratio_to_before`]: rounded(median(cpuOfBefore)),
      }),
    },
  };
};

const recordsOf = (proof: Proof, { records, partitions }: Setting): number => {
  // Every partition gets the same number of whole pages.
  const step = partitions * pageSize;
  return Math.ceil(proof.size(records, records / 8) / step) * step;
};

/** Copies once more with the profiler on and prints where the worker spends its time. */
const profile = async (proof: Proof, tool: StandInProcess, setting: Setting) => {
  rmSync(profiles, { recursive: true, force: true });
  const engine = await startEngineSide(proof, { tool, ...setting, pageSize, profileTo: profiles });
  await engine.copyOnce();
  await engine.processes.stop();
  const spent = readProfile(profiles);
  const all = spent.reduce((sum, { micros }) => sum + micros, 0);
  const records = recordsOf(proof, setting);
  proof.say(
    `profile of a worker that copied ${records} records, its start included; microseconds per record:`,
  );
  for (const { place, micros } of spent.slice(0, 20))
    proof.say(
      `${(micros / records).toFixed(1).padStart(8)} ${((100 * micros) / all).toFixed(1).padStart(5)} % ${place}`,
    );
  return { profiled_micros_per_record: Math.round(all / records) };
};

await prove("bench:copy", async (proof) => {
  const bare = fork(join(import.meta.dirname, "bare-copy.ts"));
  proof.afterwards(() => bare.kill());
  const figures: Record<string, unknown> = { page_size: pageSize, observability };
  const missed: Setting[] = [];
  const startTool = (setting: Setting) =>
    startStandInProcess({
      lean: true,
      hostile: false,
      largeText: 0,
      counts: { users: 20, [stream]: recordsOf(proof, setting) },
    });
  // A few short rounds do not measure the ratio: a small run only shows that the bench works, with one tool per kind.
  const chosen =
    proof.scale === 1 ? settings : settings.filter(({ name }) => /^ratio50(_single)?$/.test(name));
  for (const setting of chosen) {
    const tool = await startTool(setting);
    const engine = await startEngineSide(proof, { tool, ...setting, pageSize });
    const observed = isCompared
      ? await startEngineSide(proof, { tool, ...setting, pageSize, isObserved: true })
      : null;
    const before = await startBefore(proof, { tool, ...setting, pageSize });
    const compared = await compare(proof, setting, { tool, bare, engine, observed, before });
    Object.assign(figures, compared.figures);
    if (!compared.isReached) missed.push(setting);
    // An idle engine still polls.
    await engine.processes.stop();
    await observed?.processes.stop();
    await before?.processes.stop();
    await tool.stop();
  }
  const [profiled] = missed;
  if (profiled && proof.scale === 1) {
    const tool = await startTool(profiled);
    proof.afterwards(() => tool.stop());
    Object.assign(figures, await profile(proof, tool, profiled));
  }
  const quota = await measureQuota(proof);
  return {
    ...figures,
    not_reached: missed.map(({ name }) => name),
    quotaUse: quota.leastQuotaUse,
    share429: quota.mostShare429,
    quota,
  };
});
