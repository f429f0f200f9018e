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

/** Of faults that last while others happen. A run of a smaller size has no time for the whole. */
const lastsMs = (chaos: ChaosFixture, least: number, most: number) =>
  chaos.scale === 1 ? between(chaos, least, most) : between(chaos, 8_000, 20_000);

const sigwinch = 28;

/** A process that is just starting does not listen yet. */
const listens = (pid: number) => {
  try {
    const [, caught = "0"] = /SigCgt:\s*(\w+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return (BigInt(`0x${caught}`) & (1n << BigInt(sigwinch - 1))) !== 0n;
  } catch {
    return false; // it has ended
  }
};

/** Whether the worker was told. */
const tell = ({ faultFileOf, processes }: ChaosFixture, worker: number, fault: WorkerFault): boolean => {
  const told = processes.workers[worker];
  if (!told || !listens(told.pid)) return false;
  writeFileSync(faultFileOf(worker), JSON.stringify(fault));
  told.kill("SIGWINCH");
  return true;
};

/** Tells it as soon as it listens. */
const tellSoon = async (chaos: ChaosFixture, worker: number, fault: WorkerFault) => {
  for (let waited = 0; waited < 300 && !tell(chaos, worker, fault); waited += 1) await sleep(100);
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
  const { restate } = processes;
  // Although it says to be healthy it may be unable to write any more: an operator starts it again.
  await restate.kill();
  await restate.start().catch(async () => {
    await restate.kill();
    restate.wipe();
    await restate.start();
  });
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
  /** A worker that works; waits until one is in no other trouble. */
  const freeWorker = async (chaos: ChaosFixture): Promise<number> => {
    for (;;) {
      const worker = cutOff.size < maxCutOff ? busyWorker(chaos, new Set([...cutOff, ...frozen])) : undefined;
      if (worker !== undefined) return worker;
      await sleep(500);
    }
  };

  const partition = (name: string, peer: Peer, lost: "requests" | "answers" | "both"): FaultKind => ({
    name,
    weight: 0.5,
    kills: false,
    inSpace: true,
    async run(chaos) {
      const worker = await freeWorker(chaos);
      cutOff.add(worker);
      const ms = lastsMs(chaos, 90_000, 300_000);
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
        const worker = await freeWorker(chaos);
        const moved = chaos.processes.workers[worker];
        const ms = between(chaos, -clockMs, clockMs);
        await tellSoon(chaos, worker, { clockMs: ms });
        say(`clock of worker ${worker + 1} off by ${Math.round(ms / 1_000)} s`);
        background.push(
          sleep(lastsMs(chaos, 20_000, 60_000)).then(() => {
            if (chaos.processes.workers[worker] === moved) tell(chaos, worker, { clockMs: 0 });
          }),
        );
      },
    },
    {
      name: "worker out of memory",
      weight: 1,
      kills: true,
      async run(chaos) {
        const worker = await freeWorker(chaos);
        await tellSoon(chaos, worker, { heap: true });
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
        const index = await freeWorker(chaos);
        const worker = chaos.processes.workers[index];
        if (!worker) return;
        // Only a process of the same group may change its limits.
        const gid = process.getuid?.() === 0 ? { gid: chaos.gidOf(index) } : {};
        const limit = (count: number) =>
          execFileSync("prlimit", ["--pid", String(worker.pid), `--nofile=${count}:`], {
            stdio: "ignore",
            ...gid,
          });
        const before = maxFiles(worker.pid);
        limit(openFiles(worker.pid));
        await sleep(between(chaos, 3_000, 8_000));
        if (worker.isRunning()) limit(before);
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
