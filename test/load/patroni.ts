// `npm run prove:patroni`: Patroni with the configuration of deploy/patroni moves the primary ten times, in the middle of a run
// and under the requests of partners: by its own command, after kill -9 of PostgreSQL, of Patroni, and of both. A synchronous
// standby takes over: no commit is lost, and nothing is lost or doubled in the destination. --scale 0.1, --faults 4
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createRandom } from "@portage/connector-kit/conformance";
import { checkDatabase } from "../../server/src/main/doctor/database.ts";
import { migrate, readMigrations } from "../../server/src/platform/migrate.ts";
import { createChaosFixture } from "../chaos/chaos-fixture.ts";
import { compareSides, judgeReport } from "../chaos/judge.ts";
import { createPace } from "../chaos/pace.ts";
import { beginImport, untilCompleted } from "../chaos/run-import.ts";
import { prove } from "../support/proof.ts";
import { type Blow, startPatroni } from "../tools/patroni/patroni.ts";
import { startPartnerTraffic } from "./outage/partner-traffic.ts";

const { values } = parseArgs({
  strict: false,
  options: { seed: { type: "string" }, faults: { type: "string" } },
});
const seed = (values["seed"] as string | undefined) ?? Date.now().toString(36);
const blows: readonly Blow[] = ["switchover", "postgres", "machine", "patroni"];
/** The latency of the destination while the run is ahead: below the write deadline of the workers. */
const holdMs = 2_500;
const seconds = (ms: number) => Math.round(ms / 100) / 10;

await prove("patroni", async (proof) => {
  const records = proof.size(10_000, 4_000);
  const rounds = Number(values["faults"] ?? proof.size(10, blows.length));
  proof.say(`seed ${seed}, ${records} records, ${rounds} failovers`);
  const logs = join(import.meta.dirname, "../../artifacts/patroni");
  rmSync(logs, { recursive: true, force: true });
  mkdirSync(logs, { recursive: true });
  const cluster = await startPatroni(proof, logs);
  await migrate(cluster.url, await readMigrations());
  const durability = (await checkDatabase({ DATABASE_URL: cluster.url })).find(
    ({ part }) => part === "durability",
  );
  proof.holds("doctor: a failover loses no commit", durability?.state === "ok", durability?.message);
  const chaos = await createChaosFixture(proof, {
    seed,
    records,
    destination: "stand-in-find",
    plant: null,
    random: createRandom(seed),
    database: { settings: {}, addressOf: async () => cluster.url },
  });
  const traffic = await startPartnerTraffic(proof, chaos.db, chaos.processes.apiUrl);
  await chaos.destination.setLatency(500);
  await beginImport(chaos);
  const pace = createPace(chaos.destination, chaos.records, chaos.destination.times.stallMs, holdMs);
  const steady = traffic.newReader();
  const failovers: { blow: Blow; gap_s: number; failed: number; imports_lost: number }[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const blow = blows[round % blows.length] as Blow;
      await pace.reach((0.8 * (round + 0.5)) / rounds);
      const primary = await cluster.untilWhole();
      await steady.readOn();
      const { failed: before } = traffic.count();
      const from = Date.now();
      await cluster.strike(primary, blow);
      const next = await cluster.untilPrimaryIsNot(primary);
      const servedAt = await traffic.untilServed(Date.now());
      await cluster.mend(primary);
      await cluster.untilWhole();
      const gap = traffic.longestGap(from, Math.max(servedAt, Date.now()));
      const lost = await traffic.forgetLost();
      const failed = traffic.count().failed - before;
      failovers.push({ blow, gap_s: seconds(gap), failed, imports_lost: lost.length });
      proof.say(
        `${round + 1}: ${blow} of ${primary}, ${next} took over: ${seconds(gap)} s without an answer that succeeds, ` +
          `${failed} requests failed, ${lost.length} acknowledged imports lost, whole again after ${seconds(Date.now() - from)} s`,
      );
    }
  } catch (error) {
    for (const line of await chaos.describe().catch(() => [])) proof.say(line);
    throw error;
  } finally {
    await pace.release();
  }
  await untilCompleted(chaos);
  const requests = await traffic.end();
  const sum = (of: (each: (typeof failovers)[number]) => number) =>
    failovers.reduce((total, each) => total + of(each), 0);
  const importsLost = sum(({ imports_lost: count }) => count);
  proof.holds("no failover lost an import that was acknowledged", importsLost === 0, importsLost);
  const fresh = traffic.newReader();
  await Promise.all([steady, fresh, traffic.liveReader].map((each) => each.readOn()));
  const [kept, live, all] = [steady, traffic.liveReader, fresh].map(({ seen }) => seen.join());
  proof.holds(
    "readers that kept their cursor through all of it have every event, once and in order",
    fresh.seen.length > 0 &&
      kept === all &&
      live === all &&
      steady.restarts + traffic.liveReader.restarts === 0,
    { events: fresh.seen.length },
  );
  const full = await compareSides(proof, chaos.destination, null);
  proof.holds("every record of the source is copied", full.lost === 0, full.lost);
  proof.holds("no record is duplicated", full.doubled === 0, full.doubled);
  proof.holds("every copy equals its original", full.differing === 0, full.differing);
  for (const line of await chaos.exceptions()) proof.say(`not simply written: ${line}`);
  await judgeReport(proof, chaos.destination, chaos);
  const worst = (blow: Blow) =>
    Math.max(0, ...failovers.filter((each) => each.blow === blow).map(({ gap_s: gap }) => gap));
  return {
    seed,
    records: chaos.records,
    failovers: failovers.length,
    longest_gap_s: Object.fromEntries(blows.map((blow) => [blow, worst(blow)])),
    ...requests,
    lost: full.lost,
    doubled: full.doubled,
  };
});
