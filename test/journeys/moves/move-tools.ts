import { redmineApi } from "../../tools/redmine/redmine-api.ts";
import { startSeededRedmine } from "../../tools/redmine/seeded-redmine.ts";
import { startSeededRequestTracker } from "../../tools/request-tracker/seeded-request-tracker.ts";
import { startSmtpSink } from "../../tools/smtp-sink.ts";
import { keepFewOfOneSecond, startSeededZnuny } from "../../tools/znuny/seeded-znuny.ts";
import { startFreshdesk } from "../../vendors/freshdesk/stand-in.ts";
import { startIntercom } from "../../vendors/intercom/stand-in.ts";
import { vendorPackages } from "../../vendors/packages/index.ts";
import { startZendesk } from "../../vendors/zendesk/stand-in.ts";
import type { Excluded } from "./dump.ts";
import { startInstallation } from "./installation.ts";

/** An installation, and all the tools that it moves between: three real servers, and stand-ins of vendors. */
export const startMoveTools = async () => {
  const undos: (() => unknown)[] = [];
  const stop = async () => {
    for (const undo of undos.splice(0).toReversed()) await undo();
  };
  const started = async <T>(starting: Promise<T>, end: (tool: T) => unknown): Promise<T> => {
    const tool = await starting;
    undos.push(() => end(tool));
    return tool;
  };
  try {
    const sink = await started(startSmtpSink(), (mails) => mails.close());
    const needs = { smtpPort: sink.port };
    const [redmine, { tracker }, { znuny }] = await Promise.all([
      started(startSeededRedmine(needs), (server) => server.stop()),
      started(startSeededRequestTracker(needs), (server) => server.tracker.stop()),
      started(startSeededZnuny(needs), (server) => server.znuny.stop()),
    ]);
    await keepFewOfOneSecond(znuny);
    // For records without a queue; the project has no members who would get mails.
    await redmineApi(redmine).post("projects.json", {
      project: {
        name: "Knowledge",
        identifier: "knowledge",
        enabled_module_names: ["issue_tracking", "wiki"],
      },
    });
    const zendesk = await started(startZendesk({ quotas: "off", exportLagMs: 0 }), (tool) => tool.close());
    const freshdesk = await started(startFreshdesk({ quotas: "off" }), (tool) => tool.close());
    const intercom = await started(startIntercom({ quotas: "off" }), (tool) => tool.close());
    const vendors = { zendesk, freshdesk, intercom };
    const urls = [
      ...[redmine, tracker, znuny].map(({ url }) => url),
      ...Object.values(vendors).flatMap(({ url, filesUrl }) => [url, filesUrl]),
    ];
    const installation = await started(
      startInstallation({ hosts: urls.map((url) => new URL(url).host), ...vendorPackages(vendors) }),
      (all) => all.stop(),
    );
    sink.empty();
    return { sink, redmine, tracker, znuny, ...vendors, installation, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

export type MoveTools = Awaited<ReturnType<typeof startMoveTools>>;

export const tellExcluded = (excluded: readonly Excluded[]): void =>
  void process.stdout.write(excluded.map(({ what, why }) => `  not compared: ${what} (${why})\n`).join(""));

/** What a stand-in should have none of. */
export const faultsOf = (tool: {
  readonly breaches: { readonly all: readonly unknown[] };
  readonly lies: readonly string[];
}): readonly unknown[] => [...tool.breaches.all, ...tool.lies];
