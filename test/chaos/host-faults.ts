import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { ChaosFixture } from "./chaos-fixture.ts";
import { between, busyWorker, type FaultKind, type Say } from "./fault-kind.ts";
import { fillDisk, space, withRules } from "./own-space.ts";
import type { WorkerFault } from "./worker-faults.ts";

/** So that one worker of three is always whole. */
const maxCutOff = 2;
const clockMs = 300_000;
const packetLoss = 0.05;

/** A run of a smaller size has no time for the whole. */
const partitionMs = (chaos: ChaosFixture) =>
  chaos.scale === 1 ? between(chaos, 90_000, 300_000) : between(chaos, 8_000, 20_000);

const tell = ({ faultFileOf, processes }: ChaosFixture, worker: number, fault: WorkerFault) => {
  writeFileSync(faultFileOf(worker), JSON.stringify(fault));
  processes.workers[worker]?.kill("SIGUSR2");
};

type Peer = "the tool" | "PostgreSQL" | "Restate";

/** Rules that lose the packets from a worker, and of the connections that it opened those to it. */
const rulesOf = (chaos: ChaosFixture, worker: number, peer: Peer, lost: "requests" | "answers" | "both") => {
  const { tool, postgres, processes, gidOf } = chaos;
  const { restate, workerPorts } = processes;
  const urls = {
    "the tool": [tool.url],
    PostgreSQL: [postgres.url],
    Restate: [restate.ingressUrl, restate.adminUrl],
  }[peer];
  const own = `-m owner --gid-owner ${gidOf(worker)}`;
  const ports = urls.map((url) => new URL(url).port);
  const answers = ports.flatMap((port) => [
    `OUTPUT -p tcp --dport ${port} ${own} -j CONNMARK --set-mark ${gidOf(worker)}`,
    `INPUT -p tcp --sport ${port} -m connmark --mark ${gidOf(worker)} -j DROP`,
  ]);
  const requests = ports.map((port) => `OUTPUT -p tcp --dport ${port} ${own} -j DROP`);
  // Restate calls the worker.
  const called = peer === "Restate" ? [`OUTPUT -p tcp --sport ${workerPorts[worker]} ${own} -j DROP`] : [];
  return [...(lost === "requests" ? [] : answers), ...(lost === "answers" ? [] : requests), ...called];
};

/** Takes all its connections until it refuses one. */
const exhaust = async (url: string): Promise<readonly pg.Client[]> => {
  const held: pg.Client[] = [];
  for (;;) {
    const more = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const client = new pg.Client({ connectionString: url });
        client.on("error", () => {}); // PostgreSQL may be the next to die
        return client.connect().then(
          () => client,
          () => null,
        );
      }),
    );
    const taken = more.filter((client) => client !== null);
    held.push(...taken);
    if (taken.length < more.length) return held;
  }
};

const answersAgain = (chaos: ChaosFixture) =>
  chaos.postgres.ask("select 1").then(
    () => true,
    () => false,
  );

/** A full disk ends PostgreSQL and Restate, or it does not: afterwards both run. */
const runAgain = async (chaos: ChaosFixture) => {
  const { postgres, processes } = chaos;
  for (let waited = 0; waited < 20 && !(await answersAgain(chaos)); waited += 1) await sleep(500);
  if (!(await answersAgain(chaos))) {
    await postgres.kill().catch(() => {}); // it may have ended by itself
    await postgres.startAside();
  }
  // What it says to be healthy may be a server that can't write any more: an operator starts it again.
  await processes.restate.kill();
  await processes.restate.start();
};

const openFiles = (pid: number) => readdirSync(`/proc/${pid}/fd`).length;

const maxFiles = (pid: number) => {
  const [, soft = "1024"] = /Max open files\s+(\d+)/.exec(readFileSync(`/proc/${pid}/limits`, "utf8")) ?? [];
  return Number(soft);
};

