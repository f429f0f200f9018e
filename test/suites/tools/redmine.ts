import { setTimeout as wait } from "node:timers/promises";
import type { Connector } from "@portage/connector-kit";
import { redmine } from "../../../connectors/redmine/index.ts";
import { type Settings, settings } from "../../../connectors/redmine/settings.ts";
import { addToRedmine } from "../../tools/redmine/add-to.ts";
import { countRedmineCopies } from "../../tools/redmine/copy-tables.ts";
import { disturbRedmine } from "../../tools/redmine/disturb.ts";
import { redmineApi } from "../../tools/redmine/redmine-api.ts";
import { startSeededRedmine } from "../../tools/redmine/seeded-redmine.ts";
import { debianVersion } from "../debian-version.ts";
import type { ToolSuite } from "../suite.ts";

/** Redmine refuses to link a task with itself, and to link a pair twice, so links have a separate test. */
const withoutLinks: Connector<Settings> = {
  ...redmine,
  destination: {
    ...redmine.destination,
    projects: (redmine.destination?.projects ?? []).filter(({ stream }) => stream.name !== "relations"),
  },
};

export const suite: ToolSuite = {
  tool: "redmine",
  counterpart: { kind: "real server", product: "Redmine", version: "5.0" },
  // The first run does not read what the second one writes.
  runs: [
    { label: "Redmine as a help desk", family: "helpdesk" },
    { label: "Redmine as a planner", family: "projects" },
  ],
  async start(transport) {
    const server = await startSeededRedmine();
    await redmineApi(server).post("projects.json", {
      project: {
        name: "Inbox",
        identifier: "inbox",
        is_public: false,
        enabled_module_names: ["wiki", "issue_tracking"],
      },
    });
    const mailsBefore = server.mailedTo().length;
    const quiet = settings.parse({ instanceUrl: server.url, token: server.adminKey, project: "inbox" });
    const common = {
      settings: quiet,
      transport,
      disturb: disturbRedmine(server),
      pageSize: 15,
      copies: countRedmineCopies(server),
      addTo: addToRedmine(server),
      loud: async (work: (given: Settings) => Promise<void>) => {
        // Redmine tells about everything by default; the settings wrongly claim that all of it is switched off.
        await server.ruby("Setting.notified_events = Redmine::Notifiable.all.map(&:name)");
        await work({ ...quiet, notifications: "off" });
      },
      mails: async () => {
        // Redmine sends mails in the background.
        await wait(1_500);
        return server.mailedTo().length - mailsBefore;
      },
    };
    const subjects = { helpdesk: redmine, projects: withoutLinks };
    return {
      version: debianVersion("redmine"),
      subject: (family) => {
        const connector = subjects[family as keyof typeof subjects];
        return { ...common, connector, family };
      },
      stop: () => server.stop(),
    };
  },
};
