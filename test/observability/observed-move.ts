import type { Proof } from "../support/proof.ts";
import type { ApiProcess } from "../support/api-process.ts";
import { freePort } from "../support/free-port.ts";
import { startRestate } from "../support/restate-process.ts";
import { createRunFixture, type ReadyImport, type RunFixture } from "../support/run-fixture.ts";
import { type StandInProcess, startStandInProcess } from "../support/stand-in-process.ts";
import type { WorkerProcess } from "../support/worker-process.ts";

/** A stand-in tool, Restate, PostgreSQL, an API and a worker, whose metrics, logs and traces are looked at. */
export interface ObservedMove {
  readonly fixture: RunFixture;
  readonly tool: StandInProcess;
  readonly api: ApiProcess;
  readonly worker: WorkerProcess;
  readonly apiMetrics: string;
  readonly workerMetrics: string;
  newImport(): Promise<ReadyImport>;
  remove(): Promise<void>;
}

const counts = { users: 3, groups: 2, tickets: 20 };

export const createObservedMove = async (
  name: string,
  env: Readonly<Record<string, string>> = {},
  /** Hosts of webhook receivers that may be called. */
  webhookAllow: readonly string[] = [],
): Promise<ObservedMove> => {
  const undos: (() => unknown)[] = [];
  const proof: Proof = {
    scale: 1,
    size: (full) => full,
    say: () => {},
    holds: () => {},
    meets: () => {},
    aims: () => {},
    afterwards: (undo) => void undos.unshift(undo),
  };
  const tool = await startStandInProcess({ counts, lean: true, hostile: false, largeText: 0 });
  proof.afterwards(() => tool.stop());
  const restate = await startRestate();
  proof.afterwards(() => restate.remove());
  const [apiPort, workerPort] = [await freePort(), await freePort()];
  const fixture = await createRunFixture(proof, {
    name: `observed-${name}`,
    restate,
    tools: [tool],
    env: {
      METRICS_PORT: String(apiPort),
      METRICS_INTERVAL_MS: "250",
      WEBHOOK_ALLOW: webhookAllow.join(","),
      ...env,
    },
  });
  const worker = await fixture.startWorker({ env: { METRICS_PORT: String(workerPort) } });
  return {
    fixture,
    tool,
    api: fixture.api,
    worker,
    apiMetrics: `http://127.0.0.1:${apiPort}`,
    workerMetrics: `http://127.0.0.1:${workerPort}`,
    newImport: () => fixture.newImport(tool),
    remove: async () => {
      for (const undo of undos) await undo();
    },
  };
};
