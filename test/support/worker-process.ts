import { join, resolve } from "node:path";
import { workerFlags } from "../../server/src/main/worker-flags.ts";
import type { LeashedProcess } from "./leashed-process.ts";
import { freePort } from "./free-port.ts";
import { timed } from "./set-up-times.ts";
import { type ServerProcessOptions, spawnServer, untilReady } from "./server-process.ts";

const name = "The worker";
const root = join(import.meta.dirname, "../..");

export interface WorkerProcess extends LeashedProcess {
  readonly port: number;
  /** Where Restate finds it. */
  readonly url: string;
  readonly healthUrl: string;
}

export interface WorkerProcessOptions extends ServerProcessOptions {
  /** Which program, relative to the root of the repository; an absolute path is another release. */
  readonly program?: string;
  /** Its port; default: a free one. */
  readonly port?: number;
}

/**
 * Starts a worker as an operator would, on loopback; it may not be ready yet. `env` says where PostgreSQL and Restate
 * are (DATABASE_URL, RESTATE_INGRESS_URL, RESTATE_ADMIN_URL, RESTATE_IDENTITY_KEYS).
 */
export const spawnWorker = async (options: WorkerProcessOptions): Promise<WorkerProcess> => {
  const { program = "server/src/main/worker.ts", nodeFlags = workerFlags } = options;
  const port = options.port ?? (await freePort());
  const healthPort = await freePort();
  const env = { WORKER_PORT: String(port), WORKER_HEALTH_PORT: String(healthPort), ...options.env };
  return {
    ...spawnServer({ ...options, name, program: resolve(root, program), nodeFlags, env }),
    port,
    url: `http://127.0.0.1:${port}`,
    healthUrl: `http://127.0.0.1:${healthPort}`,
  };
};

/** The same, after it is ready: Restate has registered it. */
export const startWorkerProcess = async (options: WorkerProcessOptions): Promise<WorkerProcess> => {
  const worker = await spawnWorker(options);
  await timed("worker process", () => untilReady(name, worker, `${worker.healthUrl}/readyz`));
  return worker;
};
