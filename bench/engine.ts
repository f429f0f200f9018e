// `npm run bench:engine`: chains of empty steps through Restate, as the engine uses it, and through graphile-worker, a
// queue in PostgreSQL. Both use real servers on the same machine in turn. Only a lost step fails it.
import { availableParallelism, loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { type Proof, prove } from "../test/support/proof.ts";
import { median, percentile } from "../test/support/statistics.ts";
import { type Side, startSides } from "./engine-sides.ts";
import { now, type Order, type Seen, type Step } from "./engine-steps.ts";

const chains = 200;
/** How many steps are sent from outside at a time. */
const lanes = 8;
const rounds = 3;
const delayMs = 5_000;
/** With three sides in turn, each has been idle for a second before its next step. */
const pauseMs = 350;

const rounded = (value: number) => Math.round(value * 100) / 100;
const spread = (values: readonly number[]) => {
  const sorted = values.toSorted((a, b) => a - b);
  return {
    p50: rounded(percentile(sorted, 0.5)),
    p95: rounded(percentile(sorted, 0.95)),
    most: rounded(sorted.at(-1) ?? Number.NaN),
  };
};

/** Everything that was measured of a side. */
interface Measured {
  readonly rates: number[];
  readonly cpuMsPerStep: Record<string, number[]>;
  readonly waitsMs: number[];
  readonly idleMs: number[];
  idleCpuMs: Readonly<Record<string, number>>;
  lateMs: readonly number[];
  executed: number;
  lost: number;
  repeated: number;
}

const nothingYet = (): Measured => ({
  rates: [],
  cpuMsPerStep: {},
  waitsMs: [],
  idleMs: [],
  idleCpuMs: {},
  lateMs: [],
  executed: 0,
  lost: 0,
  repeated: 0,
});

const count = (measured: Measured, { startedAt, repeated }: Seen) => {
  const lost = startedAt.filter((at) => at === 0).length;
  measured.executed += startedAt.length - lost;
  measured.lost += lost;
  measured.repeated += repeated;
};

const firstSteps = ({ round, chains: wanted }: Order): readonly Step[] =>
  Array.from({ length: wanted }, (_, chain) => ({ round, chain, index: 0 }));

/** Sends the first step of every chain; returns when each was sent. */
const sendAll = async (side: Side, order: Order, delay: number) => {
  const left = [...firstSteps(order)];
  const sentAt = left.map(() => 0);
  const lane = async () => {
    for (let step = left.shift(); step; step = left.shift()) {
      sentAt[step.chain] = now();
      await side.send(step, delay);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return sentAt;
};

const since = (before: Readonly<Record<string, number>>, side: Side, divisor: number) =>
  Object.fromEntries(
    Object.entries(side.cpuMs()).map(([group, ms]) => [group, (ms - (before[group] ?? 0)) / divisor]),
  );

const chainOnce = async (side: Side, measured: Measured, order: Order) => {
  const before = side.cpuMs();
  const { seen } = await side.round(order, () => sendAll(side, order, 0));
  const started = seen.startedAt.filter((at) => at > 0).toSorted((a, b) => a - b);
  const perSecond = (started.length / ((started.at(-1) ?? 0) - (started[0] ?? 0))) * 1_000;
  count(measured, seen);
  return { perSecond, cpuMs: since(before, side, started.length), waitsMs: seen.waitsMs };
};

const measureChains = async (proof: Proof, sides: readonly Side[], all: Map<Side, Measured>) => {
  const length = proof.size(20, 10);
  // The first round warms up compilers and connections and does not count.
  for (let round = 0; round <= rounds; round += 1) {
    const line: string[] = [];
    for (const at of sides.keys()) {
      // Each round starts with a different side, so that load from other processes hits all sides equally.
      const side = sides[(at + round) % sides.length] as Side;
      const measured = all.get(side) as Measured;
      const order = { round: `chains-${round}`, chains, length: round === 0 ? 5 : length };
      const { perSecond, cpuMs, waitsMs } = await chainOnce(side, measured, order);
      if (round === 0) continue;
      measured.rates.push(perSecond);
      measured.waitsMs.push(...waitsMs);
      for (const [group, ms] of Object.entries(cpuMs)) (measured.cpuMsPerStep[group] ??= []).push(ms);
      line.push(`${side.name} ${Math.round(perSecond)}/s`);
    }
    if (round > 0) proof.say(`${chains} chains of ${length} steps, round ${round}: ${line.join(", ")}`);
  }
};

/** From sending one step to its start, after a second without any. */
const measureIdle = async (proof: Proof, sides: readonly Side[], all: Map<Side, Measured>) => {
  const looks = proof.size(15, 3);
  const before = new Map(sides.map((side) => [side, side.cpuMs()]));
  const startedAt = now();
  for (let look = 0; look < looks; look += 1)
    for (const side of sides) {
      await sleep(pauseMs);
      const measured = all.get(side) as Measured;
      const order = { round: `idle-${look}`, chains: 1, length: 1 };
      const { seen, begun: sentAt } = await side.round(order, () => sendAll(side, order, 0));
      count(measured, seen);
      measured.idleMs.push((seen.startedAt[0] ?? Number.NaN) - (sentAt[0] ?? Number.NaN));
    }
  const seconds = (now() - startedAt) / 1_000;
  for (const side of sides)
    (all.get(side) as Measured).idleCpuMs = since(before.get(side) ?? {}, side, seconds);
};

const measureDelayed = async (proof: Proof, sides: readonly Side[], all: Map<Side, Measured>) => {
  const steps = proof.size(1_000, 100);
  for (const side of sides) {
    const measured = all.get(side) as Measured;
    const order = { round: "delayed", chains: steps, length: 1 };
    const { seen, begun: sentAt } = await side.round(order, () => sendAll(side, order, delayMs));
    count(measured, seen);
    measured.lateMs = seen.startedAt.map((at, step) => at - (sentAt[step] ?? 0) - delayMs);
  }
};

await prove("bench:engine", async (proof) => {
  const cores = availableParallelism();
  const load = rounded(loadavg()[0] ?? Number.NaN);
  if (load > cores / 2)
    proof.say(
      `Other processes use this machine (load ${load} on ${cores} cores): compare the sides with each other only.`,
    );
  const sides = await startSides(proof);
  const all = new Map(sides.map((side) => [side, nothingYet()]));
  await measureChains(proof, sides, all);
  await measureIdle(proof, sides, all);
  await measureDelayed(proof, sides, all);
  const figures = [...all].map(([side, measured]) => {
    const { executed, lost, repeated } = measured;
    const groups = Object.entries(measured.cpuMsPerStep);
    const figure = {
      steps_per_second: Math.round(median(measured.rates)),
      cpu_ms_per_step: Object.fromEntries(groups.map(([group, each]) => [group, rounded(median(each))])),
      step_to_step_ms: spread(measured.waitsMs),
      after_idle_ms: spread(measured.idleMs),
      late_after_delay_ms: spread(measured.lateMs),
      idle_cpu_ms_per_second: Object.fromEntries(
        Object.entries(measured.idleCpuMs).map(([group, ms]) => [group, rounded(ms)]),
      ),
      server_memory_mb: side.residentMb(),
    };
    proof.say(`${side.name}: ${JSON.stringify(figure)}`);
    proof.holds(`${side.name}: each step was executed, none was lost`, lost === 0, {
      executed,
      lost,
      repeated,
    });
    return [side.name, figure] as const;
  });
  return {
    ...Object.fromEntries(figures),
    cores,
    load_before: load,
  };
});
