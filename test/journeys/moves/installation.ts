import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startEngineProcesses } from "../../support/engine-processes.ts";
import { givenPartner } from "../../support/fixtures.ts";
import { createFixture } from "../../support/fixture.ts";
import { type JourneyImport, openImport } from "./journey-import.ts";
import type { JourneySide } from "./side.ts";

/** A step of a run; each begins when the one before has ended. */
export interface EndedStep {
  /** Its task, and its stream if it is of one. */
  readonly name: string;
  readonly endedAt: number;
}

export interface Installation {
  /** A partner with this destination creates an import for a customer with that source. */
  newImport(source: JourneySide, destination: JourneySide, more?: object): Promise<JourneyImport>;
  /** The steps of an import's last run, in their order. */
  lastSteps(importId: string): Promise<readonly EndedStep[]>;
  stop(): Promise<void>;
}

const logs = join(import.meta.dirname, "../../../artifacts/journeys");

export interface InstallationNeeds {
  /** The tools that it may reach. */
  readonly hosts: readonly string[];
  /** Packages with further connectors. */
  readonly packages?: readonly string[];
  /** Environment of the API and the workers. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Portage as an operator runs it: PostgreSQL, Restate, an API and two workers. */
export const startInstallation = async ({
  hosts,
  packages = [],
  env = {},
}: InstallationNeeds): Promise<Installation> => {
  const undos: (() => unknown)[] = [];
  const afterwards = (undo: () => unknown) => void undos.unshift(undo);
  const stop = async () => {
    for (const undo of undos.splice(0)) await undo();
  };
  try {
    mkdirSync(logs, { recursive: true });
    const fixture = await createFixture({ afterwards });
    const processes = await startEngineProcesses({ afterwards }, fixture, {
      workers: 2,
      folder: logs,
      toolHosts: hosts,
      // For tools that take seconds per record: an unanswered write is in doubt for more than a minute.
      env: {
        RUN_LEASE_MS: "300000",
        RUN_WRITE_MS: "150000",
        PORTAGE_CONNECTORS: packages.join(","),
        ...env,
      },
    });
    return {
      async newImport(source, destination, more = {}) {
        // Always sponsored: the full migration needs no payment.
        const settings = { destinationTool: destination.tool, payer: "partner" as const };
        const { token } = await givenPartner(fixture.db, settings);
        return openImport(processes.apiUrl, token, {
          source_tool: source.tool,
          family: "helpdesk",
          ...more,
        });
      },
      async lastSteps(importId) {
        const { rows } = await fixture.db.pool.query<{ name: string; endedAt: Date }>(
          `select min(task) || case when count(distinct stream) = 1 then ' ' || min(stream) else '' end as name,
             max(ended_at) as "endedAt"
           from partitions where run_id = (select id from runs where import_id = $1 order by number desc limit 1)
           group by step order by step`,
          [importId],
        );
        return rows.map(({ name, endedAt }) => ({ name, endedAt: endedAt.getTime() }));
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
