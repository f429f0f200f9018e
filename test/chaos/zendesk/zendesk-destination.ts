import { join } from "node:path";
import type { Proof } from "../../support/proof.ts";
import { standInPackages } from "../../tools/stand-in-package/index.ts";
import type { Compared } from "../../tools/stand-in/compare.ts";
import type { StandInControl } from "../../tools/stand-in/control-client.ts";
import { startZendesk } from "../../vendors/zendesk/stand-in.ts";
import type { ChaosDestination } from "../destination.ts";
import { compareCopies } from "../redmine/compare-copies.ts";
import { startFaultProxy } from "../redmine/fault-proxy.ts";
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
    tool: "zendesk-stand-in",
    host: new URL(proxy.url).host,
    moreHosts: [new URL(zendesk.filesUrl).host],
    streams: zendeskStreams,
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
      ZENDESK_FILES_URL: zendesk.filesUrl,
      PORTAGE_CONNECTORS: [...standInPackages, join(import.meta.dirname, "zendesk-package.ts")].join(","),
    },
    written: async () => countZendeskCopies(zendesk),
    setLatency: async (ms) => proxy.weather.setLatency(Math.round(ms / shareOfLatency)),
    async compare(before) {
      zendesk.dump();
      const all: Record<string, Compared> = {};
      for (const stream of zendeskStreams)
        all[stream] = compareCopies(
          await source.sourceRows(stream),
          readZendeskCopies(zendesk, stream),
          before,
        );
      return all;
    },
    async setFaults(faults) {
      proxy.setFaults(faults);
      await source.setWeather({ faults });
    },
    happened: async () => proxy.weather.happened(),
    storm: async (storm) => proxy.storm(storm),
    unauthorized: async () => proxy.unauthorized(),
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
    expire: async () => proxy.expire(),
  };
};
