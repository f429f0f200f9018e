import type { Proof } from "../../support/proof.ts";
import { redmineApi } from "../../tools/redmine/redmine-api.ts";
import { startRedmine } from "../../tools/redmine/redmine-server.ts";
import { startSmtpSink, type SunkMail } from "../../tools/smtp-sink.ts";
import type { StandInControl } from "../../tools/stand-in/control-client.ts";
import type { ChaosDestination } from "../destination.ts";
import { startFaultProxy } from "../proxied/fault-proxy.ts";
import { proxiedDestination } from "../proxied/proxied-destination.ts";
import { countCopies, readCopies, redmineStreams } from "./redmine-copies.ts";

/** For articles, and for tickets without a group; the project has no members who would get mails. */
const project = "knowledge";
/** Redmine has its own latency, and a record takes several requests. */
const shareOfLatency = 4;

/** A real Redmine behind a fault proxy; the proof compares its tables. */
export const startRedmineDestination = async (
  proof: Proof,
  seed: string,
  source: StandInControl,
): Promise<ChaosDestination> => {
  const sink = await startSmtpSink();
  proof.afterwards(() => sink.close());
  const redmine = await startRedmine({ smtpPort: sink.port });
  proof.afterwards(() => redmine.stop());
  await redmineApi(redmine).post("projects.json", {
    project: { name: "Knowledge", identifier: project, enabled_module_names: ["issue_tracking", "wiki"] },
  });
  const { user } = await redmineApi(redmine).get("users/current.json");
  sink.empty();
  const proxy = await startFaultProxy({
    seed,
    target: redmine.url,
    header: "x-redmine-api-key",
    key: redmine.adminKey,
  });
  proof.afterwards(() => proxy.close());
  return {
    ...proxiedDestination({
      proxy,
      source,
      streams: redmineStreams,
      rows: (stream) => readCopies(redmine, stream),
      shareOfLatency,
    }),
    tool: "redmine",
    // A write in doubt costs a minute, so only bursts cause it.
    ambient: { readError: 0.005, readReset: 0.005, lateEffectMs: 15_000 },
    // Redmine takes one record at a time, so partial batches happen without a fault.
    immune: ["partial", "html", "truncated", "htmlAfterWrite"],
    times: {
      leaseMs: 40_000,
      writeMs: 25_000,
      frozenMs: { least: 30_000, most: 130_000 },
      longestBurstMs: 90_000,
      stallMs: 900_000,
    },
    // Small pages: the connector writes a page within one write deadline, however slow Redmine is.
    env: { STAND_IN_PAGE_SIZE: "20" },
    written: () => countCopies(redmine),
    async mails() {
      const isToItself = ({ recipients }: SunkMail) => recipients.every((address) => address === user.mail);
      const line = ({ recipients, subject }: SunkMail) => `${recipients.join(", ")}: ${subject}`;
      const all = sink.mails();
      return {
        toOthers: all.filter((mail) => !isToItself(mail)).map(line),
        toItself: all.filter(isToItself).map(line),
      };
    },
    newSettings: async () => ({ instanceUrl: proxy.url, token: proxy.newKey(), project }),
  };
};
