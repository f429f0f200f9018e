// `npm run prove:webhooks`: 20,000 events for 50 partners, of which 10 are dead, 10 slow and 5 refuse half of the deliveries, while
// it kills workers, Restate and PostgreSQL. No event is lost or out of order, and healthy partners see no delay.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createSealer } from "../../server/src/platform/seal.ts";
import { createFixture, type Fixture } from "../support/fixture.ts";
import { type Proof, prove } from "../support/proof.ts";
import { histogram, percentile } from "../support/statistics.ts";
import { startRestate } from "../support/restate-process.ts";
import { spawnWorker, startWorkerProcess, type WorkerProcess } from "../support/worker-process.ts";
import { judgeReceipts } from "./webhooks/judge-receipts.ts";
import type { Kind } from "./webhooks/receivers.ts";
import {
  type LoadPartner,
  makePartners,
  type Receivers,
  startReceivers,
  untilReceived,
  writeEvent,
} from "./webhooks/webhook-load.ts";

const logs = join(import.meta.dirname, "../../artifacts/webhooks");
const kinds: readonly LoadPartner["kind"][] = [
  ...Array.from({ length: 25 }, () => "healthy" as const),
  ...Array.from({ length: 10 }, () => "slow" as const),
  ...Array.from({ length: 5 }, () => "flaky" as const),
  ...Array.from({ length: 5 }, () => "silent" as const),
  ...Array.from({ length: 5 }, () => "absent" as const),
];
const isListening = (kind: LoadPartner["kind"]): kind is Kind => kind !== "absent";
const isDead = ({ kind }: LoadPartner) => kind === "silent" || kind === "absent";

const importsEach = 20;
const timeScale = "0.01";
const maxLatencyMs = 2_000;
/** Keeps outages of seconds from dominating: a full run sends more events, a small run lowers the rate. */
const leastSecondsAt = (scale: number) => (scale === 1 ? 60 : 30);
const patienceMs = 15 * 60_000;
const parallelWriters = 8;

const rounded = (value: number) => Math.round(value * 10) / 10;

/** Deliveries per second of a backlog to healthy partners, over both workers. */
const measureCapacity = async (
  fixture: Fixture,
  receivers: Receivers,
  partners: readonly LoadPartner[],
  count: number,
  startWorkers: () => Promise<unknown>,
) => {
  const imports = partners.flatMap((partner) => (partner.kind === "healthy" ? partner.imports : []));
  for (let i = 0; i < count; i += imports.length)
    await Promise.all(imports.slice(0, count - i).map((each) => writeEvent(fixture.db, each)));
  await startWorkers();
  const { firstAt, lastAt } = await untilReceived(receivers, count, patienceMs);
  await receivers.receipts();
  return (count / Math.max(1, lastAt - firstAt)) * 1_000;
};

interface Faults {
  readonly at: number;
  readonly name: string;
  readonly cause: () => Promise<void>;
}

/** Writes at a steady rate; an unacknowledged event is not expected, but still judged if it exists. */
const writeAtRate = async (
  proof: Proof,
  fixture: Fixture,
  partners: readonly LoadPartner[],
  { count, perSecond, faults }: { count: number; perSecond: number; faults: readonly Faults[] },
) => {
  const committed = new Map<string, number>();
  const imports = Array.from({ length: importsEach }, (_, index) =>
    partners.flatMap((partner) => partner.imports[index] ?? []),
  ).flat();
  const startedAt = performance.now();
  const causing: Promise<void>[] = [];
  let next = 0;
  let failedWrites = 0;
  const write = async () => {
    while (next < count) {
      const number = next++;
      for (const fault of faults)
        if (fault.at === number) {
          proof.say(`${Math.round((performance.now() - startedAt) / 1_000)} s: ${fault.name}`);
          causing.push(fault.cause());
        }
      const dueInMs = startedAt + (number / perSecond) * 1_000 - performance.now();
      if (dueInMs > 0) await sleep(dueInMs);
      const about = imports[number % imports.length];
      if (!about) continue;
      let event: string | undefined;
      while (event === undefined) {
        event = await writeEvent(fixture.db, about).catch(() => undefined);
        if (event !== undefined) break;
        failedWrites += 1;
        await sleep(200);
      }
      committed.set(event, Date.now());
    }
  };
  await Promise.all(Array.from({ length: parallelWriters }, write));
  await Promise.all(causing);
  return { committed, failedWrites, seconds: (performance.now() - startedAt) / 1_000 };
};

const untilDelivered = async (proof: Proof, fixture: Fixture, deliverable: readonly string[]) => {
  const giveUpAt = performance.now() + patienceMs;
  let printedAt = 0;
  for (;;) {
    const { rows } = await fixture.db.pool.query<{ state: string; n: number }>(
      "select state, count(*) as n from webhook_deliveries where partner_id = any($1) group by 1",
      [deliverable],
    );
    const open = rows.filter(({ state }) => !["delivered", "failed"].includes(state));
    if (open.length === 0) return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
    if (performance.now() > giveUpAt) throw new Error(`Still open: ${JSON.stringify(rows)}`);
    if (performance.now() - printedAt > 10_000) {
      proof.say(`still open: ${JSON.stringify(open)}`);
      printedAt = performance.now();
    }
    await sleep(250);
  }
};

