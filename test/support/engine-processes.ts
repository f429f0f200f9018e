import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { standInPackages } from "../tools/stand-in-package/index.ts";
import { type ApiProcess, startApiProcess } from "./api-process.ts";
import type { Fixture } from "./fixture.ts";
import { freePort } from "./free-port.ts";
import type { Proof } from "./proof.ts";
import { type RestateProcess, startRestate } from "./restate-process.ts";
import { startTcpBalancer, type TcpBalancer } from "./tcp-balancer.ts";
import { spawnWorker, startWorkerProcess, type WorkerProcess } from "./worker-process.ts";

/** One API, several workers behind one address, Restate and PostgreSQL: everything that an import needs, killable. */
export interface EngineProcesses {
  readonly apiUrl: string;
  readonly restate: RestateProcess;
  readonly workers: readonly WorkerProcess[];
  readonly workerPorts: readonly number[];
  /** The workers that have a connection from Restate. */
  busyWorkers(): readonly number[];
  /** kill -9 of the process, and a replacement after a while. */
  replaceWorker(index: number, afterMs: number): Promise<void>;
  replaceApi(afterMs: number): Promise<void>;
  /** Starts what has ended by itself, as a supervisor would, and says what it was. */
  supervise(): Promise<readonly string[]>;
  /** Signals the API, each worker and Restate. */
  signalAll(signal: "SIGSTOP" | "SIGCONT"): void;
  stop(): Promise<void>;
}

export interface EngineOptions {
  readonly workers: number;
  /** Of the stand-in, in the format of OUTBOUND_ALLOW. */
  readonly toolHosts: readonly string[];
  /** Environment of the API and the workers. */
  readonly env?: Readonly<Record<string, string>>;
  readonly workerEnv?: Readonly<Record<string, string>>;
  /** More settings of each worker's process, which its replacements share. */
  readonly eachWorker?: (index: number) => {
    readonly env: Readonly<Record<string, string>>;
    readonly nodeFlags: readonly string[];
    readonly gid?: number;
  };
  /** The folder of the logs. */
  readonly folder: string;
  /** The API's port, if its address must be known before it starts. */
  readonly apiPort?: number;
}

/** Short times, so that the engine soon detects a hanging worker and all workers have work. */
const restateSettings = {
  RESTATE_WORKER__INVOKER__HTTP2_KEEP_ALIVE_INTERVAL: "5s",
  RESTATE_WORKER__INVOKER__HTTP2_KEEP_ALIVE_TIMEOUT: "5s",
  RESTATE_WORKER__INVOKER__HTTP2_STREAMS_PER_CONNECTION_LIMIT: "2",
};

export const startEngineProcesses = async (
  proof: Pick<Proof, "afterwards">,
  fixture: Fixture,
  {
    workers: count,
    toolHosts,
    env: more = {},
    workerEnv = {},
    eachWorker,
    folder,
    apiPort: wanted,
  }: EngineOptions,
): Promise<EngineProcesses> => {
  const restate = await startRestate({ settings: restateSettings });
  proof.afterwards(() => restate.remove());
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  const balancer: TcpBalancer = await startTcpBalancer(ports.map((port) => `http://127.0.0.1:${port}`));
  proof.afterwards(() => balancer.close());
  const env = {
    ...fixture.env,
    PORTAGE_CONNECTORS: standInPackages.join(","),
    OUTBOUND_ALLOW: toolHosts.join(","),
    RESTATE_INGRESS_URL: restate.ingressUrl,
    RESTATE_ADMIN_URL: restate.adminUrl,
    RESTATE_IDENTITY_KEYS: restate.identityKey,
    ...more,
  };
  const apiPort = String(wanted ?? (await freePort()));
  const startApi = () =>
    startApiProcess({ env: { ...env, PORT: apiPort }, logFile: join(folder, "api.log") });
  const workerOptions = (index: number) => ({
    ...eachWorker?.(index),
    env: { ...env, WORKER_URL: balancer.url, ...workerEnv, ...eachWorker?.(index).env },
    ...(ports[index] === undefined ? {} : { port: ports[index] }),
    logFile: join(folder, `worker-${index + 1}.log`),
  });
  let api: ApiProcess = await startApi();
  const workers = await Promise.all(ports.map((_, index) => startWorkerProcess(workerOptions(index))));
  const stop = async () => {
    await Promise.all([api, ...workers].map((each) => each.stop()));
  };
  proof.afterwards(stop);
  return {
    apiUrl: api.url,
    restate,
    workers,
    workerPorts: ports,
    busyWorkers: () => workers.flatMap(({ url }, index) => (balancer.connectionsTo(url) > 0 ? [index] : [])),
    async replaceWorker(index, afterMs) {
      workers[index]?.kill("SIGKILL");
      await workers[index]?.exited;
      await sleep(afterMs);
      // Does not wait until it is ready: Restate or PostgreSQL may be the next to die.
      workers[index] = await spawnWorker(workerOptions(index));
    },
    async replaceApi(afterMs) {
      api.kill("SIGKILL");
      await api.exited;
      await sleep(afterMs);
      api = await startApi();
    },
    async supervise() {
      const ended: string[] = [];
      for (const [index, worker] of workers.entries()) {
        if (worker.isRunning()) continue;
        const { code, signal } = await worker.exited;
        ended.push(`worker ${index + 1} (${code ?? signal})`);
        workers[index] = await spawnWorker(workerOptions(index));
      }
      if (!api.isRunning()) {
        const { code, signal } = await api.exited;
        ended.push(`the API (${code ?? signal})`);
        api = await startApi();
      }
      return ended;
    },
    signalAll(signal) {
      for (const each of [api, ...workers]) each.kill(signal);
      restate.signal(signal);
    },
    stop,
  };
};
