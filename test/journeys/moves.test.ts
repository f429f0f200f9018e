import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { redmineApi } from "../tools/redmine/redmine-api.ts";
import type { RedmineServer } from "../tools/redmine/redmine-server.ts";
import { startSeededRedmine } from "../tools/redmine/seeded-redmine.ts";
import type { RequestTracker } from "../tools/request-tracker/request-tracker.ts";
import { startSeededRequestTracker } from "../tools/request-tracker/seeded-request-tracker.ts";
import { type SmtpSink, startSmtpSink } from "../tools/smtp-sink.ts";
import { keepFewOfOneSecond, startSeededZnuny } from "../tools/znuny/seeded-znuny.ts";
import type { ZnunyServer } from "../tools/znuny/znuny-server.ts";
import { freshdeskSide } from "../vendors/freshdesk/side.ts";
import { type Freshdesk, startFreshdesk } from "../vendors/freshdesk/stand-in.ts";
import { intercomSide } from "../vendors/intercom/side.ts";
import { type Intercom, startIntercom } from "../vendors/intercom/stand-in.ts";
import { vendorDestination, vendorSource } from "../vendors/kit/vendor-side.ts";
import { vendorPackages } from "../vendors/packages/index.ts";
import { zendeskSide } from "../vendors/zendesk/side.ts";
import { startZendesk, type Zendesk } from "../vendors/zendesk/stand-in.ts";
import type { Excluded } from "./moves/dump.ts";
import { type Installation, startInstallation } from "./moves/installation.ts";
import { redmineDestination, redmineExcluded, redmineSource } from "./moves/redmine-side.ts";
import {
  requestTrackerDestination,
  requestTrackerExcluded,
  requestTrackerSource,
} from "./moves/request-tracker-side.ts";
import { znunySource } from "./moves/znuny-side.ts";
import { walkJourney } from "./moves/walk-journey.ts";

let sink: SmtpSink;
let redmine: RedmineServer;
let tracker: RequestTracker;
let znuny: ZnunyServer;
let zendesk: Zendesk;
let freshdesk: Freshdesk;
let intercom: Intercom;
let installation: Installation;

const startTools = async () => {
  [redmine, tracker, znuny] = await Promise.all([
    startSeededRedmine({ smtpPort: sink.port }),
    startSeededRequestTracker({ smtpPort: sink.port }).then((seeded) => seeded.tracker),
    startSeededZnuny({ smtpPort: sink.port }).then((seeded) => seeded.znuny),
  ]);
  await keepFewOfOneSecond(znuny);
  zendesk = await startZendesk({ quotas: "off", exportLagMs: 0 });
  freshdesk = await startFreshdesk({ quotas: "off" });
  intercom = await startIntercom({ quotas: "off" });
};

beforeAll(async () => {
  sink = await startSmtpSink();
  await startTools();
  // For records without a queue; the project has no members who would get mails.
  await redmineApi(redmine).post("projects.json", {
    project: { name: "Knowledge", identifier: "knowledge", enabled_module_names: ["issue_tracking", "wiki"] },
  });
  const vendors = { zendesk, freshdesk, intercom };
  const urls = [
    ...[redmine, tracker, znuny].map(({ url }) => url),
    ...Object.values(vendors).flatMap(({ url, filesUrl }) => [url, filesUrl]),
  ];
  installation = await startInstallation({
    hosts: urls.map((url) => new URL(url).host),
    ...vendorPackages(vendors),
  });
  sink.empty();
});
afterAll(async () => {
  await installation?.stop();
  await intercom?.close();
  await freshdesk?.close();
  await zendesk?.close();
  await znuny?.stop();
  await tracker?.stop();
  await redmine?.stop();
  await sink?.close();
});

const tell = (excluded: readonly Excluded[]) =>
  void process.stdout.write(excluded.map(({ what, why }) => `  not compared: ${what} (${why})\n`).join(""));

// Into a partner's application: see the story, which does it by clicks.
describe("an import between real tools, over HTTP alone", { timeout: 3_600_000 }, () => {
  test("Request Tracker to Redmine", async () => {
    tell(redmineExcluded);
    const source = requestTrackerSource(tracker, { changes: "A ticket that is open", removes: "Parent" });
    const destination = redmineDestination(redmine, "knowledge");
    expect(await walkJourney({ installation, sink, source, destination })).toEqual([]);
  });

  test("Redmine to Request Tracker", async () => {
    tell(requestTrackerExcluded);
    const source = redmineSource(redmine, { changes: "Issue number 51", removes: "Issue number 54" });
    const destination = requestTrackerDestination(tracker);
    expect(await walkJourney({ installation, sink, source, destination })).toEqual([]);
  });

  test("Znuny to Request Tracker", async () => {
    tell(requestTrackerExcluded);
    const source = znunySource(znuny, { changes: "A ticket that is open", removes: "Imported 7" });
    const destination = requestTrackerDestination(tracker);
    expect(await walkJourney({ installation, sink, source, destination })).toEqual([]);
  });

  test("Zendesk, a stand-in, to Request Tracker", async () => {
    tell(requestTrackerExcluded);
    const source = vendorSource(zendeskSide(zendesk), { changes: "Question 1", removes: "Question 2" });
    expect(
      await walkJourney({ installation, sink, source, destination: requestTrackerDestination(tracker) }),
    ).toEqual([]);
    expect([zendesk.breaches.all, zendesk.lies]).toEqual([[], []]);
  });

  test("Freshdesk, a stand-in, to Redmine", async () => {
    tell(redmineExcluded);
    const source = vendorSource(freshdeskSide(freshdesk), { changes: "Question 1", removes: "Question 2" });
    const destination = redmineDestination(redmine, "knowledge");
    expect(await walkJourney({ installation, sink, source, destination })).toEqual([]);
    expect([freshdesk.breaches.all, freshdesk.lies]).toEqual([[], []]);
  });

  test("Intercom to Zendesk, both stand-ins", async () => {
    const source = vendorSource(intercomSide(intercom), { changes: "Question 1", removes: "Question 2" });
    const destination = vendorDestination(zendeskSide(zendesk));
    expect(await walkJourney({ installation, sink, source, destination })).toEqual([]);
    expect([intercom.breaches.all, intercom.lies, zendesk.breaches.all, zendesk.lies]).toEqual([
      [],
      [],
      [],
      [],
    ]);
  });

  test("Znuny to Zendesk, a stand-in", async () => {
    const source = znunySource(znuny, { changes: "A ticket that is open", removes: "Imported 8" });
    const destination = vendorDestination(zendeskSide(zendesk));
    expect(await walkJourney({ installation, sink, source, destination })).toEqual([]);
    expect([zendesk.breaches.all, zendesk.lies]).toEqual([[], []]);
  });
});
