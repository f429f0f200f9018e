import { catalogue, type MetricDefinition } from "../../server/src/platform/metrics/index.ts";

const sections = [
  [
    "process",
    "Of every process",
    "The API and the workers count what they do themselves; add the values of all instances.",
  ],
  [
    "queues",
    "Of queues",
    "One elected process, an API or a worker, reads them from PostgreSQL every `METRICS_INTERVAL_MS`; the others do not show them. When it ends, another one takes over. Use `max` over all instances.",
  ],
  ["storage", "Of storage", "Read by the same process, once in forty times."],
] as const;

const row = ([name, { kind, labels, help }]: readonly [string, MetricDefinition]) =>
  `| \`${name}\` | ${kind} | ${labels.map((label) => `\`${label}\``).join(", ")} | ${help} |`;

/** docs/operators/metrics.md: every metric, from the catalogue that creates them. */
export const metricsPage = (): string => `# Metrics

Made from \`server/src/platform/metrics/catalogue.ts\` by \`npm run docs:generate\`: change that file, not this page.

Set \`METRICS_PORT\` for the API and the workers, and Prometheus reads \`http://METRICS_HOST:METRICS_PORT/metrics\` of each process. The port
requires no password: let only Prometheus reach it. With \`WORKER_PROCESSES\`, the processes of a worker have that port and the next ones.
No label names an import, a partner, an account or an address. Beside the metrics
below, each process shows those of Node.js (\`nodejs_…\`, \`process_…\`). Restate has metrics of its own, at \`/metrics\` of its port 5122.

\`portage_queue_metrics_timestamp_seconds\` says when the metrics of a group were read: a graph of them without it may show an old value.

${sections
  .map(
    ([from, title, text]) => `## ${title}

${text}

| metric | kind | labels | what it says |
| --- | --- | --- | --- |
${Object.entries<MetricDefinition>(catalogue)
  .filter(([, definition]) => definition.from === from)
  .map(row)
  .join("\n")}`,
  )
  .join("\n\n")}
`;
