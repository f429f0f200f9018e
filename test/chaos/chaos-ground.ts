import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
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
import { createGround } from "../support/ground.ts";
import { createPartnerClient } from "../support/partner-client.ts";
import type { PostgresServer } from "../support/postgres.ts";
import type { Proof } from "../support/proof.ts";
import { startStandInProcess, type StandInProcess } from "../support/stand-in-process.ts";
import { type ChaosDestination, standInDestination, standInGrace } from "./destination.ts";
import { describeExceptions, describeRuns } from "./diagnose.ts";
import { startRedmineDestination } from "./redmine/redmine-destination.ts";

type DestinationName = "stand-in" | "stand-in-find" | "redmine";

/** Redmine has no contacts and no organizations: a few are there, for tickets to point to. */
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

/** Files are as small as can be: their bytes are another proof's. */
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

export interface ChaosGround {
  readonly random: Random;
  /** The source. */
  readonly tool: StandInProcess;
  readonly destination: ChaosDestination;
  readonly postgres: PostgresServer;
  readonly processes: EngineProcesses;
  readonly customer: CustomerClient;
  readonly records: number;
  readonly importId: string;
  items(): Promise<Readonly<Record<string, number>>>;
  /** Connects a side with a new token of its account, as often as it takes. */
  connect(side: Side): Promise<void>;
  /** Its tokens are refused from now on. */
  expire(side: Side): Promise<unknown>;
  /** Requests that were refused because of who sent them. */
  unauthorized(side: Side): Promise<number>;
  /** Where the runs stand. */
  describe(): Promise<readonly string[]>;
  /** What was not simply written, and why. */
  exceptions(): Promise<readonly string[]>;
}

export interface ChaosOptions {
  readonly seed: string;
  readonly records: number;
  readonly destination: DestinationName;
  readonly plant: string | null;
  readonly random: Random;
}

/** What the processes wrote, until the next time. */
const logsOf = ({ destination, plant }: ChaosOptions) =>
  join(import.meta.dirname, "../../artifacts/chaos", [destination, plant ?? "as-it-is"].join("-"));
const connectPatienceMs = 120_000;

/** Everything up, and an import that waits for its two sides. */
export const createChaosGround = async (proof: Proof, options: ChaosOptions): Promise<ChaosGround> => {
  const { seed, records, plant, random } = options;
  const isRedmine = options.destination === "redmine";
  const logs = logsOf(options);
  rmSync(logs, { recursive: true, force: true });
  mkdirSync(logs, { recursive: true });
  const counts = isRedmine ? countsForRedmine(records) : countsForStandIn(records);
  const tool = await startStandInProcess({
    seed,
    counts,
    hostile: true,
    largeText: 0,
    fileBytes: 200,
    ...standInGrace,
    signed: isRedmine,
  });
  proof.afterwards(() => tool.stop());
  const destination = isRedmine
    ? await startRedmineDestination(proof, seed, tool.control)
    : await standInDestination(options.destination, tool);
  const ground = await createGround(proof);
  const processes = await startEngineProcesses(proof, ground, {
    workers: 3,
    folder: logs,
    toolHosts: [...new Set([tool.host, destination.host])],
    env: {
      ...destination.env,
      RUN_LEASE_MS: String(destination.times.leaseMs),
      RUN_WRITE_MS: String(destination.times.writeMs),
    },
    ...(plant === null ? {} : { workerEnv: { PORTAGE_TEST_PLANT: plant } }),
  });
  const { token } = await givenPartner(ground.db, { destinationTool: destination.tool, payer: "partner" });
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
    ([stream]) => !isRedmine || destination.streams.includes(stream),
  );
  return {
    random,
    tool,
    destination,
    postgres: ground.postgres,
    processes,
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
          // The tool may just be out of order: a person would try again.
          if (!(error instanceof CustomerError) || performance.now() > giveUpAt) throw error;
          await sleep(1_000);
        }
      }
    },
    expire: (side) => (side === "source" ? tool.control.expire(tool.account) : destination.expire()),
    unauthorized: async (side) =>
      side === "source" ? (await tool.control.stats()).unauthorized : destination.unauthorized(),
    describe: () => describeRuns(ground.db),
    exceptions: () => describeExceptions(ground.db),
  };
};
