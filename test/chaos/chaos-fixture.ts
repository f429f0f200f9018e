import type { Database } from "../../server/src/platform/db.ts";
import type { BugName } from "../planted-bugs/bugs.ts";
import { withBug } from "../planted-bugs/with-bug.ts";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "@portage/connector-kit/conformance";
import {
  type CustomerClient,
  CustomerError,
  createCustomerClient,
  type Side,
} from "../support/customer-client.ts";
import { type EngineProcesses, startEngineProcesses } from "../support/engine-processes.ts";
import { givenPartner } from "../support/fixtures.ts";
import { createFixture, type FixtureDatabase } from "../support/fixture.ts";
import { createPartnerClient } from "../support/partner-client.ts";
import type { PostgresServer } from "../support/postgres.ts";
import type { Proof } from "../support/proof.ts";
import { startStandInProcess, type StandInProcess } from "../support/stand-in-process.ts";
import { type ChaosDestination, standInDestination, standInGrace } from "./destination.ts";
import { workerFlags } from "../../server/src/main/worker-flags.ts";
import { describeExceptions, describeRuns } from "./diagnose.ts";
import { faultFile } from "./worker-faults.ts";
import { startRedmineDestination } from "./redmine/redmine-destination.ts";
import { startZendeskDestination } from "./zendesk/zendesk-destination.ts";

type DestinationName = "stand-in" | "stand-in-find" | "redmine" | "zendesk";

/** Redmine has no contacts and no organizations: the source has a few, so that tickets can reference them. */
const countsForRedmine = (records: number) => ({
  users: 10,
  groups: 5,
  organizations: 2,
  contacts: 10,
  tickets: Math.round(records * 0.3),
  comments: Math.round(records * 0.6),
  articles: Math.round(records * 0.05),
  attachments: Math.round(records * 0.05),
});

/** The connector writes no articles to Zendesk. */
const countsForZendesk = (records: number) => ({
  users: 10,
  groups: 5,
  organizations: Math.max(2, Math.round(records * 0.01)),
  contacts: Math.round(records * 0.08),
  tickets: Math.round(records * 0.28),
  comments: Math.round(records * 0.6),
  articles: 0,
  attachments: Math.round(records * 0.02),
});

/** Files are as small as possible: another proof covers their bytes. */
const countsForStandIn = (records: number) => ({
  users: 20,
  groups: 10,
  organizations: Math.max(2, Math.round(records * 0.004)),
  contacts: Math.round(records * 0.08),
  tickets: Math.round(records * 0.26),
  comments: Math.round(records * 0.6),
  articles: Math.round(records * 0.04),
  attachments: Math.round(records * 0.016),
});

export interface ChaosFixture {
  readonly random: Random;
  /** The source. */
  readonly tool: StandInProcess;
  readonly destination: ChaosDestination;
  readonly postgres: PostgresServer;
  readonly db: Database;
  /** The environment that an API process needs for the database. */
  readonly env: Readonly<Record<string, string>>;
  readonly processes: EngineProcesses;
  /** The file that tells a worker its fault. */
  faultFileOf(worker: number): string;
  /** The group of a worker, by which the firewall knows its packets. */
  gidOf(worker: number): number;
  /** 1: as the claim says. */
  readonly scale: number;
  readonly customer: CustomerClient;
  readonly records: number;
  readonly importId: string;
  items(): Promise<Readonly<Record<string, number>>>;
  /** Connects a side with a new token of its account, with retries. */
  connect(side: Side): Promise<void>;
  /** Expires the tokens of this side. */
  expire(side: Side): Promise<unknown>;
  /** Requests that the tool refused with 401. */
  unauthorized(side: Side): Promise<number>;
  /** The state of the runs. */
  describe(): Promise<readonly string[]>;
  /** Ledger rows that are not plainly written, and why. */
  exceptions(): Promise<readonly string[]>;
}

export interface ChaosOptions {
  readonly seed: string;
  readonly records: number;
  readonly destination: DestinationName;
  readonly plant: BugName | null;
  readonly random: Random;
  /** PostgreSQL's settings, and the address that everything uses for it; default: the server's own. */
  readonly database?: FixtureDatabase;
}

