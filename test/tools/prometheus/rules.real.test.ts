import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { parse, stringify } from "yaml";
import { installPrometheus } from "./prometheus.ts";

const rules = join(import.meta.dirname, "../../../deploy/prometheus/portage.rules.yaml");
const promtool = "/usr/bin/promtool";
beforeAll(() => installPrometheus());

test("promtool accepts the alert rules", () => {
  const said = execFileSync(promtool, ["check", "rules", rules], { encoding: "utf8" });
  expect(said).toMatch(/SUCCESS: \d+ rules found/);
});

/** Three hours, a value per minute. */
const minutes = 180;
const constant = (value: number) => `${value}x${minutes}`;
const growing = (by: number) => `0+${by}x${minutes}`;
const worker = 'instance="worker"';

/** An installation without work, whose clock and values promtool begins at 0. */
const idle: Readonly<Record<string, string>> = {
  [`up{job="portage-worker",${worker}}`]: constant(1),
  [`portage_worker_registered{${worker}}`]: constant(1),
  [`portage_queue_metrics_timestamp_seconds{group="queues",${worker}}`]: growing(60),
  [`portage_retention_last_success_timestamp_seconds{${worker}}`]: growing(60),
  ...Object.fromEntries(
    [
      "portage_db_pool_waiting",
      "portage_outbox_oldest_seconds",
      "portage_partition_oldest_silence_seconds",
      "portage_partition_oldest_failing_seconds",
      "portage_records_in_doubt",
      "portage_webhook_oldest_due_seconds",
      "portage_mail_oldest_seconds",
      "portage_payment_oldest_overdue_seconds",
      "portage_break_glass_sign_in_timestamp_seconds",
    ].map((name) => [`${name}{${worker}}`, constant(0)]),
  ),
  [`portage_retention_debt{table="events",${worker}}`]: constant(0),
  [`portage_http_request_duration_seconds_count{status="200",route="/api/v2.1/tools",${worker}}`]:
    constant(5),
  [`portage_tool_requests_total{tool="redmine",side="source",outcome="ok",${worker}}`]: constant(5),
  [`portage_payment_requests_total{provider="stripe",outcome="ok",${worker}}`]: constant(0),
  [`portage_payment_requests_total{provider="stripe",outcome="unavailable",${worker}}`]: constant(0),
};

/** The alerts that fire at the end. */
const firing = (changed: Readonly<Record<string, string>>): readonly string[] => {
  const folder = mkdtempSync(join(tmpdir(), "portage-rules-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const all = (
    parse(readFileSync(rules, "utf8")) as { groups: readonly { rules: readonly { alert: string }[] }[] }
  ).groups.flatMap((group) => group.rules.map(({ alert }) => alert));
  const file = join(folder, "test.yaml");
  const series = Object.entries({ ...idle, ...changed }).map(([name, values]) => ({ series: name, values }));
  const asked = all.map((alert) => ({ eval_time: `${minutes}m`, alertname: alert, exp_alerts: [] }));
  writeFileSync(
    file,
    stringify({
      rule_files: [rules],
      evaluation_interval: "1m",
      tests: [{ interval: "1m", input_series: series, alert_rule_test: asked }],
    }),
  );
  const { status, stdout, stderr } = spawnSync(promtool, ["test", "rules", file], { encoding: "utf8" });
  const said = `${stdout}${stderr}`;
  const names = [...said.matchAll(/alertname: ?(\w+)/g)].map(([, name = ""]) => name);
  if ((status === 0) !== (names.length === 0)) throw new Error(said);
  return names;
};

test("nothing fires on an installation without work", () => {
  expect(firing({})).toEqual([]);
});

const payments = (outcome: string) =>
  `portage_payment_requests_total{provider="stripe",outcome="${outcome}",${worker}}`;

test("a payment provider that answers nothing is noticed, though no look is overdue; one that answers at times is not", () => {
  expect(firing({ [payments("unavailable")]: growing(1) })).toEqual(["PortagePaymentsOverdue"]);
  expect(firing({ [payments("unavailable")]: growing(1), [payments("ok")]: growing(1) })).toEqual([]);
});

test("a sign-in of an account for emergencies is noticed for an hour", () => {
  const signIn = `portage_break_glass_sign_in_timestamp_seconds{${worker}}`;
  expect(firing({ [signIn]: constant(minutes * 60 - 3_000) })).toEqual(["PortageBreakGlassSignIn"]);
  expect(firing({ [signIn]: constant(minutes * 60 - 3_700) })).toEqual([]);
});
