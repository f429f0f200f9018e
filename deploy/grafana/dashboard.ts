// `npm run generate` writes portage.json, which Grafana imports. A test fails when the two differ.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

interface Panel {
  readonly title: string;
  readonly unit: "short" | "s" | "reqps" | "percentunit" | "bytes" | "dateTimeFromNow";
  /** Expressions with their legends. */
  readonly lines: readonly (readonly [expr: string, legend: string])[];
}

const rows: readonly (readonly [title: string, panels: readonly Panel[]])[] = [
  [
    "Now",
    [
      {
        title: "Age of the queues' metrics",
        unit: "s",
        lines: [["time() - max by (group) (portage_queue_metrics_timestamp_seconds)", "{{group}}"]],
      },
      { title: "Open imports", unit: "short", lines: [["max by (status) (portage_imports)", "{{status}}"]] },
      {
        title: "Runs",
        unit: "short",
        lines: [
          ["max by (kind) (portage_runs_active)", "{{kind}}"],
          ["max by (side) (portage_runs_waiting)", "waits for the {{side}}"],
          ["max by (because) (portage_runs_paused)", "paused: {{because}}"],
        ],
      },
      {
        title: "Processes",
        unit: "short",
        lines: [["count by (service, version) (portage_build_info)", "{{service}} {{version}}"]],
      },
    ],
  ],
  [
    "API",
    [
      {
        title: "Requests",
        unit: "reqps",
        lines: [["sum by (status) (rate(portage_http_request_duration_seconds_count[5m]))", "{{status}}"]],
      },
      {
        title: "Duration by route (95 %)",
        unit: "s",
        lines: [
          [
            "histogram_quantile(0.95, sum by (le, route) (rate(portage_http_request_duration_seconds_bucket[5m])))",
            "{{route}}",
          ],
        ],
      },
      {
        title: "Refused with 429",
        unit: "reqps",
        lines: [["sum by (route) (rate(portage_rate_limited_total[5m]))", "{{route}}"]],
      },
      {
        title: "Connections to PostgreSQL",
        unit: "short",
        lines: [
          ["portage_db_pool_in_use", "{{instance}}"],
          ["portage_db_pool_waiting", "{{instance}} waiting"],
          ["portage_db_pool_size", "{{instance}} allowed"],
        ],
      },
    ],
  ],
  [
    "Runs",
    [
      {
        title: "Records",
        unit: "reqps",
        lines: [["sum by (tool, outcome) (rate(portage_records_total[5m]))", "{{tool}} {{outcome}}"]],
      },
      {
        title: "Chunks (95 %)",
        unit: "s",
        lines: [
          [
            "histogram_quantile(0.95, sum by (le, task) (rate(portage_chunk_duration_seconds_bucket[5m])))",
            "{{task}}",
          ],
        ],
      },
      {
        title: "Slots of workers",
        unit: "short",
        lines: [
          ["portage_worker_slots_in_use", "{{instance}}"],
          ["portage_worker_slots", "{{instance}} allowed"],
          ["portage_worker_registered", "{{instance}} registered"],
        ],
      },
      {
        title: "Partitions",
        unit: "short",
        lines: [
          ["max(portage_partitions_running)", "running"],
          ["max(portage_partitions_overdue)", "overdue"],
          ["max(portage_records_in_doubt)", "records in doubt"],
        ],
      },
      {
        title: "The quietest partition",
        unit: "s",
        lines: [
          ["max(portage_partition_oldest_lease_seconds)", "since its lease was renewed"],
          ["max(portage_partition_oldest_silence_seconds)", "beyond its lease"],
          ["max(portage_partition_oldest_failing_seconds)", "failing"],
        ],
      },
      {
        title: "Failures",
        unit: "short",
        lines: [
          ["sum by (kind, code) (increase(portage_runs_failed_total[1h]))", "run: {{kind}} {{code}}"],
          ["sum by (task) (increase(portage_chunk_failures_total[1h]))", "chunk: {{task}}"],
          ["sum by (tool) (increase(portage_verification_differences_total[1h]))", "differs: {{tool}}"],
        ],
      },
    ],
  ],
  [
    "Tools",
    [
      {
        title: "Requests to tools",
        unit: "reqps",
        lines: [
          [
            "sum by (tool, side, outcome) (rate(portage_tool_requests_total[5m]))",
            "{{tool}} {{side}} {{outcome}}",
          ],
        ],
      },
      {
        title: "Answers of tools (95 %)",
        unit: "s",
        lines: [
          [
            "histogram_quantile(0.95, sum by (le, tool) (rate(portage_tool_request_duration_seconds_bucket[5m])))",
            "{{tool}}",
          ],
        ],
      },
      {
        title: "Use of the fullest quota",
        unit: "percentunit",
        lines: [
          ["max by (tool) (portage_tool_quota_used) / max by (tool) (portage_tool_quota_limit)", "{{tool}}"],
        ],
      },
      {
        title: "Waiting for quotas",
        unit: "s",
        lines: [
          ["sum by (tool, side) (rate(portage_tool_throttled_seconds_total[5m]))", "{{tool}} {{side}}"],
        ],
      },
    ],
  ],
  [
    "Queues",
    [
      {
        title: "Outbox, mails, payments",
        unit: "short",
        lines: [
          ["max(portage_outbox_waiting)", "effects"],
          ["max(portage_mails_waiting)", "mails"],
          ["max by (what) (portage_payments_overdue)", "overdue: {{what}}"],
        ],
      },
      {
        title: "Their oldest",
        unit: "s",
        lines: [
          ["max(portage_outbox_oldest_seconds)", "effect"],
          ["max(portage_mail_oldest_seconds)", "mail"],
          ["max(portage_payment_oldest_overdue_seconds)", "payment"],
          ["max(portage_webhook_oldest_due_seconds)", "webhook"],
        ],
      },
      {
        title: "Webhooks",
        unit: "short",
        lines: [
          ["max by (state) (portage_webhook_backlog)", "{{state}}"],
          ["max by (because) (portage_webhook_targets_disabled)", "disabled: {{because}}"],
        ],
      },
      {
        title: "Webhook calls",
        unit: "reqps",
        lines: [["sum by (outcome) (rate(portage_webhook_attempts_total[5m]))", "{{outcome}}"]],
      },
    ],
  ],
  [
    "Storage",
    [
      {
        title: "Largest tables",
        unit: "bytes",
        lines: [["topk(10, max by (table) (portage_db_size_bytes))", "{{table}}"]],
      },
      {
        title: "Values by encryption key",
        unit: "short",
        lines: [["max by (key) (portage_key_sealed_values)", "{{key}}"]],
      },
      {
        title: "Rows kept too long",
        unit: "short",
        lines: [["max by (table) (portage_retention_debt)", "{{table}}"]],
      },
      {
        title: "Since retention",
        unit: "s",
        lines: [["time() - max(portage_retention_last_success_timestamp_seconds)", "since its last end"]],
      },
    ],
  ],
];

