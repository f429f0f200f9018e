import { type Connector, kitVersion } from "@portage/connector-kit";
import { catalogOf } from "./catalog.ts";
import { destination } from "./destination.ts";
import { recordAt } from "./record-at.ts";
import { type Settings, settings } from "./settings.ts";
import { source } from "./source.ts";

export const redmine: Connector<Settings> = {
  manifest: {
    kit: kitVersion,
    name: "redmine",
    label: "Redmine",
    families: ["projects", "helpdesk"],
    roles: ["source", "destination"],
    settings,
    auth: {
      kind: "secret",
      secrets: ["token"],
      headers: ({ token }) => ({ "x-redmine-api-key": token }),
    },
    hosts: ({ instanceUrl }) => ({ api: [instanceUrl] }),
    limits: [],
    concurrency: 4,
    grace: { lateWriteMs: 60_000, findLagMs: 0 },
  },
  async check(io) {
    const { login } = await catalogOf(io).account();
    const { host } = new URL(io.settings.instanceUrl);
    return { signInName: login, accountName: host, accountId: host };
  },
  source,
  destination,
  recordAt,
};
