import { setTimeout as wait } from "node:timers/promises";
import type { Connector } from "@portage/connector-kit";
import { type Subject, testConformance } from "@portage/connector-kit/conformance";
import { createPlainTransport } from "@portage/connector-kit/testing";
import { afterAll, beforeAll, describe, test } from "vitest";
import { countRedmineCopies } from "../../test/tools/redmine/copy-tables.ts";
import { disturbRedmine } from "../../test/tools/redmine/disturb.ts";
import { redmineApi } from "../../test/tools/redmine/redmine-api.ts";
import type { RedmineServer } from "../../test/tools/redmine/redmine-server.ts";
import { startSeededRedmine } from "../../test/tools/redmine/seeded-redmine.ts";
import { redmine } from "./index.ts";
import { type Settings, settings } from "./settings.ts";

let server: RedmineServer;
let mailsBefore = 0;
const transport = createPlainTransport();

beforeAll(async () => {
  server = await startSeededRedmine();
  await redmineApi(server).post("projects.json", {
    project: {
      name: "Inbox",
      identifier: "inbox",
      is_public: false,
      enabled_module_names: ["wiki", "issue_tracking"],
    },
  });
  mailsBefore = server.mailedTo().length;
});

afterAll(async () => {
  await transport.close();
  await server?.stop();
});

const common = () => ({
  settings: settings.parse({ instanceUrl: server.url, token: server.adminKey, project: "inbox" }),
  transport,
  disturb: disturbRedmine(server),
  pageSize: 15,
  copies: countRedmineCopies(server),
  mails: async () => {
    // Redmine sends mails in the background.
    await wait(1_500);
    return server.mailedTo().length - mailsBefore;
  },
});

/** Redmine refuses to link a task with itself, and to link a pair twice, so links have a separate test. */
const withoutLinks: Connector<Settings> = {
  ...redmine,
  destination: {
    ...redmine.destination,
    projects: (redmine.destination?.projects ?? []).filter(({ stream }) => stream.name !== "relations"),
  },
};

// The first run does not read what the second one writes.
testConformance(
  "Redmine as a help desk",
  { describe, test },
  async (): Promise<Subject<Settings>> => ({ ...common(), connector: redmine, family: "helpdesk" }),
  3_600_000,
);

testConformance(
  "Redmine as a planner",
  { describe, test },
  async (): Promise<Subject<Settings>> => ({ ...common(), connector: withoutLinks, family: "projects" }),
  3_600_000,
);
