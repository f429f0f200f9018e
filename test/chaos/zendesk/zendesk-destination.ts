import { join } from "node:path";
import type { Proof } from "../../support/proof.ts";
import { standInPackages } from "../../tools/stand-in-package/index.ts";
import type { StandInControl } from "../../tools/stand-in/control-client.ts";
import { atStandIn, vendorPackages } from "../../vendors/packages/index.ts";
import { startZendesk } from "../../vendors/zendesk/stand-in.ts";
import type { ChaosDestination } from "../destination.ts";
import { startFaultProxy } from "../proxied/fault-proxy.ts";
import { proxiedDestination } from "../proxied/proxied-destination.ts";
import { countZendeskCopies, readZendeskCopies, zendeskStreams } from "./zendesk-copies.ts";

/** A page of tickets takes several calls, and the comments of each ticket another. */
const shareOfLatency = 12;
/** Long enough that processes are killed while a job runs. */
const jobMs = 2_500;

/** Zendesk's stand-in behind a fault proxy; the proof compares its tables. */
export const startZendeskDestination = async (
  proof: Proof,
  seed: string,
  source: StandInControl,
): Promise<ChaosDestination> => {
  const zendesk = await startZendesk({ sizes: null, quotas: "off", exportLagMs: 0, jobMs });
  proof.afterwards(() => zendesk.close());
  const { email: username } = zendesk.credentials;
  const proxy = await startFaultProxy({
    seed,
    target: zendesk.url,
    header: "authorization",
    key: zendesk.authorization,
    spell: (key) => `Basic ${Buffer.from(`${username}/token:${key}`).toString("base64")}`,
  });
  proof.afterwards(() => proxy.close());
  return {
    ...proxiedDestination({
      proxy,
      source,
      streams: zendeskStreams,
      rows: async (stream) => readZendeskCopies(zendesk, stream),
      shareOfLatency,
    }),
    tool: atStandIn("zendesk"),
    moreHosts: [new URL(zendesk.filesUrl).host],
    parts: ["comments", "attachments"],
    // Comments can't change in Zendesk, and a closed ticket takes no more of them.
    changing: ["tickets", "contacts"],
    ambient: { readError: 0.005, readReset: 0.005, lateEffectMs: 4_000 },
    // A job answers for each of its tickets.
    immune: ["partial", "html", "truncated", "htmlAfterWrite"],
    times: {
      leaseMs: 30_000,
      writeMs: 20_000,
      frozenMs: { least: 22_000, most: 60_000 },
      longestBurstMs: 60_000,
      stallMs: 600_000,
    },
    env: {
      STAND_IN_PAGE_SIZE: "60",
      ...vendorPackages({ zendesk: { url: proxy.url, filesUrl: zendesk.filesUrl } }).env,
      PORTAGE_CONNECTORS: [...standInPackages, join(import.meta.dirname, "zendesk-package.ts")].join(","),
    },
    written: async () => countZendeskCopies(zendesk),
    lateWrites: async () => proxy.lateWrites() + zendesk.openJobs(),
    mails: async () => ({
      toOthers: Array.from({ length: zendesk.counted.mails }, () => "a mail"),
      toItself: [],
    }),
    broken: () => [
      ...zendesk.breaches.all.map(({ law, operation, detail }) => `${law}: ${operation} ${detail}`),
      ...zendesk.lies,
    ],
    newSettings: async () => ({ instanceUrl: proxy.url, username, token: proxy.newKey() }),
  };
};
