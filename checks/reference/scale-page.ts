import { type Proof, readProof, unkeptProofs } from "./proofs.ts";

const number = (value: number, digits = 0) =>
  value.toLocaleString("en-US", { maximumFractionDigits: digits });

const bytes = (value: number) => {
  const unit = [
    ["GB", 1e9],
    ["MB", 1e6],
    ["kB", 1e3],
  ].find(([, size]) => value >= Number(size)) ?? ["bytes", 1];
  return `${number(value / Number(unit[1]), 1)} ${unit[0]}`;
};

const duration = (seconds: number) => {
  if (seconds < 120) return `${number(seconds)} s`;
  return seconds < 7_200 ? `${number(seconds / 60)} min` : `${number(seconds / 3_600, 1)} h`;
};

const source = ({ file, commit, command }: Proof) =>
  `\`${command}\` ([output](../proofs/${file.slice("docs/proofs/".length)}), commit ${commit})`;

const row = (what: string, measured: string, proof: Proof) => `| ${what} | ${measured} | ${source(proof)} |`;

const measuredRows = (): readonly string[] => {
  const million = readProof("million");
  const copy = readProof("bench-copy");
  const many = readProof("many");
  const memory = readProof("memory");
  const csv = readProof("csv-memory");
  const webhooks = readProof("webhooks");
  const webhookRate = readProof("bench-webhooks");
  const api = readProof("bench-api");
  const deploy = readProof("deploy");
  const cluster = readProof("cluster");
  const revocation = readProof("revocation");
  const limits = readProof("limits");
  return [
    row(
      `one run of ${number(million.figure("records"))} records, ${million.figure("batch")} per write, one worker`,
      `${duration(million.figure("run_seconds"))}: ${number(million.figure("records_per_second"))} records a second; of the time, ${duration(million.figure("by_step.copy.seconds"))} copying, ${duration(million.figure("by_step.sweep.seconds"))} counting the source again, ${duration(million.figure("by_step.verify.seconds"))} verifying`,
      million,
    ),
    row(
      "the worker's memory in that run",
      `${number(million.figure("peak_mb"))} MB at most, ${number(million.figure("peak_over_idle_mb"))} MB more than idle`,
      million,
    ),
    row(
      "into a tool that takes one record per call, in 50 ms",
      `${number(copy.figure("ratio50_single_rates.engine"))} records a second; a bare script with the same calls: ${number(copy.figure("ratio50_single_rates.kit"))}`,
      copy,
    ),
    row(
      "into a tool that takes 100 records per call, in 50 ms",
      `${number(copy.figure("ratio50_rates.engine"))} records a second; a bare script: ${number(copy.figure("ratio50_rates.kit"))}`,
      copy,
    ),
    row(
      "use of a tool's quota by two processes together",
      `${number(copy.figure("quotaUse") * 100, 1)} % of it in the worst of 12 cases, ${number(copy.figure("share429") * 100, 1)} % refused`,
      copy,
    ),
    row(
      `${many.figure("imports")} imports at once, ${many.figure("records_each")} records each, one worker`,
      `${number(many.figure("imports_per_minute"))} imports a minute; the slowest took ${number(many.figure("since_asked_seconds.spread"), 2)} times as long as the fastest`,
      many,
    ),
    row(
      `${memory.figure("files")} files of ${memory.figure("file_mb")} MB, ${memory.figure("at_once")} at a time`,
      `at most ${number(memory.figure("files_peak_over_idle_mb"))} MB over idle`,
      memory,
    ),
    row(
      `a CSV file of ${number(csv.figure("fileMegabytes"))} MB`,
      `${number(csv.figure("rowsPerSecond"))} rows a second, at most ${number(csv.figure("peakMinusIdleMegabytes"))} MB over idle`,
      csv,
    ),
    row("webhooks, one worker", `${number(webhookRate.figure("worker_per_second"))} a second`, webhookRate),
    row(
      `${number(webhooks.figure("events"))} webhooks while processes are killed and half of the partners are slow, refuse or are gone`,
      `healthy partners: half within ${number(webhooks.figure("healthy_latency_ms.p50"))} ms, 95 % within ${number(webhooks.figure("healthy_latency_ms.p95"))} ms`,
      webhooks,
    ),
    row(
      "`GET /imports/:id`, one API process",
      `${number(api.figure("api.rps"))} a second; 99 % within ${number(api.figure("api.p99_ms"))} ms`,
      api,
    ),
    row(
      "a partner's limit over two API processes",
      `${limits.figure("busy_most_in_a_second")} accepted in any second`,
      limits,
    ),
    row(
      "a revoked token",
      `stopped everywhere after ${number(revocation.figure("revoked_slowest_ms"))} ms at most`,
      revocation,
    ),
    row(
      "another release of the worker during a run",
      `${number(deploy.figure("longest_gap_ms") / 1_000, 1)} s without progress at most`,
      deploy,
    ),
    row(
      "one of three Restate nodes killed during a run",
      `${number(cluster.figure("stall_ms") / 1_000)} s without progress`,
      cluster,
    ),
  ];
};

