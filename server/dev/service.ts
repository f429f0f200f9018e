import { join } from "node:path";
import { workerFlags } from "../src/main/worker-flags.ts";
import type { Children } from "./children.ts";
import type { Ports } from "./ports.ts";
import { restateIdentity, restatePlan } from "./restate.ts";
import { waitUntilReady } from "./wait-until-ready.ts";

export interface ServiceNeeds {
  /** Where it keeps its state and its logs. */
  readonly folder: string;
  readonly databaseUrl: string;
  readonly keys: string;
  readonly ports: Ports;
  /** Restarts processes whose code changed, and lets them log into this terminal. */
  readonly watched: boolean;
  /** Further settings of API and worker. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Service {
  readonly url: string;
  readonly restateAdmin: string;
  /** The settings of its processes. */
  readonly variables: Readonly<Record<string, string>>;
  /** Resolves when all of it answers. */
  readonly ready: Promise<unknown>;
}

/** Our own sources, and not the packages: those change when other checkouts share their files by hard links. */
const watchedPaths = ["connector-kit", "connectors", "contract", "server"].map(
  (folder) => `--watch-path=${join(import.meta.dirname, "../..", folder)}`,
);

/** Starts Restate, the API and a worker on loopback. */
export const startService = (
  children: Children,
  { folder, databaseUrl, keys, ports, watched, env = {} }: ServiceNeeds,
): Service => {
  const url = `http://127.0.0.1:${ports.api}`;
  const restateAdmin = `http://127.0.0.1:${ports.restateAdmin}`;
  const variables = {
    DATABASE_URL: databaseUrl,
    PORTAGE_KEYS: keys,
    PUBLIC_URL: process.env["PUBLIC_URL"] || url,
    PORT: String(ports.api),
    RESTATE_INGRESS_URL: `http://127.0.0.1:${ports.restateIngress}`,
    RESTATE_ADMIN_URL: restateAdmin,
    RESTATE_IDENTITY_KEYS: restateIdentity(folder),
    WORKER_PORT: String(ports.worker),
    WORKER_HEALTH_PORT: String(ports.workerHealth),
    ...env,
  };
  const start = (name: string, file: string, flags: readonly string[] = []) =>
    children.start({
      name: `the ${name}`,
      command: process.execPath,
      args: [
        ...flags,
        ...(watched ? ["--watch", "--watch-preserve-output", ...watchedPaths] : []),
        join(import.meta.dirname, "../src/main", file),
      ],
      // No load balancer here: processes may stop at once.
      env: {
        ...process.env,
        SHUTDOWN_DELAY_MS: "0",
        HOST: "127.0.0.1",
        WORKER_HOST: "127.0.0.1",
        ...variables,
      },
      logFile: watched ? null : join(folder, `${name}.log`),
    });
  children.start(restatePlan(folder, ports));
  start("API", "api.ts");
  start("worker", "worker.ts", workerFlags);
  return {
    url,
    restateAdmin,
    variables,
    ready: Promise.all([
      waitUntilReady("Restate", `${restateAdmin}/health`),
      waitUntilReady("The API", `${url}/readyz`),
      waitUntilReady("The worker", `http://127.0.0.1:${ports.workerHealth}/readyz`),
    ]),
  };
};
