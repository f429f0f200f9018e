// `npm run prove:alerts`: a real Prometheus and Alertmanager watch two APIs and two workers. For every alert a planted
// fault makes it fire, and the fault's end resolves it. Needs root and Debian, to install both the first time.
// --only ALERT,ALERT: those alone.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { parse } from "yaml";
import { newWebhookSecret, saveTarget, writeTestEvent } from "../../../server/src/features/webhooks/index.ts";
import { createSealer } from "../../../server/src/platform/seal.ts";
import { givenPartner } from "../../support/fixtures.ts";
import { freePort } from "../../support/free-port.ts";
import { prove } from "../../support/proof.ts";
import { startRestate } from "../../support/restate-process.ts";
import { createRunFixture } from "../../support/run-fixture.ts";
import { startStandInProcess } from "../../support/stand-in-process.ts";
import { startWebhookReceiver } from "../../support/webhook-receiver.ts";
import { startMonitoring } from "../../tools/prometheus/prometheus.ts";
import { startAlertReceiver } from "./alert-receiver.ts";
import { quickRules } from "./quick-rules.ts";

const root = join(import.meta.dirname, "../../..");
const rules = readFileSync(join(root, "deploy/prometheus/portage.rules.yaml"), "utf8");
const alerts = (
  parse(rules) as { groups: readonly { readonly rules: readonly { readonly alert: string }[] }[] }
).groups.flatMap((group) => group.rules.map(({ alert }) => alert));

const { values } = parseArgs({ options: { only: { type: "string" } }, strict: false });
const only = typeof values["only"] === "string" ? values["only"].split(",") : null;

/** Only to detect a hang: the machine may be busy. */
const patienceMs = 240_000;

interface Fault {
  /** The alerts that it must make fire. */
  readonly alerts: readonly string[];
  readonly what: string;
  readonly plant: () => Promise<unknown>;
  readonly mend: () => Promise<unknown>;
}

