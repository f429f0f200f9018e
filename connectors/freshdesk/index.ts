/**
 * The connector for Freshdesk: source and destination of the family `helpdesk`.
 * Entry points: `freshdesk`, and `createFreshdesk` for tests, which hand in a stand-in's addresses.
 * Invariants: the key goes to the customer's own Freshdesk only, never to a host of files; addresses in records carry no signature,
 * since Freshdesk signs them anew for each answer; past messages become notes, never replies, which are mailed.
 */
import { type Connector, instanceId, kitVersion } from "@portage/connector-kit";
import { askMe } from "./ask.ts";
import { attachmentsDestination } from "./files-destination.ts";
import {
  contactsDestination,
  groupsDestination,
  organizationsDestination,
  usersDestination,
} from "./people-destination.ts";
import { type Origins, type Settings, settingsFor, vendorOrigins } from "./settings.ts";
import { addresses, sourceOf } from "./source.ts";
import { commentsDestination, ticketsDestination } from "./tickets-destination.ts";

const minute = 60_000;

export const createFreshdesk = (at: Origins = vendorOrigins): Connector<Settings> => ({
  manifest: {
    kit: kitVersion,
    name: "freshdesk",
    label: "Freshdesk",
    families: ["helpdesk"],
    roles: ["source", "destination"],
    leavesOut: [
      {
        stream: "tickets",
        role: "source",
        why: "Archived tickets are not moved: Freshdesk's API has no list of them.",
      },
    ],
    settings: settingsFor(at),
    auth: {
      kind: "secret",
      secrets: ["token"],
      headers: ({ token }) => ({ authorization: `Basic ${Buffer.from(`${token}:X`).toString("base64")}` }),
    },
    hosts: ({ instanceUrl }) => ({ api: [`${instanceUrl.replace(/\/+$/, "")}/api/v2/`], files: at.files }),
    // Those of Enterprise. Smaller plans have less, which their headers and refusals tell; these keep the calls apart that do.
    limits: [
      { requests: 280, perMs: minute, class: "new-ticket" },
      { requests: 280, perMs: minute, class: "changed-ticket" },
      { requests: 200, perMs: minute, class: "ticket-list" },
      { requests: 200, perMs: minute, class: "contact-list" },
    ],
    // A list with descriptions counts as three calls, and is within this by its own limit.
    quotaHeaders: [{ remaining: "x-ratelimit-remaining", perMs: minute }],
    concurrency: 4,
    grace: { lateWriteMs: 60_000, findLagMs: 0 },
  },
  async check(io) {
    const { contact } = await askMe(io);
    const instance = instanceId(io.settings.instanceUrl);
    return {
      signInName: contact.email ?? contact.name ?? instance,
      accountName: instance,
      accountId: instance,
    };
  },
  recordAt: addresses.recordAt,
  source: sourceOf(at),
  destination: {
    helpdesk: [
      usersDestination,
      organizationsDestination,
      contactsDestination,
      groupsDestination,
      ticketsDestination(at),
      commentsDestination(at),
      attachmentsDestination,
    ],
  },
});

export const freshdesk = createFreshdesk();
