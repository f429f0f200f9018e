// `npm run prove:refusals`: every request of a write that changes something is refused, fails or loses its answer, in each
// of seven ways, for every stream of the stand-in, a real Redmine and a real Request Tracker. Each record is then settled as
// the engine does, changed while requests are refused, and removed. The tools' own tables count the records. With a smaller
// `--scale` the ways take turns. Needs root on Debian.
import { randomInt } from "node:crypto";
import { families } from "@portage/contract";
import { type RefusalReport, runRefusals, type Subject } from "@portage/connector-kit/conformance";
import { createPlainTransport } from "@portage/connector-kit/testing";
import { redmine, requestTracker } from "@portage/connectors";
import { type Proof, prove } from "../support/proof.ts";
import { countRedmineCopies } from "../tools/redmine/copy-tables.ts";
import { redmineApi } from "../tools/redmine/redmine-api.ts";
import { startSeededRedmine } from "../tools/redmine/seeded-redmine.ts";
import { countRtCopies } from "../tools/request-tracker/copy-tables.ts";
import { startSeededRequestTracker } from "../tools/request-tracker/seeded-request-tracker.ts";
import { standInSubject } from "../tools/stand-in/subject.ts";

const transport = createPlainTransport();
const seed = randomInt(1_000);
/** Enough to give each record its parents. */
const records = 3;

const standIns = async (proof: Proof): Promise<readonly Subject[]> => {
  const subjects: Subject[] = [];
  for (const family of families) {
    const { tool, subject } = await standInSubject(transport, { family }, { settles: "lookup" });
    proof.afterwards(() => tool.close());
    subjects.push(subject);
  }
  return subjects;
};

const redmines = async (proof: Proof): Promise<readonly Subject[]> => {
  const server = await startSeededRedmine();
  proof.afterwards(() => server.stop());
  // Without notifications the import involves people: more requests per record.
  await server.ruby("Setting.notified_events = []");
  await redmineApi(server).post("projects.json", {
    project: { name: "Inbox", identifier: "inbox", enabled_module_names: ["wiki", "issue_tracking"] },
  });
  const { instanceUrl, token } = { instanceUrl: server.url, token: server.adminKey };
  const settings = redmine.manifest.settings.parse({
    instanceUrl,
    token,
    project: "inbox",
    notifications: "off",
  });
  const common = { settings, transport, copies: countRedmineCopies(server) };
  // Redmine links a pair of tasks once, and no task with itself, so links have tests of their own.
  const streams = redmine.destination?.projects?.filter(({ stream }) => stream.name !== "relations") ?? [];
  const planner = { ...redmine, destination: { ...redmine.destination, projects: streams } };
  return [
    { ...common, connector: redmine, family: "helpdesk" },
    { ...common, connector: planner, family: "projects" },
  ] as unknown as readonly Subject[];
};

const trackers = async (proof: Proof): Promise<readonly Subject[]> => {
  const { tracker } = await startSeededRequestTracker();
  proof.afterwards(() => tracker.stop());
  const settings = { instanceUrl: tracker.url, token: tracker.token, externalIdField: "External ID" };
  const copies = countRtCopies(tracker);
  return [
    { connector: requestTracker, settings, family: "helpdesk", transport, copies },
  ] as unknown as readonly Subject[];
};

const tools: Readonly<Record<string, (proof: Proof) => Promise<readonly Subject[]>>> = {
  "stand-in": standIns,
  redmine: redmines,
  "request-tracker": trackers,
};

const claims = {
  doubled: "no key has two records",
  rejectedButThere: "no rejected record is there",
  missing: "a retry completes every record",
  left: "an undo leaves no record",
} as const;

const refuse = async (proof: Proof, name: string, subjects: readonly Subject[]) => {
  const reports: RefusalReport[] = [];
  for (const subject of subjects)
    reports.push(await runRefusals({ ...subject, records }, { every: proof.scale === 1, seed }));
  const sum = (of: "writes" | "refused") => reports.reduce((total, report) => total + report[of], 0);
  const figures: Record<string, number> = { writes: sum("writes"), refused: sum("refused") };
  proof.say(`${name}: ${figures.refused} refused requests in ${figures.writes} writes`);
  proof.holds(`${name}: requests were refused`, sum("refused") > 0);
  for (const [claim, says] of Object.entries(claims) as [keyof typeof claims, string][]) {
    const wrong = reports.flatMap((report) => report[claim]);
    for (const each of wrong.slice(0, 20)) proof.say(each);
    proof.holds(`${name}: ${says}`, wrong.length === 0, wrong.length);
    figures[claim] = wrong.length;
  }
  return figures;
};

await prove("refusals", async (proof) => {
  proof.afterwards(() => transport.close());
  proof.say(`seed ${seed}`);
  const figures: Record<string, unknown> = { seed };
  for (const [name, start] of Object.entries(tools))
    figures[name] = await refuse(proof, name, await start(proof));
  return figures;
});
