// `npm run bench:webhooks`: compares the events per second of one worker with a bare loop that signs and posts the same
// messages to the same receivers. Both run alternately on the same machine; only the ratio counts.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { testPayload } from "../server/src/features/webhooks/index.ts";
import { createSealer } from "../server/src/platform/seal.ts";
import {
  type LoadPartner,
  makePartners,
  type Receivers,
  startReceivers,
  untilReceived,
} from "../test/load/webhooks/webhook-load.ts";
import { createFixture, type Fixture } from "../test/support/fixture.ts";
import { cpuMsOf } from "../test/support/process-time.ts";
import { prove } from "../test/support/proof.ts";
import { median } from "../test/support/statistics.ts";
import { startRestate } from "../test/support/restate-process.ts";
import { startWorkerProcess } from "../test/support/worker-process.ts";
import type { BareOrder } from "./bare-webhooks.ts";

const partnerCount = 16;
const importsEach = 50;
const perPartner = 16;
const patienceMs = 600_000;
const logs = join(import.meta.dirname, "../artifacts/bench-webhooks");

const rounded = (value: number) => Math.round(value * 1000) / 1000;

/** A backlog, as an outage leaves it: every delivery exists before the webhook target is enabled. */
const fill = async (fixture: Fixture, partners: readonly LoadPartner[], count: number) => {
  await fixture.db.pool.query(
    "update webhook_targets set disabled_at = now(), disabled_because = 'operator'",
  );
  const imports = partners.flatMap((partner) => partner.imports);
  // The rows of writeNotice in one statement: the bench does not measure writing.
  await fixture.db.pool.query(
    `with new as (
       insert into events (id, partner_id, import_id, type, status)
       select 'evt_' || lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint) || lpad(n::text, 9, '0'), 26, '0'),
         (array(select unnest($1::text[])))[n % $3 + 1], (array(select unnest($2::text[])))[n % $3 + 1],
         'import.status_changed', 'waiting_for_sample'
       from generate_series(0, $4 - 1) n returning id, partner_id, import_id, type, seq
     )
     insert into webhook_deliveries (event_id, partner_id, import_id, type, seq, lane, state, next_attempt_at, due_at)
     select id, partner_id, import_id, type, seq, import_id, case when place = 1 then 'waiting' else 'held' end,
       case when place = 1 then now() end, case when place = 1 then now() end
     from (select *, row_number() over (partition by import_id order by seq) as place from new) placed`,
    [imports.map(({ partnerId }) => partnerId), imports.map(({ id }) => id), imports.length, count],
  );
  await fixture.db.pool.query("analyze webhook_deliveries");
};

const deliver = async (fixture: Fixture, receivers: Receivers, count: number) => {
  await receivers.receipts();
  await fixture.db.pool.query("update webhook_targets set disabled_at = null, disabled_because = null");
  const { firstAt, lastAt } = await untilReceived(receivers, count, patienceMs);
  return (count / (lastAt - firstAt)) * 1_000;
};

await prove("bench:webhooks", async (proof) => {
  mkdirSync(logs, { recursive: true });
  const count = proof.size(20_000, 3_000);
  const rounds = proof.size(5, 2);
  const fixture = await createFixture(proof);
  const restate = await startRestate();
  proof.afterwards(() => restate.remove());
  const receivers = await startReceivers(
    proof,
    Array.from({ length: partnerCount }, () => "healthy" as const),
  );
  const [, keyText = ""] = fixture.env["PORTAGE_KEYS"]?.split(":") ?? [];
  const sealer = createSealer([{ id: "k1", key: Buffer.from(keyText, "base64") }]);
  const partners = await makePartners(
    fixture,
    sealer,
    receivers.ports.map((port) => ({ kind: "healthy", port })),
    importsEach,
  );
  const worker = await startWorkerProcess({
    env: {
      ...fixture.env,
      WEBHOOK_ALLOW: receivers.ports.map((port) => `127.0.0.1:${port}`).join(","),
      RESTATE_INGRESS_URL: restate.ingressUrl,
      RESTATE_ADMIN_URL: restate.adminUrl,
      RESTATE_IDENTITY_KEYS: restate.identityKey,
      WEBHOOK_PARTNER_CONCURRENCY: String(perPartner),
    },
    logFile: join(logs, "worker.log"),
  });
  proof.afterwards(() => worker.stop());
  const bare = fork(join(import.meta.dirname, "bare-webhooks.ts"));
  proof.afterwards(() => bare.kill());
  const order: BareOrder = {
    ports: receivers.ports,
    count,
    each: perPartner,
    body: { ...testPayload, type: "import.status_changed" },
    secret: `whsec_${"A".repeat(43)}=`,
  };
  const bareOnce = async () => {
    await receivers.receipts();
    bare.send(order);
    const [result] = (await once(bare, "message")) as [{ error?: string }];
    if (result.error !== undefined) throw new Error(result.error);
    const { firstAt, lastAt } = await untilReceived(receivers, count, patienceMs);
    return (count / (lastAt - firstAt)) * 1_000;
  };
  const rates: Record<"bare" | "worker", number[]> = { bare: [], worker: [] };
  const shares: number[] = [];
  const receiverShares: number[] = [];
  // The first round warms up compilers and connections and does not count.
  for (let round = 0; round <= rounds; round += 1) {
    const bareRate = await bareOnce();
    await fill(fixture, partners, count);
    const cpuMs = cpuMsOf(worker.pid);
    const receiverMs = cpuMsOf(receivers.pid);
    const startedAt = performance.now();
    const rate = await deliver(fixture, receivers, count);
    const tookMs = performance.now() - startedAt;
    const share = (cpuMsOf(worker.pid) - cpuMs) / tookMs;
    if (round === 0) continue;
    rates.bare.push(bareRate);
    rates.worker.push(rate);
    shares.push(share);
    receiverShares.push((cpuMsOf(receivers.pid) - receiverMs) / tookMs);
    proof.say(`round ${round}: bare ${Math.round(bareRate)}/s, worker ${Math.round(rate)}/s`);
  }
  const ratio = rounded(median(rates.worker.map((rate, round) => rate / (rates.bare[round] ?? Number.NaN))));
  const share = rounded(median(shares));
  return {
    events: count,
    partners: partnerCount,
    per_partner: perPartner,
    ratio,
    bare_per_second: Math.round(median(rates.bare)),
    worker_per_second: Math.round(median(rates.worker)),
    worker_cpu_share: share,
    receivers_cpu_share: rounded(median(receiverShares)),
    limited_by:
      share > 0.8
        ? "the worker's one thread: reading, opening and signing each message, beside its call"
        : "PostgreSQL and the other processes on this machine: the worker waits to take and to settle",
  };
});
