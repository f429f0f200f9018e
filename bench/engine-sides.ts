import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { makeWorkerUtils } from "graphile-worker";
import { createIngress } from "../server/src/engine/ingress.ts";
import { createPostgres } from "../test/support/postgres.ts";
import { cpuMsOf, cpuMsOfEnded } from "../test/support/process-time.ts";
import type { Proof } from "../test/support/proof.ts";
import { startRestate } from "../test/support/restate-process.ts";
import { type Answer, keyOf, now, type Order, type Question, type Seen, type Step } from "./engine-steps.ts";

/** Something that carries steps to a worker in its own process. */
export interface Side {
  readonly name: "restate" | "queue" | "queue_batched";
  /** CPU time so far, by group of processes. */
  cpuMs(): Readonly<Record<string, number>>;
  /** Resident memory of the server, without the worker. */
  residentMb(): number;
  /** Sends a step from outside the worker, as the dispatcher does. */
  send(step: Step, delayMs: number): Promise<unknown>;
  /** Has the worker expect a round, calls `begin`, and waits until every step was executed or patience ends. */
  round<T>(order: Order, begin: () => Promise<T>): Promise<{ readonly begun: T; readonly seen: Seen }>;
}

const patienceMs = 120_000;

const startWorker = async (proof: Proof, file: string, args: readonly string[]) => {
  const child: ChildProcess = fork(join(import.meta.dirname, file), args);
  proof.afterwards(() => child.kill("SIGKILL"));
  const ended = once(child, "exit").then(() => {
    throw new Error(`${file} ended.`);
  });
  ended.catch(() => {}); // at the end of the proof that is no failure
  const heard = async <K extends Answer["kind"]>(kind: K) => {
    const [answer] = (await Promise.race([once(child, "message"), ended])) as [Answer];
    if (answer.kind !== kind) throw new Error(`${file} answered ${answer.kind}, not ${kind}.`);
    return answer as Extract<Answer, { kind: K }>;
  };
  const ask = (question: Question) => void child.send(question);
  await heard("ready");
  const round: Side["round"] = async (order, begin) => {
    const ready = heard("ready");
    ask({ kind: "expect", order });
    await ready;
    const report = heard("seen");
    const begun = await begin();
    const timer = setTimeout(() => ask({ kind: "report" }), patienceMs);
    const { seen } = await report;
    clearTimeout(timer);
    return { begun, seen };
  };
  return { pid: child.pid ?? 0, round };
};

/** Without what it shares with other processes. */
const residentMbOf = (pid: number) => {
  const [, kilobytes] = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
};

const startRestateSide = async (proof: Proof): Promise<Side> => {
  // As many partitions as without this setting, and its files compressed, as in production.
  const restate = await startRestate({
    settings: {
      RESTATE_DEFAULT_NUM_PARTITIONS: "24",
      RESTATE_LOG_SERVER__ROCKSDB_DISABLE_WAL_COMPRESSION: "false",
      RESTATE_WORKER__STORAGE__ROCKSDB_DISABLE_WAL_COMPRESSION: "false",
    },
  });
  proof.afterwards(() => restate.remove());
  const worker = await startWorker(proof, "engine-restate-worker.ts", [
    restate.adminUrl,
    restate.identityKey,
  ]);
  const ingress = createIngress(restate.ingressUrl);
  proof.afterwards(() => ingress.close());
  return {
    name: "restate",
    cpuMs: () => ({ restate: cpuMsOf(restate.pid()), worker: cpuMsOf(worker.pid) }),
    residentMb: () => Math.round(residentMbOf(restate.pid())),
    send: ({ round, chain, index }, delayMs) =>
      ingress.send([{ runId: round, partition: chain, generation: index, delayMs }]),
    round: worker.round,
  };
};

/** The server and its children that run now. */
const familyOf = (pid: number) =>
  globSync("/proc/[0-9]*/stat").flatMap((file) => {
    const own = Number(file.split("/")[2]);
    try {
      const [, parent] = /.*\) \S (\d+) /.exec(readFileSync(file, "utf8")) ?? [];
      return own === pid || Number(parent) === pid ? [own] : [];
    } catch {
      return []; // the process ended in between
    }
  });

const startQueueSide = async (proof: Proof, name: "queue" | "queue_batched"): Promise<Side> => {
  // Synchronous commits and fsync, as in production.
  const postgres = await createPostgres({ fsync: "on" });
  proof.afterwards(() => postgres.remove());
  postgres.start();
  const utils = await makeWorkerUtils({ connectionString: postgres.url });
  proof.afterwards(() => utils.release());
  await utils.migrate();
  const worker = await startWorker(proof, "engine-queue-worker.ts", [
    postgres.url,
    name === "queue" ? "plain" : "batched",
  ]);
  const sum = (of: (pid: number) => number) =>
    familyOf(postgres.pid()).reduce((total, pid) => total + of(pid), 0);
  return {
    name,
    // A pool closes idle connections, whose processes then end: their time must not get lost.
    cpuMs: () => ({
      postgresql: sum(cpuMsOf) + cpuMsOfEnded(postgres.pid()),
      worker: cpuMsOf(worker.pid),
    }),
    residentMb: () => Math.round(sum(residentMbOf)),
    send: (step, delayMs) =>
      utils.addJob("work", step, {
        jobKey: keyOf(step),
        ...(delayMs > 0 ? { runAt: new Date(now() + delayMs) } : {}),
      }),
    round: worker.round,
  };
};

export const startSides = async (proof: Proof): Promise<readonly Side[]> => [
  await startRestateSide(proof),
  await startQueueSide(proof, "queue"),
  await startQueueSide(proof, "queue_batched"),
];