/** The logs of the processes; the next proof overwrites them. */
const logsOf = ({ destination, plant }: ChaosOptions) =>
  join(import.meta.dirname, "../../artifacts/chaos", [destination, plant ?? "as-it-is"].join("-"));
const firstGid = 7_001;
const gidOf = (worker: number) => firstGid + worker;
const faultFileIn = (folder: string, worker: number) => join(folder, `worker-${worker + 1}.fault.json`);

/** Workers that take faults from a file, each in a group of its own. */
const faulty = (folder: string) => (worker: number) => ({
  env: { [faultFile]: faultFileIn(folder, worker) },
  nodeFlags: [...workerFlags, "--import", pathToFileURL(join(import.meta.dirname, "worker-faults.ts")).href],
  ...(process.getuid?.() === 0 ? { gid: gidOf(worker) } : {}),
});

const connectPatienceMs = 120_000;

/** Starts all processes and creates an import with both sides unconnected. */
export const createChaosFixture = async (proof: Proof, options: ChaosOptions): Promise<ChaosFixture> => {
  const { seed, records, plant, random } = options;
  const isRedmine = options.destination === "redmine";
  const isZendesk = options.destination === "zendesk";
  const isJudgedByTables = isRedmine || isZendesk;
  const logs = logsOf(options);
  rmSync(logs, { recursive: true, force: true });
  mkdirSync(logs, { recursive: true });
  const countsFor = isRedmine ? countsForRedmine : isZendesk ? countsForZendesk : countsForStandIn;
  const counts = countsFor(records);
  const tool = await startStandInProcess({
    seed,
    counts,
    hostile: true,
    largeText: 0,
    fileBytes: 200,
    ...standInGrace,
    signed: isJudgedByTables,
  });
  proof.afterwards(() => tool.stop());
  const destination = isRedmine
    ? await startRedmineDestination(proof, seed, tool.control)
    : isZendesk
      ? await startZendeskDestination(proof, seed, tool.control)
      : await standInDestination(options.destination, tool);
  const fixture = await createFixture(proof, options.database?.settings, options.database?.addressOf);
  const processes = await startEngineProcesses(proof, fixture, {
    workers: 3,
    folder: logs,
    toolHosts: [...new Set([tool.host, destination.host, ...(destination.moreHosts ?? [])])],
    env: {
      ...destination.env,
      RUN_LEASE_MS: String(destination.times.leaseMs),
      RUN_WRITE_MS: String(destination.times.writeMs),
    },
    ...(plant === null ? {} : { workerEnv: withBug(plant) }),
    eachWorker: faulty(logs),
  });
  const { token } = await givenPartner(fixture.db, { destinationTool: destination.tool, payer: "partner" });
  const partner = createPartnerClient(processes.apiUrl, token);
  const made = await partner.createImport({ source_tool: "stand-in", family: "helpdesk", start_full: true });
  const customer = createCustomerClient(processes.apiUrl, made);
  const newSettings = {
    source: async () => ({
      instanceUrl: tool.url,
      token: (await tool.control.newToken(tool.account)).token,
    }),
    destination: destination.newSettings,
  };
  const judged = Object.entries(counts).filter(
    ([stream]) => !isJudgedByTables || destination.streams.includes(stream),
  );
  return {
    random,
    tool,
    destination,
    postgres: fixture.postgres,
    db: fixture.db,
    env: fixture.env,
    processes,
    faultFileOf: (worker) => faultFileIn(logs, worker),
    gidOf,
    scale: proof.scale,
    customer,
    records: judged.reduce((sum, [, each]) => sum + each, 0),
    importId: made.id,
    items: async () => (await partner.showImport(made.id)).items,
    async connect(side) {
      const giveUpAt = performance.now() + connectPatienceMs;
      for (;;) {
        const settings = await newSettings[side]();
        try {
          return await customer.connect(side, settings);
        } catch (error) {
          // The tool may fail at this moment: a customer would try again.
          if (!(error instanceof CustomerError) || performance.now() > giveUpAt) throw error;
          await sleep(1_000);
        }
      }
    },
    expire: (side) => (side === "source" ? tool.control.expire(tool.account) : destination.expire()),
    unauthorized: async (side) =>
      side === "source" ? (await tool.control.stats()).unauthorized : destination.unauthorized(),
    describe: () => describeRuns(fixture.db),
    exceptions: () => describeExceptions(fixture.db),
  };
};
