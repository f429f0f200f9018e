// `npm run prove:deploy`: a worker with new code replaces one with old code in the middle of a run. The run never
// stops, the old worker exits by itself, and no record is lost or duplicated.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { comparableStandIn, pacedStandIn } from "../chaos/destination.ts";
import { compareSides, judgeReport } from "../chaos/judge.ts";
import { prove } from "../support/proof.ts";
import { copyRepository } from "../support/repository-copy.ts";
import { startRestate } from "../support/restate-process.ts";
import { createRunFixture, untilCompleted } from "../support/run-fixture.ts";
import { startStandInProcess } from "../support/stand-in-process.ts";
import { standInPackages } from "../tools/stand-in-package/index.ts";
import { createPace } from "../chaos/pace.ts";
import { watchGaps } from "./watch-gaps.ts";

const root = join(import.meta.dirname, "../..");
const longestDrainMs = 60_000;
/** Shorter than the lease: the old worker releases its work, so the engine need not wait for the lease. */
const longestGapMs = 8_000;
const longestMs = 1_800_000;
await prove("deploy", async (proof) => {
  const records = proof.size(60_000, 5_000);
  const counts = {
    users: 20,
    groups: 5,
    tickets: Math.round(records * 0.4),
    comments: Math.round(records * 0.6),
  };
  const tool = await startStandInProcess({ counts, lean: true, hostile: false, largeText: 0 });
  proof.afterwards(() => tool.stop());
  const later = copyRepository(root);
  proof.afterwards(() => later.remove());
  appendFileSync(join(later.root, "server/src/main/worker.ts"), "// The next release.\n");
  const restate = await startRestate();
  proof.afterwards(() => restate.remove());
  const { startWorker, newImport } = await createRunFixture(proof, {
    name: "deploy",
    restate,
    tools: [tool],
  });

  const old = await startWorker();
  const started = await newImport(tool);
  const gaps = watchGaps(started);
  await started.start();
  // Slows the tool down, so that the run lasts longer than the deployment.
  const pace = createPace(pacedStandIn(tool.control), records);
  await pace.reach(0.15);
  const next = await startWorker({
    program: join(later.root, "server/src/main/worker.ts"),
    env: { PORTAGE_CONNECTORS: standInPackages.map((file) => file.replace(root, later.root)).join(",") },
  });
  const deployments = await restate.query<{ endpoint: string }>("select endpoint from sys_deployment");
  const releases = new Set(deployments.map(({ endpoint }) => new URL(endpoint).pathname));
  proof.holds("Restate knows two releases", releases.size === 2, [...releases]);
  const toldAt = performance.now();
  const before = gaps.written();
  old.kill("SIGTERM");
  const exit = await old.exited;
  const drainMs = Math.round(performance.now() - toldAt);
  proof.say(`SIGTERM at ${before} of ${records}, gone after ${drainMs} ms at ${gaps.written()}`);
  proof.holds("the old worker exits with 0", exit.code === 0, exit);
  proof.meets(`it has drained within ${longestDrainMs / 1_000} s`, drainMs < longestDrainMs, drainMs);
  proof.meets("the run was in its middle", before < records * 0.9, Math.round((before / records) * 100));

  await pace.release();
  await untilCompleted(started, longestMs);
  const { longest, usualMs } = await gaps.end();
  proof.meets(`no gap in the progress over ${longestGapMs} ms`, longest.ms < longestGapMs, longest);
  const judged = comparableStandIn(tool.control);
  const { lost, doubled, differing } = await compareSides(proof, judged, null);
  proof.holds("nothing is lost, doubled or different", lost + doubled + differing === 0, {
    lost,
    doubled,
    differing,
  });
  await judgeReport(proof, judged, started);
  await next.stop();
  return {
    records,
    drain_ms: drainMs,
    exit_code: exit.code,
    longest_gap_ms: longest.ms,
    usual_gap_ms: usualMs,
    lost,
    doubled,
  };
});