const width = 12;
const height = 8;

const makePanels = () => {
  const panels: object[] = [];
  let y = 0;
  for (const [rowTitle, all] of rows) {
    panels.push({ type: "row", id: panels.length + 1, title: rowTitle, gridPos: { x: 0, y, w: 24, h: 1 } });
    y += 1;
    for (const [index, { title, unit, lines }] of all.entries()) {
      panels.push({
        type: "timeseries",
        id: panels.length + 1,
        title,
        gridPos: { x: (index % 2) * width, y: y + Math.floor(index / 2) * height, w: width, h: height },
        datasource: { type: "prometheus", uid: "${datasource}" },
        fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
        targets: lines.map(([expr, legendFormat], at) => ({
          refId: String.fromCodePoint(65 + at),
          expr,
          legendFormat,
        })),
      });
    }
    y += Math.ceil(all.length / 2) * height;
  }
  return panels;
};

/** The dashboard as Grafana imports it. */
export const makeDashboard = (): string =>
  `${JSON.stringify(
    {
      title: "Portage",
      uid: "portage",
      schemaVersion: 39,
      refresh: "30s",
      time: { from: "now-6h", to: "now" },
      templating: { list: [{ name: "datasource", type: "datasource", query: "prometheus" }] },
      panels: makePanels(),
    },
    null,
    2,
  )}\n`;

if (import.meta.main) writeFileSync(join(import.meta.dirname, "portage.json"), makeDashboard());
