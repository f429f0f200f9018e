// `npm run prove:cluster`: three Restate nodes; the proof kills one with -9 in the middle of a run, and it stays dead.
// The run ends without lost or duplicated records. --node 1, 2 or 3: which node.
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { comparableStandIn } from "../chaos/destination.ts";
import { compareSides, judgeReport } from "../chaos/judge.ts";
import { prove } from "../support/proof.ts";
import { startRestateCluster } from "../support/restate-cluster.ts";
import { createRunFixture, untilCompleted } from "../support/run-fixture.ts";
import { startStandInProcess } from "../support/stand-in-process.ts";
import { watchGaps } from "./watch-gaps.ts";

const { values } = parseArgs({ options: { node: { type: "string", default: "1" } }, strict: false });
const longestStallMs = 120_000;
const longestMs = 1_800_000;
const latencyMs = 100;

await prove("cluster", async (proof) => {
  const records = proof.size(60_000, 6_000);
  const counts = {
    users: 20,
    groups: 5,
    tickets: Math.round(records * 0.4),
    comments: Math.round(records * 0.6),
  };
  const tool = await startStandInProcess({ counts, latencyMs, lean: true, hostile: false, largeText: 0 });
  proof.afterwards(() => tool.stop());
  const cluster = await startRestateCluster();
  proof.afterwards(() => cluster.remove());
  const killed = cluster.nodes[Number(values["node"]) - 1];
  if (!killed) throw new Error(`--node takes 1 to ${cluster.nodes.length}.`);
  const { startWorker, newImport } = await createRunFixture(proof, {
    name: "cluster",
    restate: cluster,
    tools: [tool],
  });
  await startWorker();
  const started = await newImport(tool);
  const gaps = watchGaps(started);
  await started.start();
  await gaps.reach(Math.round(records * 0.3));

  const before = gaps.written();
  const killedAt = performance.now();
  await killed.kill();
  proof.say(`node ${values["node"]} was killed at ${before} of ${records}`);
  proof.holds("the run was in its middle", before < records * 0.9, Math.round((before / records) * 100));
  while (!(await cluster.isWhole().catch(() => false)) && performance.now() - killedAt < longestMs)
    await sleep(100);
  const wholeMs = Math.round(performance.now() - killedAt);
  proof.say(`the other two serve all data after ${wholeMs} ms`);

  await untilCompleted(started, longestMs);
  const { longest, usualMs } = await gaps.end();
  proof.meets(`no stall over ${longestStallMs} ms`, longest.ms < longestStallMs, longest);
  const judged = comparableStandIn(tool.control);
  const { lost, doubled, differing } = await compareSides(proof, judged, null);
  proof.holds("nothing is lost, doubled or different", lost + doubled + differing === 0, {
    lost,
    doubled,
    differing,
  });
  await judgeReport(proof, judged, started);
  return {
    records,
    killed_node: Number(values["node"]),
    stall_ms: longest.ms,
    usual_gap_ms: usualMs,
    whole_again_ms: wholeMs,
    lost,
    doubled,
  };
});
