import { setTimeout as sleep } from "node:timers/promises";
import type { FaultKind as ToolFault, Faults } from "../tools/stand-in/options.ts";
import type { ChaosFixture } from "./chaos-fixture.ts";
import { between, busyWorker, type FaultKind, type Say } from "./fault-kind.ts";
import { createHostFaults } from "./host-faults.ts";

/** At least one worker stays unfrozen. */
const maxFrozen = 2;

/** Continues until the fault has hit a request: a fault without a hit does not count. */
const burst = async (chaos: ChaosFixture, kind: ToolFault, faults: Partial<Faults>) => {
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
  faults: Partial<Faults> | ((chaos: ChaosFixture) => Partial<Faults>),
): FaultKind => ({
  name,
  weight,
  tool,
  kills: false,
  run: (chaos) => burst(chaos, tool, typeof faults === "function" ? faults(chaos) : faults),
});

/** All faults; `settle` waits for those that continue in the background. */
export const createFaultKinds = (say: Say) => {
  const frozen = new Set<number>();
  const thaws: Promise<void>[] = [];

  const killWorker = async (chaos: ChaosFixture) => {
    const index = busyWorker(chaos, frozen);
    if (index !== undefined) await chaos.processes.replaceWorker(index, between(chaos, 0, 2_000));
  };
  const freezeWorker = async (chaos: ChaosFixture) => {
    while (frozen.size >= maxFrozen) await sleep(200);
    const index = busyWorker(chaos, frozen);
    const worker = index === undefined ? undefined : chaos.processes.workers[index];
    if (index === undefined || !worker) return;
    frozen.add(index);
    worker.kill("SIGSTOP");
    say(`worker ${index + 1} frozen`);
    const { least, most } = chaos.destination.times.frozenMs;
    const thaw = async () => {
      // The worker wakes while its successor works on the same page, or long after.
      await sleep(between(chaos, least, most));
      worker.kill("SIGCONT");
      say(`worker ${index + 1} thawed`);
      frozen.delete(index);
    };
    // The other faults continue meanwhile.
    thaws.push(thaw());
  };
  const expireSignIn = async (chaos: ChaosFixture) => {
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
    bursts("pages in HTML with status 200", 1, "html", { html: 0.3 }),
    bursts("JSON that ends in the middle", 2, "truncated", { truncated: 0.3 }),
    bursts("writes that took effect, then HTML with status 200", 2, "htmlAfterWrite", {
      htmlAfterWrite: 0.3,
    }),
    bursts("partial batches", 3, "partial", { partial: 0.5 }),
    bursts("writes that took effect, then 500", 3, "errorAfterWrite", { errorAfterWrite: 0.5 }),
    bursts("writes that took effect, then silence", 2, "silenceAfterWrite", { silenceAfterWrite: 0.3 }),
    bursts("writes that take effect late", 3, "lateEffect", { lateEffect: 0.5 }),
    // A late request gets its answer after its deadline, but within the delay that the tool declares.
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
      async run({ tool, random, records, destination }) {
        // A small source keeps most of its rows.
        const most = Math.max(1, Math.min(20, Math.round(records / 150)));
        for (const stream of destination.changing ?? ["tickets", "comments", "articles"]) {
          const some = () => 1 + random.below(most);
          await tool.control.change(stream, { update: some(), remove: some(), add: some(), lateMs: 2_000 });
        }
      },
    },
  ];
  const host = createHostFaults(say, frozen);
  return {
    kinds: [...kinds, ...host.kinds],
    settle: async () => {
      await Promise.all(thaws);
      await host.settle();
    },
  };
};
