import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { PartnerSettings } from "../../../server/src/features/partners/index.ts";
import { startEngineProcesses } from "../../support/engine-processes.ts";
import { givenPartner } from "../../support/fixtures.ts";
import { createFixture, type Fixture } from "../../support/fixture.ts";
import { basic } from "../../support/partners.ts";
import { freePort } from "../../support/free-port.ts";
import { createCustomerApi } from "../customer-api.ts";
import { type StoryTools, startStoryTools } from "./story-tools.ts";

/** An import as its partner created it: the customer has only the link. */
export interface StoryImport {
  readonly id: string;
  readonly link: string;
  /** The partner accepts sponsorship by its API. */
  accept(): Promise<void>;
}

export interface StoryFixture {
  readonly tools: StoryTools;
  newImport(partner: Partial<PartnerSettings>, sourceTool: string): Promise<StoryImport>;
}

const logs = join(import.meta.dirname, "../../../artifacts/story/logs");

/** Portage as an operator runs it, and real tools beside it. */
export const useStoryFixture = ({ withTracker = false, withStandIn = false } = {}): StoryFixture => {
  const undos: (() => unknown)[] = [];
  const afterwards = (undo: () => unknown) => void undos.unshift(undo);
  const started = {} as { tools: StoryTools; fixture: Fixture; url: string };
  beforeAll(async () => {
    mkdirSync(logs, { recursive: true });
    const tools = await startStoryTools(afterwards, { withTracker, withStandIn });
    const apiPort = await freePort();
    const url = `http://127.0.0.1:${apiPort}`;
    const fixture = await createFixture({ afterwards });
    await startEngineProcesses({ afterwards }, fixture, {
      workers: 1,
      folder: logs,
      apiPort,
      toolHosts: [tools.redmine, tools.desk, tools.tracker, tools.standIn]
        .filter((tool) => tool !== null)
        .map(({ url: address }) => new URL(address).host),
      env: {
        PUBLIC_URL: url,
        WEB_FOLDER: "web/dist",
        STAND_IN_BATCH_SIZE: "100",
        // For tools that take seconds per record: an unanswered write is in doubt for more than a minute.
        RUN_LEASE_MS: "300000",
        RUN_WRITE_MS: "150000",
      },
    });
    Object.assign(started, { tools, fixture, url });
  }, 900_000);
  afterAll(async () => {
    for (const undo of undos.splice(0)) await undo();
  });
  return {
    get tools() {
      return started.tools;
    },
    newImport: async (partner, sourceTool) => {
      const { url, fixture } = started;
      const { token } = await givenPartner(fixture.db, partner);
      const { id, link } = await createCustomerApi(url, token, {
        source_tool: sourceTool,
        family: "helpdesk",
      });
      const accept = async () => {
        const answer = await fetch(`${url}/api/v2.1/imports/${id}/payment/accept`, {
          method: "POST",
          headers: { authorization: basic(token) },
        });
        if (!answer.ok) throw new Error(`The partner's yes was answered with ${answer.status}.`);
      };
      return { id, link, accept };
    },
  };
};
