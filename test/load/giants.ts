// `npm run prove:giants`: imports with texts of 50 MB, and with 10,000 comments on one record, beside many small ones. The
// small ones run once alone and once beside the giants: none of them is late by more than a factor of 2. Every giant ends,
// with each of its records copied, or set aside with a reason. A worker that dies is started again, as a supervisor would.
import { prove, type Proof } from "../support/proof.ts";
import { startRestate } from "../support/restate-process.ts";
import { createRunFixture, type ReadyImport, type RunFixture } from "../support/run-fixture.ts";
import { type StandInProcess, startStandInProcess } from "../support/stand-in-process.ts";
import type { WorkerProcess } from "../support/worker-process.ts";
import { inTurns, type Run, rounded, spreadOf, untilAllEnded } from "./concurrent-runs.ts";

const maxLate = 2;
const records = 100;
const plain = { lean: true, hostile: false, largeText: 0 };

/** One worker that is always there. */
const keptUp = (startWorker: RunFixture["startWorker"]) => {
  let worker: WorkerProcess | null = null;
  let deaths = 0;
  const keepUp = async () => {
    if (worker?.isRunning()) return;
    if (worker) deaths += 1;
    worker = await startWorker();
  };
  return {
    keepUp,
    deaths: () => deaths,
    stop: async () => {
      await worker?.stop();
      worker = null;
    },
  };
};

const secondsOf = (runs: readonly Run[], imports: readonly ReadyImport[], startedAt: number) => {
  const ids = new Set(imports.map(({ id }) => id));
  return runs
    .filter(({ importId }) => ids.has(importId))
    .map(({ endedAt }) => ((endedAt?.getTime() ?? Number.NaN) - startedAt) / 1_000);
};

const ready = async (count: number, { newImport }: RunFixture, tool: StandInProcess) => {
  const imports: ReadyImport[] = [];
  await inTurns(count, async () => {
    const made = await newImport(tool);
    await made.start();
    imports.push(made);
  });
  return imports;
};

interface Giant {
  readonly name: string;
  readonly tool: StandInProcess;
  readonly imports: readonly ReadyImport[];
}

/** Every record of a giant has an outcome, and one that was not copied a reason. */
const judgeGiants = async (proof: Proof, giants: readonly Giant[]) => {
  const figures: Record<string, unknown> = {};
  for (const { name, tool, imports } of giants) {
    let [source, written, explained] = [0, 0, 0];
    for (const { customer } of imports)
      for (const stream of (await customer.report()) ?? []) {
        source += stream.source;
        written += stream.written + stream.matched;
        explained += stream.skipped + stream.failed;
      }
    const { duplicates } = await tool.control.stats();
    proof.holds(
      `${name}: each record is copied, or set aside with a reason`,
      source > 0 && source === written + explained,
      {
        source,
        written,
        explained,
      },
    );
    proof.holds(`${name}: nothing is doubled`, duplicates === 0, duplicates);
    figures[name] = { imports: imports.length, source, written, set_aside: explained };
  }
  return figures;
};

await prove("giants", async (proof) => {
  const count = proof.size(300, 6);
  const healthy = await startStandInProcess({ ...plain, counts: { users: 5, groups: 2, tickets: records } });
  const talkative = await startStandInProcess({
    ...plain,
    counts: { users: 5, groups: 2, tickets: 1, comments: proof.size(10_000, 300) },
  });
  const large = await startStandInProcess({
    counts: { users: 5, groups: 2, tickets: 24 },
    largeText: proof.size(50_000_000, 2_000_000),
  });
  const tools = [healthy, talkative, large];
  for (const tool of tools) proof.afterwards(() => tool.stop());
  const restate = await startRestate();
  proof.afterwards(() => restate.remove());
  const fixture = await createRunFixture(proof, { name: "giants", restate, tools });
  const worker = keptUp(fixture.startWorker);
  proof.afterwards(() => worker.stop());

  const alone = await ready(count, fixture, healthy);
  proof.say(`${count} imports of ${records} tickets each wait for a worker`);
  await worker.keepUp();
  const aloneAt = Date.now();
  const aloneRuns = await untilAllEnded(proof, fixture.services.db, count, worker.keepUp);
  const before = spreadOf(secondsOf(aloneRuns, alone, aloneAt));
  proof.say(`alone: ${JSON.stringify(before)} seconds`);
  await worker.stop();

  const giants: Giant[] = [
    { name: "comments on one record", tool: talkative, imports: await ready(3, fixture, talkative) },
    { name: "large texts", tool: large, imports: await ready(3, fixture, large) },
  ];
  const beside = await ready(count, fixture, healthy);
  proof.say(`${count} more wait beside ${giants.length * 3} giants`);
  await worker.keepUp();
  const besideAt = Date.now();
  const total = 2 * count + giants.length * 3;
  const runs = await untilAllEnded(proof, fixture.services.db, total, worker.keepUp);
  const after = spreadOf(secondsOf(runs, beside, besideAt));
  proof.say(`beside giants: ${JSON.stringify(after)} seconds; the worker died ${worker.deaths()} times`);

  const { written, duplicates } = await healthy.control.stats();
  const expected = 2 * count * (records + 2);
  proof.holds("the small imports: nothing is lost or doubled", written === expected && duplicates === 0, {
    written,
    expected,
    duplicates,
  });
  const late = {
    median: rounded(after.median / before.median),
    slowest: rounded(after.slowest / before.slowest),
  };
  proof.meets(
    `the small imports take at most ${maxLate} times as long beside giants`,
    Math.max(late.median, late.slowest) <= maxLate,
    late,
  );
  return {
    imports: count,
    alone_seconds: before,
    beside_seconds: after,
    late,
    worker_deaths: worker.deaths(),
    ...(await judgeGiants(proof, giants)),
  };
});