await prove("webhooks", async (proof) => {
  rmSync(logs, { recursive: true, force: true });
  mkdirSync(logs, { recursive: true });
  const leastCount = proof.size(20_000, 600);
  const fixture = await createFixture(proof, { synchronous_commit: "on" });
  const restate = await startRestate();
  proof.afterwards(() => restate.remove());
  const listening = kinds.filter(isListening);
  const receivers = await startReceivers(proof, listening);
  const [, keyText = ""] = fixture.env["PORTAGE_KEYS"]?.split(":") ?? [];
  const sealer = createSealer([{ id: "k1", key: Buffer.from(keyText, "base64") }]);
  const partners = await makePartners(
    fixture,
    sealer,
    kinds.map((kind, index) => ({ kind, port: receivers.ports[index] })),
    importsEach,
  );
  const env = {
    ...fixture.env,
    WEBHOOK_ALLOW: (
      await fixture.db.pool.query<{ host: string }>(
        "select substring(url from '//([^/]+)/') as host from webhook_targets",
      )
    ).rows
      .map(({ host }) => host)
      .join(","),
    RESTATE_INGRESS_URL: restate.ingressUrl,
    RESTATE_ADMIN_URL: restate.adminUrl,
    RESTATE_IDENTITY_KEYS: restate.identityKey,
    WEBHOOK_TIME_SCALE: timeScale,
  };
  const options = (index: number) => ({ env, logFile: join(logs, `worker-${index + 1}.log`) });
  const workers: WorkerProcess[] = [];
  proof.afterwards(() => Promise.all(workers.map((worker) => worker.stop())));
  const capacity = await measureCapacity(fixture, receivers, partners, proof.size(4_000, 200), async () => {
    workers.push(await startWorkerProcess(options(0)), await startWorkerProcess(options(1)));
  });
  const leastSeconds = leastSecondsAt(proof.scale);
  const perSecond = proof.scale === 1 ? capacity / 2 : Math.min(capacity / 2, leastCount / leastSeconds);
  const count = Math.max(leastCount, Math.ceil(perSecond * leastSeconds));
  proof.say(`capacity ${Math.round(capacity)}/s; ${count} events follow at ${rounded(perSecond)}/s`);

  const replaceWorker = async (index: number) => {
    workers[index]?.kill("SIGKILL");
    await workers[index]?.exited;
    workers[index] = await spawnWorker(options(index));
  };
  const faults: readonly Faults[] = [
    { at: Math.round(count * 0.15), name: "kill -9 of a worker", cause: () => replaceWorker(0) },
    {
      at: Math.round(count * 0.35),
      name: "kill -9 of Restate",
      cause: async () => {
        await restate.kill();
        await sleep(3_000);
        await restate.start();
      },
    },
    {
      at: Math.round(count * 0.55),
      name: "kill -9 of PostgreSQL",
      cause: async () => {
        await fixture.postgres.kill();
        await fixture.postgres.startAside();
      },
    },
    {
      at: Math.round(count * 0.75),
      name: "Restate loses its data",
      cause: async () => {
        await restate.kill();
        restate.wipe();
        await restate.start();
      },
    },
    { at: Math.round(count * 0.85), name: "kill -9 of the other worker", cause: () => replaceWorker(1) },
  ];
  const wrote = await writeAtRate(proof, fixture, partners, { count, perSecond, faults });
  proof.say(`written in ${Math.round(wrote.seconds)} s, ${wrote.failedWrites} writes refused by faults`);

  const deliverable = partners.filter((partner) => !isDead(partner)).map(({ id }) => id);
  const states = await untilDelivered(proof, fixture, deliverable);
  proof.holds("every deliverable event is delivered, none given up", !("failed" in states), states);
  const judged = await judgeReceipts(fixture.db, {
    receipts: await receivers.receipts(),
    partners,
    committed: wrote.committed,
    capacityEvents: proof.size(4_000, 200),
  });
  proof.holds("every one was received and answered with 200", judged.missing === 0, judged.missing);
  proof.holds("every event that was acknowledged is there", judged.lost === 0, judged.lost);
  proof.holds("none is out of order within its import", judged.outOfOrder === 0, judged.outOfOrder);
  proof.holds("nothing was received that is no event", judged.unknown === 0, judged.unknown);
  const sorted = judged.latenciesMs.toSorted((a, b) => a - b);
  const latency = {
    p50: percentile(sorted, 0.5),
    p95: percentile(sorted, 0.95),
    p99: percentile(sorted, 0.99),
    max: percentile(sorted, 1),
  };
  proof.meets(
    `healthy partners: p95 from commit to receipt under ${maxLatencyMs} ms`,
    latency.p95 < maxLatencyMs,
    latency,
  );
  return {
    events: count,
    partners: histogram(kinds),
    capacity_per_second: Math.round(capacity),
    rate_per_second: rounded(perSecond),
    healthy_latency_ms: latency,
    duplicates: judged.duplicates,
    attempts: judged.attempts,
    faults: faults.map(({ name }) => name),
    flaky_refusals: judged.refusals,
  };
});
