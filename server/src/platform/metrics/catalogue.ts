/** What a metric is. Labels have few values each: never an import, a partner, an account or an address. */
export interface MetricDefinition {
  readonly kind: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly labels: readonly string[];
  /** `process`: every process counts its own. `queues` and `storage`: one elected process reads them from the database. */
  readonly from: "process" | "queues" | "storage";
  /** Of a histogram: upper bounds in seconds. */
  readonly buckets?: readonly number[];
}

const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const toolBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const chunkBuckets = [0.1, 0.5, 1, 5, 10, 30, 60, 300];

/** Every metric of ours. Alert rules, the dashboard and the reference page name only these and Node's own. */
export const catalogue = {
  portage_build_info: {
    kind: "gauge",
    from: "process",
    labels: ["service", "version"],
    help: "1 for each process; the labels say what it is",
  },
  portage_http_request_duration_seconds: {
    kind: "histogram",
    from: "process",
    labels: ["method", "route", "status"],
    buckets: requestBuckets,
    help: "Duration of the API's requests by route template; none: no route matched",
  },
  portage_rate_limited_total: {
    kind: "counter",
    from: "process",
    labels: ["route"],
    help: "Requests that the API refused with 429",
  },
  portage_db_pool_in_use: {
    kind: "gauge",
    from: "process",
    labels: [],
    help: "Connections to PostgreSQL that work",
  },
  portage_db_pool_size: {
    kind: "gauge",
    from: "process",
    labels: [],
    help: "Connections to PostgreSQL that the process may open",
  },
  portage_db_pool_waiting: {
    kind: "gauge",
    from: "process",
    labels: [],
    help: "Statements that wait for a connection to PostgreSQL",
  },
  portage_worker_registered: {
    kind: "gauge",
    from: "process",
    labels: [],
    help: "1 if Restate knew the worker's release at the last check, else 0",
  },
  portage_worker_slots: {
    kind: "gauge",
    from: "process",
    labels: [],
    help: "Chunks that the worker may run concurrently",
  },
  portage_worker_slots_in_use: {
    kind: "gauge",
    from: "process",
    labels: [],
    help: "Chunks that the worker runs",
  },
  portage_chunk_duration_seconds: {
    kind: "histogram",
    from: "process",
    labels: ["task"],
    buckets: chunkBuckets,
    help: "Duration of chunks",
  },
  portage_chunk_failures_total: {
    kind: "counter",
    from: "process",
    labels: ["task"],
    help: "Chunks that ended with an unexpected error, by a bug or without the database",
  },
  portage_runs_failed_total: {
    kind: "counter",
    from: "process",
    labels: ["kind", "code"],
    help: "Runs that failed, with the code of the failure",
  },
  portage_records_total: {
    kind: "counter",
    from: "process",
    labels: ["tool", "outcome"],
    help: "Settled records by destination and outcome",
  },
  portage_verification_differences_total: {
    kind: "counter",
    from: "process",
    labels: ["tool"],
    help: "Copies that the final check found to differ from their record, by destination",
  },
  portage_tool_requests_total: {
    kind: "counter",
    from: "process",
    labels: ["tool", "side", "outcome"],
    help: "Requests to tools: ok, rate_limited (429), refused (other 4xx), failed (5xx) or unreachable (no answer)",
  },
  portage_tool_request_duration_seconds: {
    kind: "histogram",
    from: "process",
    labels: ["tool", "side"],
    buckets: toolBuckets,
    help: "Time until a tool began to answer",
  },
  portage_tool_throttled_seconds_total: {
    kind: "counter",
    from: "process",
    labels: ["tool", "side"],
    help: "Time that requests to tools waited for a quota or a slot",
  },
  portage_webhook_attempts_total: {
    kind: "counter",
    from: "process",
    labels: ["outcome"],
    help: "Webhook calls: delivered, refused (any other answer), unreachable (no answer) or unreadable (not built)",
  },
  portage_payment_requests_total: {
    kind: "counter",
    from: "process",
    labels: ["provider", "outcome"],
    help: "Workers' requests to payment providers: ok, refused (for good) or unavailable (no answer, or a key that is wrong)",
  },
  portage_webhook_progress_total: {
    kind: "counter",
    from: "process",
    labels: ["outcome"],
    help: "Messages import.progress: delivered, or lost (any other answer, or none)",
  },
  portage_queue_metrics_timestamp_seconds: {
    kind: "gauge",
    from: "queues",
    labels: ["group"],
    help: "When the elected process last read the metrics of this group from the database",
  },
  portage_imports: {
    kind: "gauge",
    from: "queues",
    labels: ["status"],
    help: "Open imports",
  },
  portage_runs_active: {
    kind: "gauge",
    from: "queues",
    labels: ["kind"],
    help: "Runs that have not ended",
  },
  portage_runs_waiting: {
    kind: "gauge",
    from: "queues",
    labels: ["side"],
    help: "Runs that wait for the customer to sign in again",
  },
  portage_runs_paused: {
    kind: "gauge",
    from: "queues",
    labels: ["because"],
    help: "Paused runs: a person paused them, or the destination refused record after record",
  },
  portage_partitions_running: {
    kind: "gauge",
    from: "queues",
    labels: [],
    help: "Partitions of runs that are at work",
  },
  portage_partitions_overdue: {
    kind: "gauge",
    from: "queues",
    labels: [],
    help: "Partitions whose lease has ended without progress; the sweep sends them again within seconds",
  },
  portage_partition_oldest_silence_seconds: {
    kind: "gauge",
    from: "queues",
    labels: [],
    help: "How long ago the lease of the most overdue partition ended",
  },
  portage_partition_oldest_lease_seconds: {
    kind: "gauge",
    from: "queues",
    labels: [],
    help: "How long ago the lease of the quietest partition was renewed",
  },
  portage_partition_oldest_failing_seconds: {
    kind: "gauge",
    from: "queues",
    labels: [],
    help: "For how long the partition that has failed longest has made no progress",
  },
  portage_records_in_doubt: {
    kind: "gauge",
    from: "queues",
    labels: [],
    help: "Records of writes whose requests have all ended, but whose effect is still unknown",
  },
  portage_outbox_waiting: {
    kind: "gauge",
    from: "queues",
    labels: [],
    help: "Effects that wait for their dispatch",
  },
  portage_outbox_oldest_seconds: {
    kind: "gauge",
    from: "queues",
    labels: [],
    help: "How long the oldest of them has waited",
  },
  portage_webhook_backlog: {
    kind: "gauge",
    from: "queues",
    labels: ["state"],
    help: "Webhook deliveries that have not ended; at most 100,000 are counted",
  },
  portage_webhook_oldest_due_seconds: {
    kind: "gauge",
    from: "queues",
    labels: [],
    help: "How long the oldest due delivery has been due, of endpoints that are enabled and do not fail",
  },
  portage_webhook_targets_disabled: {
    kind: "gauge",
    from: "queues",
    labels: ["because"],
    help: "Disabled webhook endpoints",
  },
  portage_mails_waiting: {
    kind: "gauge",
    from: "queues",
    labels: [],
    help: "Mails to customers that are not sent yet",
  },
  portage_mail_oldest_seconds: {
    kind: "gauge",
    from: "queues",
    labels: [],
    help: "How long the oldest of them has waited",
  },
  portage_payments_overdue: {
    kind: "gauge",
    from: "queues",
    labels: ["what"],
    help: "Checkouts and refunds whose next look at the payment provider is overdue",
  },
  portage_payment_oldest_overdue_seconds: {
    kind: "gauge",
    from: "queues",
    labels: [],
    help: "How long the oldest of them is overdue",
  },
  portage_tool_quota_used: {
    kind: "gauge",
    from: "queues",
    labels: ["tool"],
    help: "Requests in the window of the fullest quota of any account of the tool",
  },
  portage_tool_quota_limit: {
    kind: "gauge",
    from: "queues",
    labels: ["tool"],
    help: "What that quota allows in its window",
  },
  portage_retention_last_success_timestamp_seconds: {
    kind: "gauge",
    from: "queues",
    labels: [],
    help: "When retention last ended; 0: never",
  },
  portage_break_glass_sign_in_timestamp_seconds: {
    kind: "gauge",
    from: "queues",
    labels: [],
    help: "When an account for emergencies last signed in; 0: never, as far as the audit log knows",
  },
  portage_retention_debt: {
    kind: "gauge",
    from: "storage",
    labels: ["table"],
    help: "Rows that retention should have deleted two days ago; at most 10,000 are counted",
  },
  portage_key_sealed_values: {
    kind: "gauge",
    from: "storage",
    labels: ["key"],
    help: "Values that each encryption key seals",
  },
  portage_db_size_bytes: {
    kind: "gauge",
    from: "storage",
    labels: ["table"],
    help: "Size of a table with its indexes and partitions",
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

type Catalogue = typeof catalogue;

export type MetricName = keyof Catalogue;

type NameOf<Kind extends MetricDefinition["kind"]> = {
  [N in MetricName]: Catalogue[N]["kind"] extends Kind ? N : never;
}[MetricName];

export type CounterName = NameOf<"counter">;
export type GaugeName = NameOf<"gauge">;
export type HistogramName = NameOf<"histogram">;

export type LabelsOf<N extends MetricName> = Readonly<Record<Catalogue[N]["labels"][number], string>>;
