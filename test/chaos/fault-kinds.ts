import { setTimeout as sleep } from "node:timers/promises";
import type { FaultKind as ToolFault, Faults } from "../tools/stand-in/options.ts";
import type { ChaosGround } from "./chaos-ground.ts";

export interface FaultKind {
  readonly name: string;
  /** How often it comes, beside the others. */
  readonly weight: number;
  /** Whether a process is killed with -9. */
  readonly kills: boolean;
  /** What the tool does then; left out: nothing that it would not do by itself. */
  readonly tool?: ToolFault;
  run(chaos: ChaosGround): Promise<void>;
}

/** Tells of what happens beside the fault that is being run. */
type Say = (line: string) => void;

/** One is left to go on. */
const mostFrozen = 2;

const between = ({ random }: ChaosGround, least: number, most: number) => least + random.below(most - least);

/** Goes on until it has hit something: a fault that met no request was none. */
const burst = async (chaos: ChaosGround, kind: ToolFault, faults: Partial<Faults>) => {
  const { destination } = chaos;
  const { ambient, times } = destination;
  const hits = async () => (await destination.happened())[kind] ?? 0;
  const before = await hits();
  const leastMs = between(chaos, 1_000, 4_000);
  await destination.setFaults({ ...ambient, ...faults });
  const startedAt = performance.now();
  const lasts = () => performance.now() - startedAt;
  while (lasts() < leastMs || ((await hits()) === before && lasts() < times.longestBurstMs)) await sleep(200);
  await destination.setFaults(ambient);
};

const bursts = (
  name: string,
  weight: number,
  tool: ToolFault,
  faults: Partial<Faults> | ((chaos: ChaosGround) => Partial<Faults>),
): FaultKind => ({
  name,
  weight,
  tool,
  kills: false,
  run: (chaos) => burst(chaos, tool, typeof faults === "function" ? faults(chaos) : faults),
});

const busyWorker = ({ processes, random }: ChaosGround, frozen: ReadonlySet<number>): number | undefined => {
  const free = processes.workers.map((_, index) => index).filter((index) => !frozen.has(index));
  const busy = processes.busyWorkers().filter((index) => !frozen.has(index));
  const from = busy.length > 0 ? busy : free;
  return from.length === 0 ? undefined : random.pick(from);
};

/** All that can go wrong; `settle` waits until what goes on beside the rest is over. */
export const createFaultKinds = (say: Say) => {
  const frozen = new Set<number>();
  const thaws: Promise<void>[] = [];

  const killWorker = async (chaos: ChaosGround) => {
    const index = busyWorker(chaos, frozen);
    if (index !== undefined) await chaos.processes.replaceWorker(index, between(chaos, 0, 2_000));
  };
  const freezeWorker = async (chaos: ChaosGround) => {
    while (frozen.size >= mostFrozen) await sleep(200);
    const index = busyWorker(chaos, frozen);
    const worker = index === undefined ? undefined : chaos.processes.workers[index];
    if (index === undefined || !worker) return;
    frozen.add(index);
    worker.kill("SIGSTOP");
    say(`worker ${index + 1} frozen`);
    const { least, most } = chaos.destination.times.frozenMs;
    const thaw = async () => {
      // It wakes while its successor is at the same page, or when all have forgotten it.
      await sleep(between(chaos, least, most));
      worker.kill("SIGCONT");
      say(`worker ${index + 1} thawed`);
      frozen.delete(index);
    };
    // Meanwhile everything else goes on.
    thaws.push(thaw());
  };
  const expireSignIn = async (chaos: ChaosGround) => {
    const side = chaos.random.pick(["source", "destination"] as const);
    const before = await chaos.unauthorized(side);
    await chaos.expire(side);
    const giveUpAt = performance.now() + chaos.destination.times.longestBurstMs;
    while ((await chaos.unauthorized(side)) === before && performance.now() < giveUpAt) await sleep(200);
    await sleep(between(chaos, 500, 3_000));
    await chaos.connect(side);
  };

  const kinds: readonly FaultKind[] = [
    { name: "worker killed", weight: 6, kills: true, run: killWorker },
    { name: "worker frozen", weight: 2, kills: false, run: freezeWorker },
    {
      name: "API killed",
      weight: 2,
      kills: true,
      run: (chaos) => chaos.processes.replaceApi(between(chaos, 0, 1_500)),
    },
    {
      name: "Restate killed",
      weight: 4,
      kills: true,
      async run(chaos) {
        await chaos.processes.restate.kill();
        await sleep(between(chaos, 0, 2_000));
        await chaos.processes.restate.start();
      },
    },
    {
      name: "Restate's data wiped",
      weight: 2,
      kills: true,
      async run(chaos) {
        await chaos.processes.restate.kill();
        chaos.processes.restate.wipe();
        await chaos.processes.restate.start();
      },
    },
    {
      name: "PostgreSQL killed",
      weight: 4,
      kills: true,
      async run(chaos) {
        await chaos.postgres.kill();
        await sleep(between(chaos, 0, 2_000));
        await chaos.postgres.startAside();
      },
    },
    bursts("500s", 2, "error", { error: 0.4 }),
    bursts("resets", 2, "reset", { reset: 0.4 }),
    bursts("partial batches", 3, "partial", { partial: 0.5 }),
    bursts("writes that took effect, then 500", 3, "errorAfterWrite", { errorAfterWrite: 0.5 }),
    bursts("writes that took effect, then silence", 2, "silenceAfterWrite", { silenceAfterWrite: 0.3 }),
    bursts("writes that take effect late", 3, "lateEffect", { lateEffect: 0.5 }),
    // What is sent in the second half of its time is answered after it; never later than the tool says it can be.
    bursts("slow answers", 1, "slow", ({ destination }) => ({
      slow: 0.3,
      slowMs: destination.times.writeMs / 2,
    })),
    {
      name: "429s",
      weight: 2,
      kills: false,
      async run(chaos) {
        const ms = between(chaos, 1_500, 6_000);
        await chaos.destination.storm({ ms });
        await sleep(ms);
      },
    },
    { name: "sign-in expired", weight: 3, kills: false, run: expireSignIn },
    {
      name: "source changed at once",
      weight: 2,
      kills: false,
      async run({ tool, random, records }) {
        // Of a small source most is still there afterwards.
        const most = Math.max(1, Math.min(20, Math.round(records / 150)));
        for (const stream of ["tickets", "comments", "articles"]) {
          const some = () => 1 + random.below(most);
          await tool.control.change(stream, { update: some(), remove: some(), add: some(), lateMs: 2_000 });
        }
      },
    },
  ];
  return { kinds, settle: () => Promise.all(thaws) };
};