const sizes = [10_000, 100_000, 1_000_000, 10_000_000];

const sizingRows = (): readonly string[] => {
  const million = readProof("million");
  const measured = million.figure("records");
  return sizes.map((records) => {
    const per = (name: string) => million.figure(name) * records;
    return `| ${number(records)}${records > measured ? " (beyond what was measured)" : ""} | ${duration(records / million.figure("records_per_second"))} | ${duration(per("worker_cpu_micros_per_record") / 1e6)} | ${bytes(per("ledger_bytes_per_record"))} | ${bytes(per("wal_bytes_per_record"))} |`;
  });
};

const singleRows = (): readonly string[] => {
  const rate = readProof("bench-copy").figure("ratio50_single_rates.engine");
  return sizes.map((records) => `| ${number(records)} | ${duration(records / rate)} |`);
};

/** docs/operators/scale.md: what the kept proofs measured, and what follows from it. */
export const scalePage = (): string => {
  const million = readProof("million");
  const many = readProof("many");
  return `# Scale

Made from the files in \`docs/proofs\` by \`npm run docs:generate\`: \`npm run prove -- NAME\` measures again and updates this page.

Every figure on this page was measured by the command beside it, at its full size, or is computed from such figures where the page says
so. Tools, databases and the service ran together on one small machine, which other processes used as well. So the figures say
little about other machines; ratios say more.

## Measured

| what | result | measured by |
| --- | --- | --- |
${measuredRows().join("\n")}

## What grows how

- **CPU time grows with the number of records, and not faster**: the last 100,000 of ${number(million.figure("records"))} records took
  ${number(million.figure("cpu_ratio"), 2)} times the worker's CPU time of the first.
- **A worker's memory does not grow with the number of records**: it holds pages, not streams.
- **PostgreSQL grows by ${number(million.figure("ledger_bytes_per_record"))} bytes per record** in the ledger, until
  [retention](../retention.md) deletes it, and writes ${number(million.figure("wal_bytes_per_record"))} bytes of WAL per record, which
  matters for backups and standbys. It holds ids, hashes and reasons, not contents.
- **Restate's journal** gets ${number(million.figure("journal_bytes_per_record"), 1)} bytes per record, and drops them when a chunk ends.
- **Small imports cost more per record**: an import of ${many.figure("records_each")} records takes
  ${number(many.figure("worker_cpu_ms_per_import") / 1_000, 1)} s of a worker's CPU, as much as
  ${number((many.figure("worker_cpu_ms_per_import") * 1_000) / million.figure("worker_cpu_micros_per_record"))} records of a large one.

## Sizing

Computed from \`${million.command}\`: one worker, a tool that answers at once and takes ${million.figure("batch")} records per call.

| records | time | CPU of the worker | ledger in PostgreSQL | WAL |
| --- | --- | --- | --- | --- |
${sizingRows().join("\n")}

A slower tool is the limit itself. Computed from \`npm run bench:copy\`, for one that takes one record per call, in 50 ms:

| records | time |
| --- | --- |
${singleRows().join("\n")}

If a tool allows fewer requests, its quota decides: records ÷ records per request ÷ requests per minute is the time in minutes, once
for reading and once for writing, whichever takes longer. The wizard and \`GET /imports/{id}\` (\`progress.eta_seconds\`) estimate the end of a run while it runs.

Every worker can take any chunk, so more workers work on more partitions and imports at a time; how much that gains was not measured.
\`WORKER_CONCURRENCY\` bounds the chunks of one worker, \`RUN_PARTITIONS\` the parallel parts of one stream, \`DATABASE_POOL_SIZE\` the
connections of a process ([Configuration](configuration.md)).

## Not measured

- Several workers on several machines, and where PostgreSQL becomes the limit then.
- More than ${number(million.figure("records"))} records in one run, or more than ${many.figure("imports")} imports at once.
- A ledger of more than a million rows. A test checks the query plans at that size.
- Proofs without a kept output: ${unkeptProofs()
    .map((script) => `\`npm run ${script}\``)
    .join(", ")}.
`;
};
