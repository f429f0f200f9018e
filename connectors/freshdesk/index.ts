/**
 * The connector for Freshdesk: source of the family `helpdesk`.
 * Entry points: `freshdesk`, and `createFreshdesk` for tests, which hand in a stand-in's addresses.
 * Invariants: the key goes to the customer's own Freshdesk only, never to a host of files; addresses in records carry no signature,
 * since Freshdesk signs them anew for each answer.
 */
import { type Connector, instanceId, kitVersion } from "@portage/connector-kit";
import { agentRow } from "./rows.ts";
import { type Origins, type Settings, settingsFor, vendorOrigins } from "./settings.ts";
import { addresses, sourceOf } from "./source.ts";

const minute = 60_000;

export const createFreshdesk = (at: Origins = vendorOrigins): Connector<Settings> => ({
  manifest: {
    kit: kitVersion,
    name: "freshdesk",
    label: "Freshdesk",
    families: ["helpdesk"],
    roles: ["source"],
    settings: settingsFor(at),
    auth: {
      kind: "secret",
      secrets: ["token"],
      headers: ({ token }) => ({ authorization: `Basic ${Buffer.from(`${token}:X`).toString("base64")}` }),
    },
    hosts: ({ instanceUrl }) => ({ api: [`${instanceUrl.replace(/\/+$/, "")}/api/v2/`], files: at.files }),
    // They depend on the plan: the headers tell.
    limits: [],
    quotaHeaders: [{ remaining: "x-ratelimit-remaining", perMs: minute, by: "cost" }],
    concurrency: 4,
    grace: { lateWriteMs: 0, findLagMs: 0 },
  },
  async check(io) {
    const { contact } = (await io.http.send({ url: "agents/me" })).json(agentRow);
    const instance = instanceId(io.settings.instanceUrl);
    return {
      signInName: contact.email ?? contact.name ?? instance,
      accountName: instance,
      accountId: instance,
    };
  },
  recordAt: addresses.recordAt,
  source: sourceOf(at),
});

export const freshdesk = createFreshdesk();
