import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { standInPackages } from "../tools/stand-in-package/index.ts";
import type { ApiProcess } from "./api-process.ts";
import { type CustomerClient, createCustomerClient, type Side } from "./customer-client.ts";
import { givenPartner } from "./fixtures.ts";
import { createFixture, type Fixture } from "./fixture.ts";
import { createPartnerClient } from "./partner-client.ts";
import { freePort } from "./free-port.ts";
import type { Proof } from "./proof.ts";
import type { StandInProcess } from "./stand-in-process.ts";
import { startWorkerProcess, type WorkerProcess, type WorkerProcessOptions } from "./worker-process.ts";

/** One server, or the front of several. */
export interface RestateDoor {
  readonly ingressUrl: string;
  readonly adminUrl: string;
  readonly identityKey: string;
}

export interface RunFixtureOptions {
  /** The name of the proof, and of the folder with its logs. */
  readonly name: string;
  readonly restate: RestateDoor;
  readonly tools: readonly StandInProcess[];
  /** Environment of the API and the workers. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface ReadyImport {
  readonly id: string;
  readonly tool: StandInProcess;
  readonly customer: CustomerClient;
  items(): Promise<Readonly<Record<string, number>>>;
  /** Connects the other side; the full run then starts by itself, as soon as there is a worker. */
  start(): Promise<void>;
}

/** PostgreSQL, an API, and workers on their own addresses, beside a running Restate. */
export interface RunFixture {
  readonly services: Fixture;
  readonly api: ApiProcess;
  /** The folder of the logs. */
  readonly logs: string;
  startWorker(options?: Partial<WorkerProcessOptions>): Promise<WorkerProcess>;
  /** An import between two new accounts of one tool, one of them connected. */
  newImport(tool: StandInProcess): Promise<ReadyImport>;
}

const inProgress = "migration_in_progress";
const logsOf = (name: string) => join(import.meta.dirname, "../../artifacts", name);

export const createRunFixture = async (
  proof: Proof,
  { name, restate, tools, env: more = {} }: RunFixtureOptions,
): Promise<RunFixture> => {
  const logs = logsOf(name);
  rmSync(logs, { recursive: true, force: true });
  mkdirSync(logs, { recursive: true });
  const services = await createFixture(proof);
  const env = {
    ...services.env,
    PORTAGE_CONNECTORS: standInPackages.join(","),
    OUTBOUND_ALLOW: tools.map(({ host }) => host).join(","),
    RESTATE_INGRESS_URL: restate.ingressUrl,
    RESTATE_ADMIN_URL: restate.adminUrl,
    RESTATE_IDENTITY_KEYS: restate.identityKey,
    ...more,
  };
  const port = String(await freePort());
  const api = await services.startApi({ env: { ...env, PORT: port }, logFile: join(logs, "api.log") });
  const { token } = await givenPartner(services.db, { destinationTool: "stand-in", payer: "partner" });
  const partner = createPartnerClient(api.url, token);
  let workers = 0;
  return {
    services,
    api,
    logs,
    startWorker: async (options = {}) => {
      workers += 1;
      const worker = await startWorkerProcess({
        ...options,
        env: { ...env, ...options.env },
        logFile: join(logs, `worker-${workers}.log`),
      });
      proof.afterwards(() => worker.stop());
      return worker;
    },
    newImport: async (tool) => {
      const body = { source_tool: "stand-in", family: "helpdesk", start_full: true };
      const made = await partner.createImport(body);
      const customer = createCustomerClient(api.url, made);
      const connect = async (side: Side) => {
        const account = await tool.control.newAccount();
        await customer.connect(side, { instanceUrl: tool.url, token: account.token });
      };
      await connect("source");
      return {
        id: made.id,
        tool,
        customer,
        items: async () => (await partner.showImport(made.id)).items,
        start: () => connect("destination"),
      };
    },
  };
};

/** Waits for the end of a full run; an unexpected status fails at once. */
export const untilCompleted = async (
  { customer }: Pick<ReadyImport, "customer">,
  maxMs: number,
): Promise<void> => {
  const giveUpAt = performance.now() + maxMs;
  await customer.untilStatus(["migration_completed"], async ({ status, warnings }) => {
    // During the preparation, a warning explains what blocks the run.
    const goesOn = status.code === "in_preparation" ? warnings.length === 0 : status.code === inProgress;
    if (!goesOn) throw new Error(`The import is at ${status.code}: ${JSON.stringify(warnings)}`);
    if (performance.now() > giveUpAt) throw new Error(`The run does not end in ${maxMs / 1000} s.`);
    await sleep(100);
  });
};
