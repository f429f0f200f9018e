import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { freePort } from "../../support/free-port.ts";
import { type LeashedProcess, startLeashed } from "../../support/leashed-process.ts";

const programs = ["/usr/bin/prometheus", "/usr/bin/promtool", "/usr/bin/prometheus-alertmanager"];

/** Installs Prometheus and Alertmanager if they are missing. Needs root, Debian and, the first time, its package mirror. */
export const installPrometheus = (): void => {
  if (programs.every((program) => existsSync(program))) return;
  execFileSync(join(import.meta.dirname, "install.sh"), {
    stdio: ["ignore", "ignore", "inherit"],
    timeout: 600_000,
  });
};

export interface Monitoring {
  readonly prometheusUrl: string;
  stop(): Promise<void>;
}

export interface MonitoringOptions {
  readonly folder: string;
  /** `host:port` of the processes, by job. */
  readonly jobs: Readonly<Record<string, readonly string[]>>;
  /** The text of the alert rules. */
  readonly rules: string;
  /** Gets what Alertmanager sends. */
  readonly receiverUrl: string;
}

/** A real Prometheus and Alertmanager on loopback, which look every second. */
export const startMonitoring = async (options: MonitoringOptions): Promise<Monitoring> => {
  installPrometheus();
  const { folder } = options;
  mkdirSync(folder, { recursive: true });
  const [port, alertPort] = [await freePort(), await freePort()];
  const write = (name: string, text: string) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  const rulesFile = write("rules.yaml", options.rules);
  const config = write(
    "prometheus.yaml",
    stringify({
      global: { scrape_interval: "1s", scrape_timeout: "1s", evaluation_interval: "1s" },
      rule_files: [rulesFile],
      alerting: { alertmanagers: [{ static_configs: [{ targets: [`127.0.0.1:${alertPort}`] }] }] },
      scrape_configs: Object.entries(options.jobs).map(([job, targets]) => ({
        job_name: job,
        static_configs: [{ targets }],
      })),
    }),
  );
  const alerting = write(
    "alertmanager.yaml",
    stringify({
      route: {
        receiver: "proof",
        group_by: ["alertname"],
        group_wait: "0s",
        group_interval: "1s",
        repeat_interval: "1h",
      },
      receivers: [{ name: "proof", webhook_configs: [{ url: options.receiverUrl, send_resolved: true }] }],
    }),
  );
  const start = (name: string, command: string, args: readonly string[]): LeashedProcess =>
    startLeashed({ name, command, args, logFile: join(folder, `${name}.log`) });
  const processes = [
    start("Alertmanager", "/usr/bin/prometheus-alertmanager", [
      `--config.file=${alerting}`,
      `--storage.path=${join(folder, "alertmanager")}`,
      `--web.listen-address=127.0.0.1:${alertPort}`,
      // alone: it must not look for others
      "--cluster.listen-address=",
    ]),
    start("Prometheus", "/usr/bin/prometheus", [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, "prometheus")}`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--rules.alert.resend-delay=1s",
    ]),
  ];
  return {
    prometheusUrl: `http://127.0.0.1:${port}`,
    stop: async () => {
      await Promise.all(processes.map((each) => each.stop()));
    },
  };
};
