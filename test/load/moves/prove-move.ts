import type { Counts } from "../../journeys/moves/side.ts";
import { startInstallation } from "../../journeys/moves/installation.ts";
import type { JourneyReport } from "../../journeys/moves/journey-import.ts";
import { type Proof } from "../../support/proof.ts";
import { histogram } from "../../support/statistics.ts";
import { fullSizes, type NastySizes, smallSizes } from "../../vendors/kit/seed-nasty.ts";
import type { SideNeeds } from "../../vendors/kit/vendor-side.ts";
import type { ServedCall } from "../../vendors/kit/vendor-server.ts";
import { vendorPackages } from "../../vendors/packages/index.ts";

/** What the proof needs of a stand-in beside what a journey needs. */
export interface MovedTool {
  readonly tool: string;
  readonly filesUrl: string;
  readonly calls: readonly ServedCall[];
  readonly lies: readonly string[];
  readonly breaches: { readonly all: readonly { readonly law: string }[] };
  readonly side: Pick<SideNeeds<never>, "tool" | "url" | "settings" | "counts">;
  digest(): string;
}

export interface Move {
  readonly source: MovedTool;
  readonly destination: MovedTool & {
    /** Mails that left and triggers that ran. */
    counted(): Readonly<Record<string, number>>;
    /** How many of the seed's files it can't hold, and must be reported; 0 by default. */
    readonly tooLargeFiles?: number;
  };
}

export interface Moved {
  readonly report: JourneyReport;
  /** Calls that each tool got between the start of the run and its end, without those to hosts of files. */
  readonly sourceCalls: readonly ServedCall[];
  readonly destinationCalls: readonly ServedCall[];
  readonly seconds: number;
}

/** The nasty desk of the claim's size: 2,000 tickets, 8,000 comments and 600 files; smaller for a run that shows correctness. */
export const sizesFor = ({ size }: Proof): NastySizes =>
  Object.fromEntries(
    Object.entries(smallSizes).map(([name, least]) => [
      name,
      size(fullSizes[name as keyof NastySizes], least),
    ]),
  ) as unknown as NastySizes;

export const seedOf = (proof: Proof): string => {
  const at = process.argv.indexOf("--seed");
  const seed = at === -1 ? String(Math.floor(Math.random() * 2 ** 31)) : String(process.argv[at + 1]);
  proof.say(`seed ${seed}`);
  return seed;
};

/** A run at the vendors' own quotas takes minutes per thousand records. */
const patienceMs = 3 * 3_600_000;

const sum = (causes: readonly { readonly count: number }[]) =>
  causes.reduce((all, { count }) => all + count, 0);

const judgeReport = (
  proof: Proof,
  report: JourneyReport,
  { there, grown, tooLargeFiles }: { there: Counts; grown: Counts; tooLargeFiles: number },
) => {
  proof.holds("the report adds up", report.addsUp);
  for (const { stream, source, written, matched, skipped, failed, verified } of report.streams) {
    proof.say(
      `  ${stream}: source ${source}, written ${written}, matched ${matched}, skipped ${JSON.stringify(skipped)}, ` +
        `failed ${JSON.stringify(failed)}; compared ${verified.compared}, same ${verified.same}` +
        (verified.files ? `, files ${verified.files.compared}, unread ${verified.files.unread}` : ""),
    );
    proof.holds(`${stream}: the source's own tables have as many`, source === there[stream], there[stream]);
    const tooLarge = stream === "attachments" ? tooLargeFiles : 0;
    proof.holds(
      `${stream}: ${tooLarge === 0 ? "none" : `only the ${tooLarge} that the destination can't hold`} failed`,
      sum(failed) === tooLarge && failed.every(({ code }) => code === "too_large"),
      failed,
    );
    proof.holds(
      `${stream}: the destination grew by what was written`,
      grown[stream] === written,
      grown[stream],
    );
    proof.holds(
      `${stream}: every copy was compared with the source, and none differs, is missing or doubled`,
      verified.compared === written &&
        verified.same === written &&
        verified.gone + verified.doubled + verified.changedAtSource + verified.refused === 0,
      [verified.compared, verified.fields],
    );
    if (verified.files)
      proof.holds(`${stream}: every file was compared`, verified.files.same === written, verified.files);
  }
};

/** The sample starts exports here and there on purpose: it loses nothing, since it looks for examples alone. */
const sampleMayBreak = "start-time-once";

