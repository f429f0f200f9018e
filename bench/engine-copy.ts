import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createCustomerClient } from "../test/support/customer-client.ts";
import { type EngineProcesses, startEngineProcesses } from "../test/support/engine-processes.ts";
import { givenPartner } from "../test/support/fixtures.ts";
import { createFixture } from "../test/support/fixture.ts";
import { createPartnerClient } from "../test/support/partner-client.ts";
import type { Proof } from "../test/support/proof.ts";
import type { StandInProcess } from "../test/support/stand-in-process.ts";
import { observedEnv } from "./observability.ts";

/** The environment variable that sets how many partitions of a stream a worker copies concurrently. */
const partitionsVariable = "RUN_PARTITIONS";
const logs = join(import.meta.dirname, "../artifacts/bench-copy");

export interface EngineSide {
  /** A full run of a new import, from the first to the last step. */
  copyOnce(): Promise<void>;
  readonly processes: EngineProcesses;
}

export interface EngineSideOptions {
  readonly tool: StandInProcess;
  readonly partitions: number;
  readonly pageSize: number;
  readonly batchSize: number;
  /** Where the worker writes its CPU profile when it exits. */
  readonly profileTo?: string;
  /** With metrics, and with traces if they are asked for (observability.ts). */
  readonly isObserved?: boolean;
}

/** API, one worker, Restate and PostgreSQL, as an operator starts them. */
export const startEngineSide = async (
  proof: Proof,
  { tool, partitions, pageSize, batchSize, profileTo, isObserved = false }: EngineSideOptions,
): Promise<EngineSide> => {
  const folder = join(logs, `${partitions}${isObserved ? "-observed" : ""}`);
  const observed = async () => (isObserved ? observedEnv(proof) : {});
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // Commits do not wait for the disk, as in the bare script: the bench does not measure this machine's disk.
  const fixture = await createFixture(proof, { shared_buffers: "256MB" });
  const processes = await startEngineProcesses(proof, fixture, {
    workers: 1,
    folder,
    toolHosts: [tool.host],
    env: {
      LOG_LEVEL: "warn",
      STAND_IN_PAGE_SIZE: String(pageSize),
      STAND_IN_BATCH_SIZE: String(batchSize),
      STAND_IN_CONCURRENCY: String(4 * partitions),
      [partitionsVariable]: String(partitions),
      ...(await observed()),
    },
    workerEnv: {
      ...(profileTo ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profileTo}` } : {}),
      ...(await observed()),
    },
  });
  const { token } = await givenPartner(fixture.db, { destinationTool: "stand-in", payer: "partner" });
  const partner = createPartnerClient(processes.apiUrl, token);
  return {
    processes,
    async copyOnce() {
      const made = await partner.createImport({
        source_tool: "stand-in",
        family: "helpdesk",
        start_full: true,
      });
      const customer = createCustomerClient(processes.apiUrl, made);
      const settings = { instanceUrl: tool.url, token: tool.token };
      await customer.connect("source", settings);
      await customer.connect("destination", settings);
      await customer.untilStatus(["migration_completed"], ({ status, warnings }) => {
        if (status.code !== "migration_in_progress" && status.code !== "in_preparation")
          throw new Error(`The import is at ${status.code}: ${JSON.stringify(warnings)}`);
      });
    },
  };
};
