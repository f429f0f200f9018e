import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type ApiProcess, startApiProcess } from "../../support/api-process.ts";
import { type CustomerClient, createCustomerClient, type Side } from "../../support/customer-client.ts";
import { freePort } from "../../support/free-port.ts";
import { createPartnerClient } from "../../support/partner-client.ts";
import type { Proof } from "../../support/proof.ts";
import type { StandInProcess } from "../../support/stand-in-process.ts";
import { startTcpBalancer } from "../../support/tcp-balancer.ts";
import { startWorkerProcess, type WorkerProcess } from "../../support/worker-process.ts";
import { standInPackages } from "../../tools/stand-in-package/index.ts";

const ownRoot = join(import.meta.dirname, "../../..");
const apiCount = 2;

/** What a process is started with: the folder of its release, and its environment. */
export interface Start {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface RollingService {
  /** The balancer in front of the API processes. */
  readonly url: string;
  /** Replaces the API processes one after another, each before the old one ends. */
  replaceApis(start: Start): Promise<void>;
  /** Starts a worker at another address, and stops the old one when the new one is ready. */
  replaceWorker(start: Start): Promise<void>;
  stop(): Promise<void>;
}

const programOf = ({ root }: Start, name: "api" | "worker") => join(root, `server/src/main/${name}.ts`);

/** For PORTAGE_CONNECTORS of a release: its own files, made for its own kit. */
export const connectorsOf = (root: string): string =>
  standInPackages.map((file) => file.replace(ownRoot, root)).join(",");

/** Two API processes behind a balancer and a worker, which an operator replaces one after another. */
export const startRollingService = async (
  proof: Proof,
  name: string,
  first: Start,
): Promise<RollingService> => {
  const logs = join(ownRoot, "artifacts", name);
  rmSync(logs, { recursive: true, force: true });
  mkdirSync(logs, { recursive: true });
  const exits: (number | null)[] = [];
  let started = 0;
  const startApi = async (start: Start): Promise<ApiProcess> => {
    const env = {
      ...start.env,
      PORT: String(await freePort()),
      PORTAGE_CONNECTORS: connectorsOf(start.root),
    };
    started += 1;
    const logFile = join(logs, `api-${started}.log`);
    return startApiProcess({ env, program: programOf(start, "api"), logFile });
  };
  const startWorker = (start: Start): Promise<WorkerProcess> => {
    started += 1;
    return startWorkerProcess({
      env: { ...start.env, PORTAGE_CONNECTORS: connectorsOf(start.root) },
      program: programOf(start, "worker"),
      logFile: join(logs, `worker-${started}.log`),
    });
  };
  const balancer = await startTcpBalancer([]);
  proof.afterwards(() => balancer.close());
  let apis: readonly ApiProcess[] = [];
  let worker: WorkerProcess | undefined;
  const stop = async () => {
    await Promise.all([...apis, ...(worker ? [worker] : [])].map((each) => each.stop()));
  };
  proof.afterwards(stop);
  const end = async (process: ApiProcess | WorkerProcess) => {
    process.kill("SIGTERM");
    exits.push((await process.exited).code);
  };
  const replaceApis = async (start: Start) => {
    const old = apis;
    for (const process of old) {
      const next = await startApi(start);
      apis = [...apis.filter((each) => each !== process), next];
      // As a balancer that sees /readyz fail: no new connection, and time for the requests on open ones.
      balancer.setTargets(apis.map(({ url }) => url));
      await end(process);
    }
  };
  const replaceWorker = async (start: Start) => {
    const old = worker;
    worker = await startWorker(start);
    if (old) await end(old);
  };
  for (let count = 0; count < apiCount; count += 1) apis = [...apis, await startApi(first)];
  balancer.setTargets(apis.map(({ url }) => url));
  await replaceWorker(first);
  return {
    url: balancer.url,
    replaceApis,
    replaceWorker,
    stop: async () => {
      await stop();
      proof.holds(
        "every replaced process exited with 0",
        exits.every((code) => code === 0),
        exits,
      );
    },
  };
};

export interface RollingImport {
  readonly id: string;
  readonly customer: CustomerClient;
  items(): Promise<Readonly<Record<string, number>>>;
}

/** An import between two new accounts of the tool; its full run has started. */
export const startImport = async (
  { url }: Pick<RollingService, "url">,
  token: string,
  tool: StandInProcess,
): Promise<RollingImport> => {
  const partner = createPartnerClient(url, token);
  const made = await partner.createImport({
    source_tool: "stand-in",
    family: "helpdesk",
    start_full: true,
    reference: "the run",
  });
  const customer = createCustomerClient(url, made);
  for (const side of ["source", "destination"] as const satisfies readonly Side[]) {
    const account = await tool.control.newAccount();
    await customer.connect(side, { instanceUrl: tool.url, token: account.token });
  }
  return { id: made.id, customer, items: async () => (await partner.showImport(made.id)).items };
};
