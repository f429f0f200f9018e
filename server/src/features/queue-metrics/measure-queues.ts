import type { Database } from "../../platform/db.ts";
import {
  catalogue,
  type GaugeName,
  type MetricDefinition,
  type Metrics,
} from "../../platform/metrics/index.ts";
import { keptDays } from "../events/index.ts";
import { keptHours } from "../idempotency/index.ts";
import { countOpenImports } from "../operations/index.ts";
import { lastRetentionAt, outboxKeptDays } from "../retention/index.ts";
import { lastBreakGlassSignIn } from "../staff/index.ts";
import { fullestQuotas } from "../tool-limits/index.ts";
import {
  type Amount,
  countDeliveries,
  countDisabledTargets,
  countLiveRuns,
  countOverdueRows,
  oldestDueDelivery,
  sumMails,
  sumOutbox,
  sumOverduePayments,
  sumPartitions,
  tableSizes,
} from "./store.ts";

const timestamp = "portage_queue_metrics_timestamp_seconds";

const namesFrom = (from: MetricDefinition["from"]) =>
  (Object.keys(catalogue) as GaugeName[]).filter(
    (name) => catalogue[name].from === from && name !== timestamp,
  );

export const queueMetricNames = namesFrom("queues");
export const storageMetricNames = namesFrom("storage");

const one = (value: number) => [{ labels: {}, value }];

const by = <L extends string>(label: L, amounts: readonly Amount[]) =>
  amounts.map(({ label: of, value }) => ({ labels: { [label]: of } as Record<L, string>, value }));

/** Known values without any are 0, so that a graph and an alert see them end. */
const withZeros = (known: readonly string[], amounts: readonly Amount[]): readonly Amount[] => [
  ...known.flatMap((label) => (amounts.some((each) => each.label === label) ? [] : [{ label, value: 0 }])),
  ...amounts,
];

const sumBy = <T extends { readonly value: number }>(
  rows: readonly T[],
  labelOf: (row: T) => string | null,
): readonly Amount[] => {
  const sums = new Map<string, number>();
  for (const row of rows) {
    const label = labelOf(row);
    if (label !== null) sums.set(label, (sums.get(label) ?? 0) + row.value);
  }
  return [...sums].map(([label, value]) => ({ label, value }));
};

type Gauges = Pick<Metrics, "set">;

export const measureQueues = async (
  db: Database,
  gauges: Gauges,
  { leaseMs }: { readonly leaseMs: number },
): Promise<void> => {
  const runs = await countLiveRuns(db);
  const partitions = await sumPartitions(db, leaseMs);
  const outbox = await sumOutbox(db);
  const mails = await sumMails(db);
  const payments = await sumOverduePayments(db);
  const quotas = await fullestQuotas(db);
  const retention = await lastRetentionAt(db);
  const imports = (await countOpenImports(db)).map((each) => ({ label: each.status, value: each.imports }));
  gauges.set("portage_imports", by("status", imports));
  const kinds = withZeros(
    ["sample", "full", "delta", "retry_failed", "undo"],
    sumBy(runs, ({ kind }) => kind),
  );
  gauges.set("portage_runs_active", by("kind", kinds));
  const waiting = withZeros(
    ["source", "destination"],
    sumBy(runs, ({ waitingFor }) => waitingFor),
  );
  gauges.set("portage_runs_waiting", by("side", waiting));
  const paused = withZeros(
    ["person", "refusals"],
    sumBy(runs, (run) => run.paused),
  );
  gauges.set("portage_runs_paused", by("because", paused));
  gauges.set("portage_partitions_running", one(partitions?.running ?? 0));
  gauges.set("portage_partitions_overdue", one(partitions?.overdue ?? 0));
  gauges.set("portage_partition_oldest_silence_seconds", one(partitions?.oldestSilence ?? 0));
  gauges.set("portage_partition_oldest_lease_seconds", one(partitions?.oldestLease ?? 0));
  gauges.set("portage_partition_oldest_failing_seconds", one(partitions?.oldestFailing ?? 0));
  gauges.set("portage_records_in_doubt", one(partitions?.inDoubt ?? 0));
  gauges.set("portage_outbox_waiting", one(outbox.count));
  gauges.set("portage_outbox_oldest_seconds", one(outbox.oldest));
  const deliveries = withZeros(["waiting", "sending", "held"], await countDeliveries(db));
  gauges.set("portage_webhook_backlog", by("state", deliveries));
  gauges.set("portage_webhook_oldest_due_seconds", one(await oldestDueDelivery(db)));
  const disabled = withZeros(["gone", "no_success", "operator"], await countDisabledTargets(db));
  gauges.set("portage_webhook_targets_disabled", by("because", disabled));
  gauges.set("portage_mails_waiting", one(mails.count));
  gauges.set("portage_mail_oldest_seconds", one(mails.oldest));
  gauges.set(
    "portage_payments_overdue",
    payments.map(({ what, count }) => ({ labels: { what }, value: count })),
  );
  const oldestPayment = Math.max(0, ...payments.map(({ oldest }) => oldest));
  gauges.set("portage_payment_oldest_overdue_seconds", one(oldestPayment));
  gauges.set(
    "portage_tool_quota_used",
    quotas.map(({ tool, used }) => ({ labels: { tool }, value: used })),
  );
  gauges.set(
    "portage_tool_quota_limit",
    quotas.map(({ tool, limit }) => ({ labels: { tool }, value: limit })),
  );
  const emergency = await lastBreakGlassSignIn(db);
  gauges.set("portage_break_glass_sign_in_timestamp_seconds", one((emergency?.getTime() ?? 0) / 1_000));
  gauges.set("portage_retention_last_success_timestamp_seconds", one((retention?.getTime() ?? 0) / 1_000));
};

/** Retention runs once a day: what is two days late, it did not delete. */
const lateDays = 2;

const overdueRules = [
  { table: "events", column: "created_at", days: keptDays + lateDays },
  { table: "idempotency_keys", column: "created_at", days: keptHours / 24 + lateDays },
  { table: "outbox", column: "dispatched_at", days: outboxKeptDays + lateDays },
];

export const measureStorage = async (
  db: Database,
  gauges: Gauges,
  sealedValues: () => Promise<ReadonlyMap<string, number>>,
): Promise<void> => {
  gauges.set("portage_retention_debt", by("table", await countOverdueRows(db, overdueRules)));
  const sealed = [...(await sealedValues())].map(([label, value]) => ({ label, value }));
  gauges.set("portage_key_sealed_values", by("key", sealed));
  gauges.set("portage_db_size_bytes", by("table", await tableSizes(db)));
};
