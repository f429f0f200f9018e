/**
 * The connector for Redmine: source and destination of the families `projects` and `helpdesk`.
 * Entry points: `redmine` (manifest, `check`, `recordAt`); `source.ts` and `destination.ts` list the streams.
 * Invariants: every step first checks that the key is an administrator's; every copy holds its external key, in a
 * custom field, a login or its text, so that a second write finds it; an import sends no mail (see `quiet.ts`); a
 * field that differs in the copy is reported with a reason, and any other difference is a fault.
 */
import { type Connector, instanceId, kitVersion } from "@portage/connector-kit";
import { recordAt } from "./addresses.ts";
import { accountOf } from "./catalog.ts";
import { destination } from "./destination.ts";
import { shownToAll } from "./destination-files.ts";
import { settings, type Settings } from "./settings.ts";
import { silence } from "./silence.ts";
import { source } from "./source.ts";

export const redmine: Connector<Settings> = {
  manifest: {
    kit: kitVersion,
    name: "redmine",
    label: "Redmine",
    families: ["projects", "helpdesk"],
    leavesOut: [
      ...(["source", "destination"] as const).flatMap((role) => [
        { stream: "organizations", role, why: "Redmine has no organizations." },
        { stream: "contacts", role, why: "Redmine knows users alone, no customers without an account." },
      ]),
      { stream: "attachments", role: "destination", why: shownToAll },
    ],
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
    const { login } = await accountOf(io);
    const instance = instanceId(io.settings.instanceUrl);
    return { signInName: login, accountName: instance, accountId: instance };
  },
  source,
  destination,
  silence,
  recordAt,
};
