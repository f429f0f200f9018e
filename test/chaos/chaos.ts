// `npm run prove:chaos`: kills every process again and again during an import, which loses and duplicates nothing.
// 50,000 records and 60 faults of the kinds in docs/proofs/README.md; into a Redmine 2,000 and 40, into Zendesk 2,000 and 60, counted
// in the tools' own tables, which show no mail to another person either. As root on Linux it runs in a network and on a disk of its own; else it
// leaves out the faults of these.
// --scale 0.1, --seed WORD, --destination stand-in (upserts; the default one can only `find` its writes), redmine
// (a real Redmine, behind a proxy) or zendesk (the vendor's stand-in, behind a proxy, with jobs that go on after a kill),
// --plant skip-settle|skip-epoch: the workers run with a known bug, and the proof must find duplicates.
// --runs 20: so many runs, each with a seed of its own, and their figures added up; --minutes 60: none begins later.
// --only PATTERN: only faults whose names match. --faults 20: the number of faults.
import { bugs, isBugName } from "../planted-bugs/bugs.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createRandom } from "@portage/connector-kit/conformance";
import { type Proof, prove } from "../support/proof.ts";
import { histogram } from "../support/statistics.ts";
import { type ChaosFixture, createChaosFixture } from "./chaos-fixture.ts";
import { createFaultKinds } from "./fault-kinds.ts";
import { clock, compareSides, judgeReport } from "./judge.ts";
import { enterOwnSpace, space } from "./own-space.ts";
import { createPace } from "./pace.ts";
import { playRuns } from "./play-runs.ts";
import { beginImport, untilCompleted } from "./run-import.ts";
import { scheduleFaults } from "./schedule.ts";

const { values } = parseArgs({
  strict: false,
  options: {
    seed: { type: "string" },
    plant: { type: "string" },
    destination: { type: "string" },
    only: { type: "string" },
    faults: { type: "string" },
    scale: { type: "string" },
    runs: { type: "string" },
    minutes: { type: "string" },
  },
});
const plant = (values["plant"] as string | undefined) ?? null;
if (plant !== null && !isBugName(plant)) throw new Error(`--plant takes ${Object.keys(bugs).join(" or ")}.`);
const destination = (values["destination"] as string | undefined) ?? "stand-in-find";
if (
  destination !== "stand-in" &&
  destination !== "stand-in-find" &&
  destination !== "redmine" &&
  destination !== "zendesk"
)
  throw new Error("--destination takes stand-in, stand-in-find, redmine or zendesk.");
const isRedmine = destination === "redmine";
const isZendesk = destination === "zendesk";
const only = (values["only"] as string | undefined) ?? null;
const seed = (values["seed"] as string | undefined) ?? Date.now().toString(36);

if (values["runs"] !== undefined) {
  const own = new Set(["runs", "minutes", "seed"]);
  const args = Object.entries(values).flatMap(([name, value]) =>
    own.has(name) || value === undefined ? [] : [`--${name}`, String(value)],
  );
  const minutes = Number(values["minutes"] ?? Number.POSITIVE_INFINITY);
  const plan = { runs: Number(values["runs"]), minutes, seed, args };
  await prove("chaos-runs", (proof) => playRuns(import.meta.filename, plan, proof));
}
if (!isRedmine && !isZendesk) await enterOwnSpace();

/** Only faults that can reveal the injected bug: a small run has room for few faults. */
const telling = {
  // The Redmine connector calls `find` before it writes: only writes that take effect after that call are duplicated.
  "skip-settle": isRedmine ? "take effect" : "took effect|take effect|partial|worker|Restate",
  "skip-epoch": "frozen",
  "skip-look-first": "",
};
const wanted = new RegExp(only ?? (plant === null ? "" : telling[plant]));

const disturb = async (proof: Proof, chaos: ChaosFixture, count: number) => {
  const say = (line: string) => proof.say(`${clock(Date.now())} ${line}`);
  const { kinds, settle } = createFaultKinds(say);
  const { immune, times } = chaos.destination;
  const possible = kinds.filter(({ inSpace }) => space !== null || !inSpace);
  if (possible.length < kinds.length)
    proof.say("without namespaces of its own: no faults of the network and no full disk");
  const chosen = possible.filter(({ name, tool }) => wanted.test(name) && !(tool && immune.includes(tool)));
  // Where comments do not come and go by themselves, those of removed tickets are never replaced.
  const records = Math.round(chaos.records * (chaos.destination.changing ? 0.9 : 1));
  const pace = createPace(chaos.destination, records, times.stallMs);
  const done: string[] = [];
  let kills = 0;
  let restarts = 0;
  const supervise = async () => {
    const ended = await chaos.processes.supervise();
    for (const each of ended) say(`${each} had ended by itself and was started again`);
    restarts += ended.length;
  };
  try {
    for (const [index, fault] of scheduleFaults(chosen, count, chaos.random).entries()) {
      await pace.reach((index + 0.5) / count);
      const startedAt = performance.now();
      await fault.run(chaos);
      done.push(fault.name);
      if (fault.kills) kills += 1;
      const tookMs = Math.round(performance.now() - startedAt);
      say(`${index + 1}/${count} at ${Math.round(pace.share() * 100)} %: ${fault.name} (${tookMs} ms)`);
      await supervise();
    }
  } finally {
    await settle();
    await pace.release();
  }
  await supervise();
  return { kills, restarts, faults: histogram(done) };
};