/** Moves everything, judges it by the tools' own tables, and undoes it. */
export const proveMove = async (
  proof: Proof,
  { source, destination }: Move,
  during: () => () => void = () => () => {},
): Promise<Moved> => {
  const tools = [source, destination];
  const installation = await startInstallation({
    hosts: tools.flatMap(({ side, filesUrl }) => [side.url, filesUrl]).map((url) => new URL(url).host),
    ...vendorPackages(
      Object.fromEntries(tools.map(({ tool, side, filesUrl }) => [tool, { url: side.url, filesUrl }])),
    ),
  });
  proof.afterwards(() => installation.stop());
  const before = destination.side.counts();
  const digest = destination.digest();
  const asSide = ({ side }: MovedTool) => ({
    ...side,
    host: new URL(side.url).host,
    counts: async () => side.counts(),
  });
  const made = await installation.newImport(asSide(source), asSide(destination));
  await made.ask("PUT", "/connections/source", { settings: source.side.settings });
  await made.ask("PUT", "/connections/destination", { settings: destination.side.settings });
  await made.ask("POST", "/runs", { kind: "sample" });
  await made.until("Sample migration completed", ["Sample migration in progress"], patienceMs);
  proof.say("the sample is done");
  const hops = new Set(
    tools.flatMap(({ breaches }) => breaches.all.filter(({ law }) => law === sampleMayBreak)),
  );
  const from = { source: source.calls.length, destination: destination.calls.length };
  const startedAt = performance.now();
  const over = during();
  if ((await made.status()).status !== "In preparation") await made.ask("POST", "/ask-full");
  await made.ask("POST", "/runs", { kind: "full" });
  await made.until("Migration completed", ["Migration in progress"], patienceMs);
  over();
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const moved = {
    report: await made.report(),
    sourceCalls: source.calls.slice(from.source),
    destinationCalls: destination.calls.slice(from.destination),
    seconds,
  };
  proof.say(`the full run took ${seconds} s; calls to the source, by step and kind:`);
  const steps = await installation.lastSteps(made.id);
  const stepOf = ({ at }: ServedCall) => steps.find(({ endedAt }) => at <= endedAt)?.name ?? "afterwards";
  for (const step of [...new Set(steps.map(({ name }) => name)), "afterwards"]) {
    const own = moved.sourceCalls.filter((call) => stepOf(call) === step);
    if (own.length > 0) proof.say(`  ${step}: ${own.length}`);
    for (const [operation, count] of Object.entries(histogram(own.map((call) => call.operation))))
      proof.say(`    ${count} ${operation}`);
  }
  const now = destination.side.counts();
  const grown = Object.fromEntries(
    Object.entries(now).map(([stream, count]) => [stream, count - (before[stream] ?? 0)]),
  );
  judgeReport(proof, moved.report, {
    there: source.side.counts(),
    grown,
    tooLargeFiles: destination.tooLargeFiles ?? 0,
  });
  for (const [what, count] of Object.entries(destination.counted()))
    proof.holds(`${what}: none`, count === 0, count);

  await made.ask("POST", "/runs", { kind: "undo" });
  await made.until("Migration cleaned", ["Undo in progress"], patienceMs);
  proof.holds("the undo leaves the destination as it was", destination.digest() === digest);
  for (const { tool, breaches, lies, calls } of tools) {
    const refused = calls.filter(({ status }) => status === 400).map(({ path }) => path);
    const broken = breaches.all.filter((breach) => !hops.has(breach));
    proof.holds(`${tool}: none of its laws was broken`, broken.length === 0, [
      ...broken.slice(0, 3),
      ...refused.slice(0, 3),
    ]);
    proof.holds(`${tool}: the stand-in kept to its description`, lies.length === 0, lies.slice(0, 3));
  }
  return moved;
};

const minute = 60_000;
/** What a call spends: one with more in its answer costs three. */
const costOf = ({ query, status }: ServedCall) =>
  status === 429 ? 0 : query["include"] === undefined ? 1 : 3;

/** One kind of write, and the calls a minute that the limit which binds it allows. */
interface WritePhase {
  readonly operation: RegExp;
  readonly perMinute: number;
  /** A limit of the account counts every call; one of a kind of call counts only these. */
  readonly counts: "every call" | "these calls";
}

/** The share of the limit that binds while records of one kind are written, from the first of these calls to the last. */
export const quotaUsed = (
  calls: readonly ServedCall[],
  { operation, perMinute, counts }: WritePhase,
): number => {
  const writes = calls.filter((call) => operation.test(call.operation));
  const from = writes[0]?.at ?? 0;
  const to = writes.at(-1)?.at ?? 0;
  const spent = (counts === "every call" ? calls : writes)
    .filter(({ at }) => at >= from && at <= to)
    .reduce((all, call) => all + costOf(call), 0);
  return Math.round((spent / ((perMinute * (to - from)) / minute)) * 1000) / 1000;
};
