// `npm run bench:quota`: two processes share the quota of a tool, in fixed and sliding windows, with short and long answers, and
// with a quota that is declared, in headers or only known by refusals. They use at least 98 % of it, with 1 % refused at most.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describeAccount } from "../server/src/features/tool-limits/index.ts";
import { createFixture } from "../test/support/fixture.ts";
import { judgeQuota, type ToolCounts } from "../test/support/judge-quota.ts";
import { type Proof, prove } from "../test/support/proof.ts";
import type { QuotaCase } from "./quota-tool.ts";
import type { QuotaOrder, QuotaResult } from "./quota-worker.ts";

const minute = 60_000;
const perMinute = 700;
const leastUse = 0.98;
const maxRefused = 0.01;

const start = (file: string, proof: Proof): ChildProcess => {
  const child = fork(join(import.meta.dirname, file), { serialization: "advanced" });
  proof.afterwards(() => child.kill());
  return child;
};

const ask = async <T>(child: ChildProcess, order: unknown): Promise<T> => {
  child.send(order as object);
  const [answer] = (await once(child, "message")) as [T | { error: string }];
  if (answer !== null && typeof answer === "object" && "error" in answer) throw new Error(answer.error);
  return answer;
};

const casesOf = (perMs: number): readonly QuotaCase[] => {
  const requests = Math.round((perMinute * perMs) / minute);
  return (["fixed", "sliding"] as const).flatMap((window) =>
    [50, 2_000].flatMap((latencyMs) =>
      (["declared", "refused", "headers"] as const).map((known) => ({
        name: `${window} ${latencyMs} ms ${known}`,
        window,
        latencyMs,
        known,
        requests,
        perMs,
        phaseMs: Math.random() * perMs,
      })),
    ),
  );
};

const rounded = (value: number) => Math.round(value * 10_000) / 10_000;

/** How much of a quota two processes use together, and how often the tool refuses them; all cases run at once. */
export const measureQuota = async (proof: Proof) => {
  const perMs = proof.size(minute, 10_000);
  const windows = proof.scale === 1 ? 3 : 2;
  const durationMs = perMs * (windows + 2) + 3_000;
  const fixture = await createFixture(proof);
  const cases = casesOf(perMs);
  const tool = start("quota-tool.ts", proof);
  const ports = await ask<number[]>(tool, cases);
  proof.say(`${cases.length} cases, ${cases[0]?.requests} requests per ${perMs / 1000} s, two processes.`);
  const order = (runs: readonly string[]): QuotaOrder => ({
    url: fixture.postgres.url,
    cases: cases.map((each, index) => ({ ...each, port: ports[index] as number })),
    runs,
    atATime: 16,
    durationMs,
  });
  const workers = [start("quota-worker.ts", proof), start("quota-worker.ts", proof)] as const;
  await Promise.all(workers.map((worker) => once(worker, "message")));
  const results = await Promise.all([
    ask<QuotaResult>(workers[0], order(["a", "b"])),
    ask<QuotaResult>(workers[1], order(["c"])),
  ]);
  const counts = await ask<ToolCounts[]>(tool, "counts");
  // A short run has small windows, in which one extra probe leads to a batch of refusals. The simulated-time tests
  // (npm test) hold the same code to these bounds.
  const believed = await Promise.all(
    cases.map(({ name }) =>
      describeAccount(fixture.db, "tool", name).then((known) => known.requestsPerMinute),
    ),
  );
  const figures = cases.map((each, index) => {
    const judged = judgeQuota(each, counts[index] as ToolCounts, perMs, windows);
    const byRun = Object.assign({}, ...results.map(({ answers }) => answers[each.name])) as Record<
      string,
      number
    >;
    const shares = Object.values(byRun);
    proof.meets(
      `${each.name}: at least ${leastUse} of the quota used, at most ${maxRefused} refused`,
      judged.quotaUse >= leastUse && judged.share429 <= maxRefused,
      { ...judged, believed: believed[index] },
    );
    return {
      name: each.name,
      ...judged,
      fairness: rounded(Math.min(...shares) / Math.max(...shares)),
      byRun,
    };
  });
  const problems = results.flatMap((result) => result.problems);
  proof.holds("the database answered", problems.length === 0, problems.slice(0, 3));
  const statements = results.map((result) => result.statements);
  return {
    cases: figures,
    leastQuotaUse: Math.min(...figures.map(({ quotaUse }) => quotaUse)),
    mostShare429: Math.max(...figures.map(({ share429 }) => share429)),
    leastFairness: Math.min(...figures.map(({ fairness }) => fairness)),
    statementsPerSecond: statements.map((count) => rounded(count / (durationMs / 1000))),
    requests: counts.reduce((sum, { accepted, refused }) => sum + accepted.length + refused.length, 0),
  };
};

if (import.meta.main) await prove("bench:quota", measureQuota);