/** Faults of the machine and its network. */
export const createHostFaults = (say: Say, frozen: ReadonlySet<number>) => {
  const cutOff = new Set<number>();
  const background: Promise<void>[] = [];

  const partition = (name: string, peer: Peer, lost: "requests" | "answers" | "both"): FaultKind => ({
    name,
    weight: 0.5,
    kills: false,
    inSpace: true,
    async run(chaos) {
      while (cutOff.size >= maxCutOff) await sleep(500);
      const worker = busyWorker(chaos, new Set([...cutOff, ...frozen])) ?? 0;
      if (cutOff.has(worker)) return;
      cutOff.add(worker);
      const ms = partitionMs(chaos);
      const heal = withRules(...rulesOf(chaos, worker, peer, lost));
      say(`worker ${worker + 1} cut off from ${peer} (${lost}) for ${Math.round(ms / 1_000)} s`);
      // The other faults continue meanwhile.
      background.push(
        sleep(ms).then(() => {
          heal();
          cutOff.delete(worker);
          say(`worker ${worker + 1} reaches ${peer} again`);
        }),
      );
      await sleep(1_000);
    },
  });

  const kinds: readonly FaultKind[] = [
    partition("worker cut off from the tool", "the tool", "both"),
    partition("answers of the tool lost on their way to a worker", "the tool", "answers"),
    partition("worker cut off from PostgreSQL", "PostgreSQL", "both"),
    partition("answers of PostgreSQL lost on their way to a worker", "PostgreSQL", "answers"),
    partition("worker cut off from Restate", "Restate", "both"),
    {
      name: "packets lost",
      weight: 1,
      kills: false,
      inSpace: true,
      async run(chaos) {
        const heal = withRules(`INPUT -p tcp -m statistic --mode random --probability ${packetLoss} -j DROP`);
        await sleep(between(chaos, 4_000, 10_000));
        heal();
      },
    },
    {
      name: "disk of PostgreSQL and Restate full",
      weight: 1,
      kills: true,
      inSpace: true,
      async run(chaos) {
        if (!space) return;
        const heal = fillDisk(space);
        await sleep(between(chaos, 3_000, 8_000));
        heal();
        await runAgain(chaos);
      },
    },
    {
      name: "clock of a worker moved",
      weight: 2,
      kills: false,
      async run(chaos) {
        const worker = busyWorker(chaos, frozen) ?? 0;
        const ms = between(chaos, -clockMs, clockMs);
        tell(chaos, worker, { clockMs: ms });
        say(`clock of worker ${worker + 1} off by ${Math.round(ms / 1_000)} s`);
        await sleep(between(chaos, 500, 2_000));
      },
    },
    {
      name: "worker out of memory",
      weight: 1,
      kills: true,
      async run(chaos) {
        const worker = busyWorker(chaos, frozen) ?? 0;
        tell(chaos, worker, { heap: true });
        await Promise.race([chaos.processes.workers[worker]?.exited, sleep(30_000)]);
        await chaos.processes.replaceWorker(worker, between(chaos, 0, 2_000));
      },
    },
    {
      name: "everything suspended but the tool",
      weight: 1,
      kills: false,
      async run(chaos) {
        const { processes, postgres } = chaos;
        processes.signalAll("SIGSTOP");
        postgres.signalAll("SIGSTOP");
        await sleep(between(chaos, 5_000, chaos.scale === 1 ? 40_000 : 10_000));
        postgres.signalAll("SIGCONT");
        processes.signalAll("SIGCONT");
      },
    },
    {
      name: "worker out of descriptors",
      weight: 1,
      kills: false,
      async run(chaos) {
        const pid = chaos.processes.workers[busyWorker(chaos, frozen) ?? 0]?.pid;
        if (pid === undefined) return;
        const limit = (count: number) =>
          execFileSync("prlimit", ["--pid", String(pid), `--nofile=${count}:`], { stdio: "ignore" });
        try {
          const before = maxFiles(pid);
          limit(openFiles(pid));
          await sleep(between(chaos, 3_000, 8_000));
          limit(before);
        } catch {
          // the worker ended
        }
      },
    },
    {
      name: "connections of PostgreSQL used up",
      weight: 1,
      kills: false,
      async run(chaos) {
        const held = await exhaust(chaos.postgres.url);
        await sleep(between(chaos, 3_000, 8_000));
        await Promise.all(held.map((client) => client.end().catch(() => {})));
      },
    },
  ];
  return { kinds, settle: async () => void (await Promise.all(background)) };
};