await prove("alerts", async (proof) => {
  const tool = await startStandInProcess({
    counts: { users: 3, groups: 2, tickets: 20 },
    lean: true,
    hostile: false,
    largeText: 0,
  });
  proof.afterwards(() => tool.stop());
  const hooks = await startWebhookReceiver();
  proof.afterwards(() => hooks.close());
  const restate = await startRestate();
  proof.afterwards(() => restate.remove());
  const ports = [await freePort(), await freePort(), await freePort(), await freePort()] as const;
  const { services, api, startWorker, newImport, logs } = await createRunFixture(proof, {
    name: "alerts",
    restate,
    tools: [tool],
    env: {
      METRICS_PORT: String(ports[0]),
      METRICS_INTERVAL_MS: "500",
      STATEMENT_TIMEOUT_MS: "1500",
      WEBHOOK_PARTNER_CONCURRENCY: "1",
    },
  });
  const { db, postgres } = services;
  const engine = {
    RESTATE_INGRESS_URL: restate.ingressUrl,
    RESTATE_ADMIN_URL: restate.adminUrl,
    RESTATE_IDENTITY_KEYS: restate.identityKey,
    OUTBOUND_ALLOW: tool.host,
    WEBHOOK_ALLOW: hooks.host,
  };
  const second = await services.startApi({
    env: { ...engine, METRICS_PORT: String(ports[1]), METRICS_INTERVAL_MS: "500" },
  });
  const workerEnv = (port: number) => ({ env: { ...engine, METRICS_PORT: String(port) } });
  await startWorker(workerEnv(ports[2]));
  let worker = await startWorker(workerEnv(ports[3]));

  const received = await startAlertReceiver();
  proof.afterwards(() => received.close());
  const monitoring = await startMonitoring({
    folder: join(logs, "monitoring"),
    jobs: {
      "portage-api": [`127.0.0.1:${ports[0]}`, `127.0.0.1:${ports[1]}`],
      "portage-worker": [`127.0.0.1:${ports[2]}`, `127.0.0.1:${ports[3]}`],
    },
    rules: quickRules(rules),
    receiverUrl: received.url,
  });
  proof.afterwards(() => monitoring.stop());

  const { partner, token } = await givenPartner(db);
  const body = { source_tool: "redmine", family: "helpdesk" };
  const made = await services.createImport(partner.id, body);
  const ask = async () => {
    const answer = await fetch(`${api.url}/api/v2.1/imports/${made.id}`, {
      headers: { authorization: `Basic ${Buffer.from(`${token}:`).toString("base64")}` },
    }).catch(() => undefined);
    await answer?.arrayBuffer().catch(() => {});
  };
  /** Keeps asking from now on: shares need requests, also good ones. */
  let asking = 0;
  let isOver = false;
  const keepAsking = async (line: number) => {
    while (!isOver)
      if (line < asking) {
        await ask();
        await sleep(50);
      } else await sleep(100);
  };
  const lines = Array.from({ length: 40 }, (_, line) => keepAsking(line));
  proof.afterwards(async () => {
    isOver = true;
    await Promise.all(lines);
  });
  asking = 1;

  const query = (text: string, parameters: unknown[] = []) => db.pool.query(text, parameters);
  const runOf = async (state: string, more: string) => {
    const { id } = await services.createImport(partner.id, body);
    const runId = `run_${id.slice(4)}`;
    await query(
      `insert into runs (id, import_id, number, kind, outbox_id, ledger_leaf, wanted, failure_code, failure_message)
       values ($1, $2, 1, 'full', -abs(hashtext($2)), '', ${more})`,
      [runId, id],
    );
    await query(
      `insert into partitions (run_id, no, import_id, step, task, state, due_at, failing_since, batch_ids, batch_deadline)
       values ($1, 0, $2, 0, 'copy', $3, now() - interval '1 hour', now() - interval '9 hours', array['a'],
         now() - interval '1 hour')`,
      [runId, id, state],
    );
    return async () => {
      await query("delete from partitions where run_id = $1", [runId]);
      await query("delete from runs where id = $1", [runId]);
    };
  };
  let unplant: () => Promise<unknown> = async () => {};
  let unlock = () => {};
  const moved = await newImport(tool);
  await moved.start();
  const done = async () => (await moved.customer.show()).status.code === "migration_completed";
  for (const giveUpAt = Date.now() + patienceMs; !(await done()) && Date.now() < giveUpAt; ) await sleep(200);
  const sealer = createSealer([
    { id: "k1", key: Buffer.from((services.env["PORTAGE_KEYS"] ?? "").slice(3), "base64") },
  ]);
  const target = { url: `${hooks.url}/hook`, eventTypes: null, ordered: false };

  const faults: readonly Fault[] = [
    {
      alerts: ["PortageDown"],
      what: "a worker is killed",
      plant: async () => {
        worker.kill("SIGKILL");
        await worker.exited;
      },
      mend: async () => {
        worker = await startWorker(workerEnv(ports[3]));
      },
    },
    {
      alerts: ["PortageApiErrors", "PortageQueueMetricsStale"],
      what: "PostgreSQL is stopped",
      plant: async () => postgres.stop("immediate"),
      mend: () => postgres.startAside(),
    },
    {
      alerts: ["PortageApiSlow", "PortagePoolExhausted"],
      what: "a session locks a table that every request needs",
      plant: async () => {
        asking = lines.length;
        const locked = await db.pool.connect();
        unlock = () => locked.release(true);
        await locked.query("begin; lock table imports in access exclusive mode");
      },
      mend: async () => {
        unlock();
        asking = 1;
      },
    },
    {
      alerts: [
        "PortageWorkerNotRegistered",
        "PortageOutboxStuck",
        "PortagePartitionsOverdue",
        "PortagePartitionFailing",
      ],
      what: "Restate is killed while there is work for it",
      plant: async () => {
        await restate.kill();
        // The workers must have noticed before the work is there, or they would take it.
        await sleep(15_000);
        unplant = await runOf("running", "'run', null, null");
        await query(`insert into outbox (import_id, effect) values ($1, '{"kind":"stop_run"}')`, [made.id]);
      },
      mend: async () => {
        await unplant();
        await restate.start();
      },
    },
    {
      alerts: ["PortageRecordsInDoubt"],
      what: "a run rests with a write in doubt",
      plant: async () => {
        unplant = await runOf("running", "'pause', null, null");
      },
      mend: () => unplant(),
    },
    {
      alerts: ["PortageRunsFailed"],
      what: "a run ends as failed",
      plant: () => runOf("done", "'stop', 'planted', 'Planted.'"),
      mend: async () => {},
    },
    {
      alerts: ["PortageChunksFail"],
      what: "the database refuses to settle pages",
      plant: async () => {
        await query(`create function planted() returns trigger language plpgsql as
            $$ begin raise exception 'planted'; end $$;
          create trigger planted before update of cursor on partitions for each row execute function planted()`);
        for (let n = 0; n < 5; n += 1) await (await newImport(tool)).start();
      },
      mend: () => query("drop trigger planted on partitions; drop function planted"),
    },
    {
      alerts: ["PortageToolFailing"],
      what: "a tool answers everything with 503",
      plant: async () => {
        const failing = await newImport(tool);
        await failing.start();
        await tool.control.storm({ ms: 3_600_000, status: 503, retryAfterMs: 100 });
        for (let n = 0; n < 3; n += 1) await moved.customer.startRun("delta").catch(() => {});
      },
      mend: async () => {
        await tool.control.storm({ ms: 1, status: 503 });
      },
    },
    {
      alerts: ["PortageVerificationDifferences"],
      what: "a person has deleted a copy before a run checks it",
      plant: async () => {
        for await (const { id } of tool.control.dump("tickets")) {
          await tool.control.removeByHand("tickets", id);
          break;
        }
        await moved.customer.startRun("delta").catch(() => {});
      },
      mend: async () => {},
    },
    {
      alerts: ["PortageWebhooksLate"],
      what: "an endpoint answers, but more slowly than its events come",
      plant: async () => {
        // One that fails would not count: it falls behind by itself.
        hooks.answer(() => ({ status: 200, afterMs: 3_000 }));
        await saveTarget(db, sealer, partner.id, target, newWebhookSecret());
        for (let n = 0; n < 60; n += 1) await writeTestEvent(db, partner.id);
      },
      mend: async () => {
        hooks.answer(() => ({ status: 200 }));
        hooks.hangUp();
        await query("delete from webhook_deliveries");
      },
    },
    {
      alerts: ["PortageWebhooksFailing"],
      what: "whatever is between the workers and the endpoints refuses every call",
      plant: async () => {
        hooks.answer(() => ({ status: 502 }));
        await saveTarget(db, sealer, partner.id, target, newWebhookSecret());
        for (let n = 0; n < 60; n += 1) await writeTestEvent(db, partner.id);
      },
      mend: async () => {
        hooks.answer(() => ({ status: 200 }));
        await query("delete from webhook_deliveries");
      },
    },
    {
      alerts: ["PortageWebhookTargetsDisabled"],
      what: "an endpoint is gone",
      plant: () => query("update webhook_targets set disabled_at = now(), disabled_because = 'gone'"),
      mend: () => query("update webhook_targets set disabled_at = null, disabled_because = null"),
    },
    {
      alerts: ["PortageMailsLate"],
      what: "no worker can send mail",
      plant: () =>
        query(
          `insert into mails (id, import_id, occasion, about, run_id, round, created_at)
           values ('eml_' || lpad('1', 26, '0'), $1, 'done', '', '', 0, now() - interval '3 hours')`,
          [made.id],
        ),
      mend: () => query("delete from mails"),
    },
    {
      alerts: ["PortagePaymentsOverdue"],
      what: "a refund's provider is not configured any more",
      plant: () =>
        query(
          `set session_replication_role = replica;
           insert into refunds (id, checkout_id, import_id, amount, reason, next_attempt_at)
             select 'ref_' || lpad('1', 26, '0'), 'none', id, 1, 'closed', now() - interval '3 hours' from imports limit 1;
           set session_replication_role = origin`,
        ),
      mend: () => query("delete from refunds"),
    },
    {
      alerts: ["PortageRetentionLate"],
      what: "retention leaves rows whose period is over",
      plant: () =>
        query(
          `insert into idempotency_keys (partner_id, key, fingerprint, claim, claimed_until, created_at)
           values ($1, 'old', '', gen_random_uuid(), now(), now() - interval '9 days')`,
          [partner.id],
        ),
      mend: () => query("delete from idempotency_keys"),
    },
    {
      alerts: ["PortageBreakGlassSignIn"],
      what: "an account for emergencies signs in",
      plant: () =>
        query(
          `insert into staff_audit (action, changes, request_id, outcome) values ('breakGlassSignIn', true, 'planted', 'done')`,
        ),
      mend: () => query("delete from staff_audit where action = 'breakGlassSignIn'"),
    },
  ];

  proof.holds(
    "every alert has a fault",
    alerts.every((alert) => faults.some((fault) => fault.alerts.includes(alert))),
    alerts.filter((alert) => !faults.some((fault) => fault.alerts.includes(alert))),
  );
  const until = async (isSo: () => boolean) => {
    const startedAt = Date.now();
    while (!isSo() && Date.now() - startedAt < patienceMs) await sleep(200);
    return { isSo: isSo(), seconds: Math.round((Date.now() - startedAt) / 100) / 10 };
  };
  const seconds: Record<string, { fired: number; resolved: number }> = {};
  // Until nothing of the beginning counts any more.
  await until(() => alerts.every((alert) => !received.isFiring(alert)));
  for (const fault of faults) {
    if (only && !fault.alerts.some((alert) => only.includes(alert))) continue;
    proof.say(`planting: ${fault.what}`);
    await until(() => fault.alerts.every((alert) => !received.isFiring(alert)));
    await fault.plant();
    const fired = new Map<string, number>();
    for (const alert of fault.alerts) {
      const waited = await until(() => received.isFiring(alert));
      proof.holds(`${alert} fires: ${fault.what}`, waited.isSo, waited.seconds);
      fired.set(alert, waited.seconds);
    }
    await fault.mend();
    for (const alert of fault.alerts) {
      const waited = await until(() => !received.isFiring(alert));
      proof.holds(`${alert} resolves when it is over`, waited.isSo, waited.seconds);
      seconds[alert] = { fired: fired.get(alert) ?? Number.NaN, resolved: waited.seconds };
    }
  }
  await second.stop();
  return { alerts: Object.keys(seconds).length, alert_seconds: seconds };
});