await prove(isRedmine || isZendesk ? `chaos-${destination}` : "chaos", async (proof) => {
  const random = createRandom(`${seed}/chaos`);
  const records = isRedmine
    ? proof.size(2_000, 100)
    : isZendesk
      ? proof.size(2_000, 200)
      : proof.size(50_000, 1_500);
  const leastFaults = isRedmine || isZendesk ? 8 : 24;
  const faults = Number(
    values["faults"] ??
      proof.size(isRedmine ? 40 : 60, plant === null ? Math.min(10, leastFaults) : leastFaults),
  );
  proof.say(
    `seed ${seed}, ${records} records, ${faults} faults, into ${destination}${plant ? `, planted: ${plant}` : ""}`,
  );
  const chaos = await createChaosFixture(proof, { seed, records, destination, plant, random });
  const { control } = chaos.tool;

  const { ambient } = chaos.destination;
  await chaos.destination.setFaults(ambient);
  await chaos.destination.setLatency(500);
  const startedAt = Date.now();
  await beginImport(chaos);
  const streams = [...(chaos.destination.changing ?? ["tickets", "comments", "articles", "contacts"])];
  await control.churn({
    perSecond: isRedmine || isZendesk ? 0.2 : 5,
    streams,
    update: 3,
    remove: 1,
    add: 1,
    lateMs: 1_000,
  });
  const explain = async (error: unknown): Promise<never> => {
    for (const line of await chaos.describe()) proof.say(line);
    throw error;
  };
  const { kills, restarts, faults: byKind } = await disturb(proof, chaos, faults).catch(explain);
  await control.churn({ perSecond: 0, streams: [] });
  await chaos.destination.setFaults({});
  await untilCompleted(chaos).catch(explain);
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  while ((await chaos.destination.lateWrites()) > 0) await sleep(200);

  proof.say(`after the full run, ${seconds} s:`);
  const full = await compareSides(proof, chaos.destination, startedAt);
  const stats = await control.stats();
  const figures = {
    seed,
    records: chaos.records,
    destination,
    plant,
    kills,
    restarts,
    faults,
    by_kind: byKind,
    source_changes: stats.changes,
    tool_faults: await chaos.destination.happened(),
    run_seconds: seconds,
  };
  if (plant !== null) {
    proof.holds(`with ${plant} the copy has duplicates`, full.doubled > 0, full);
    return { ...figures, lost: full.lost, doubled: full.doubled };
  }
  proof.holds("every record that existed throughout is copied", full.lost === 0, full.lost);
  proof.holds("no record is duplicated", full.doubled === 0, full.doubled);
  proof.holds("every copy equals its original", full.differing === 0, full.differing);
  const mails = await chaos.destination.mails();
  proof.holds("no other person got a mail", mails.toOthers.length === 0, mails.toOthers.slice(0, 8));
  // After one of its own lost answers, Redmine may have added the account as a watcher before the connector removed it.
  if (mails.toItself.length > 0) proof.say(`mails to the account itself: ${mails.toItself.length}`);
  const broken = chaos.destination.broken?.() ?? [];
  proof.holds(
    "the import did nothing that the vendor does not allow",
    broken.length === 0,
    broken.slice(0, 8),
  );
  for (const line of await chaos.exceptions()) proof.say(`not simply written: ${line}`);

  proof.say("after a delta without faults:");
  await chaos.customer.startRun("delta");
  await untilCompleted(chaos).catch(explain);
  const delta = await compareSides(proof, chaos.destination, null);
  proof.holds("every record of the source is copied", delta.lost === 0, delta.lost);
  proof.holds("still no record is duplicated", delta.doubled === 0, delta.doubled);
  proof.holds("every copy is as recent as its original", delta.stale + delta.differing === 0, delta);
  for (const line of await chaos.exceptions()) proof.say(`not simply written: ${line}`);
  await judgeReport(proof, chaos.destination, chaos);
  return { ...figures, lost: full.lost + delta.lost, doubled: delta.doubled };
});
