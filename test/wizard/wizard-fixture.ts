import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { PartnerSettings } from "../../server/src/features/partners/index.ts";
import type { Database } from "../../server/src/platform/db.ts";
import { createSealer, type Sealer } from "../../server/src/platform/seal.ts";
import { type EngineProcesses, startEngineProcesses } from "../support/engine-processes.ts";
import { givenPartner } from "../support/fixtures.ts";
import { createFixture, type Fixture } from "../support/fixture.ts";
import { freePort } from "../support/free-port.ts";
import { startStandInProcess, type StandInProcess } from "../support/stand-in-process.ts";
import type { StandInOptions } from "../tools/stand-in/options.ts";
import { type CustomerApi, createCustomerApi } from "./customer-api.ts";

/** An import as its partner created it, with its customer's access. */
export interface WizardImportUnderTest extends CustomerApi {
  readonly id: string;
  /** The customer's link, with its secret. */
  readonly link: string;
  readonly partnerToken: string;
  readonly partnerId: string;
}

export interface NewImportOptions {
  readonly partner?: Partial<PartnerSettings>;
  /** The request body of the partner. */
  readonly body?: Readonly<Record<string, unknown>>;
}

export interface WizardFixture {
  readonly url: string;
  readonly db: Database;
  /** The environment of all processes: for an operator's commands. */
  readonly env: Readonly<Record<string, string>>;
  /** Seals and opens as the API under test does. */
  readonly sealer: Sealer;
  /** The stand-in that is both tools at once; only with `runs`. */
  readonly tool: StandInProcess;
  /** API, worker and Restate, killable; only with `runs`. */
  readonly engine: EngineProcesses;
  newImport(options?: NewImportOptions): Promise<WizardImportUnderTest>;
  /** Connects both sides to the stand-in, by the API. */
  connectBoth(made: WizardImportUnderTest): Promise<void>;
}

export interface FixtureOptions {
  /** Starts what must run before the API, such as a tool; returns variables for the API's environment. */
  readonly prepare?: (
    url: string,
    afterwards: (undo: () => unknown) => void,
  ) => Promise<Readonly<Record<string, string>>>;
  /** Also a worker, Restate and a stand-in tool: for pages that start a run. */
  readonly runs?: boolean | { readonly tool?: Partial<StandInOptions> };
  /** Environment of all processes. */
  readonly env?: Readonly<Record<string, string>>;
}

const logs = join(import.meta.dirname, "../../artifacts/wizard/logs");

const startRuns = async (
  fixture: Fixture,
  tool: StandInProcess,
  env: Readonly<Record<string, string>>,
  { apiPort, afterwards }: { readonly apiPort: number; readonly afterwards: (undo: () => unknown) => void },
) => {
  mkdirSync(logs, { recursive: true });
  const { OUTBOUND_ALLOW: further, ...rest } = env;
  const toolHosts = [tool.host, ...(further === undefined ? [] : [further])];
  const options = { workers: 1, toolHosts, env: rest, folder: logs, apiPort };
  return startEngineProcesses({ afterwards }, fixture, options);
};

/** Everything that a customer's page needs, as an operator runs it, for the tests of one file. */
export const useWizardFixture = ({
  runs = false,
  prepare,
  env: more = {},
}: FixtureOptions = {}): WizardFixture => {
  const undos: (() => unknown)[] = [];
  const afterwards = (undo: () => unknown) => void undos.unshift(undo);
  let url = "";
  let fixture: Fixture;
  let tool: StandInProcess | undefined;
  let engine: EngineProcesses | undefined;
  beforeAll(async () => {
    const apiPort = await freePort();
    url = `http://127.0.0.1:${apiPort}`;
    fixture = await createFixture({ afterwards });
    const env = { PUBLIC_URL: url, WEB_FOLDER: "web/dist", ...more, ...(await prepare?.(url, afterwards)) };
    if (!runs) {
      await fixture.startApi({ env: { ...env, PORT: String(apiPort) } });
      return;
    }
    tool = await startStandInProcess(runs === true ? {} : (runs.tool ?? {}));
    afterwards(() => tool?.stop());
    engine = await startRuns(fixture, tool, env, { apiPort, afterwards });
  });
  afterAll(async () => {
    for (const undo of undos.splice(0)) await undo();
  });
  const theTool = () => {
    if (!tool) throw new Error("Ask for runs: useWizardFixture({ runs: true }).");
    return tool;
  };
  return {
    get url() {
      return url;
    },
    get db() {
      return fixture.db;
    },
    get env() {
      return fixture.env;
    },
    get sealer() {
      const [id = "", key = ""] = (fixture.env["PORTAGE_KEYS"] ?? "").split(":");
      return createSealer([{ id, key: Buffer.from(key, "base64") }]);
    },
    get tool() {
      return theTool();
    },
    get engine() {
      if (!engine) throw new Error("Ask for runs: useWizardFixture({ runs: true }).");
      return engine;
    },
    newImport: async ({ partner = {}, body = {} } = {}) => {
      const named = { name: "Acme Desk", payer: "partner" as const, ...partner };
      const standIn = tool ? { destinationTool: "stand-in" } : {};
      const given = await givenPartner(fixture.db, { ...standIn, ...named });
      const wanted = { source_tool: tool ? "stand-in" : "redmine", family: "helpdesk", ...body };
      const made = await createCustomerApi(url, given.token, wanted);
      return { ...made, partnerToken: given.token, partnerId: given.partner.id };
    },
    connectBoth: async (made) => {
      const { url: instanceUrl, account, control } = theTool();
      // A separate account for each side: faults of one must not affect the other.
      const accounts = { source: account, destination: (await control.newAccount()).account };
      for (const side of ["source", "destination"] as const) {
        const { token } = await control.newToken(accounts[side]);
        await made.ask("PUT", `/connections/${side}`, { settings: { instanceUrl, token } });
      }
    },
  };
};
