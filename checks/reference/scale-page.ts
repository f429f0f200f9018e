import { findProof, type Proof, readProof } from "./proofs.ts";

const number = (value: number, digits = 0) =>
  value.toLocaleString("en-US", { maximumFractionDigits: digits });

const bytes = (value: number) => {
  const unit = [
    ["TB", 1e12],
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
  const copy = findProof("bench-copy");
  const ledger = findProof("ledger");
  const concurrent = findProof("concurrent");
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
    ...(copy
      ? [
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
        ]
      : []),
    row(
      `${many.figure("imports")} imports at once, ${many.figure("records_each")} records each, one worker`,
      `${number(many.figure("imports_per_minute"))} imports a minute; the slowest took ${number(many.figure("since_asked_seconds.spread"), 2)} times as long as the fastest`,
      many,
    ),
    ...(concurrent
      ? [
          row(
            `${number(concurrent.figure("runs"))} small runs at once between slow tools, ${number(concurrent.figure("worker_processes"))} worker processes`,
            `${number(concurrent.figure("runs_per_minute"))} ended a minute; ${number(concurrent.figure("worker_kb_per_run"))} kB of workers' memory and ${number(concurrent.figure("restate_data_kb_per_run"))} kB of Restate's data per run, ${number(concurrent.figure("postgres_connections"))} connections to PostgreSQL`,
            concurrent,
          ),
        ]
      : []),
    ...(ledger
      ? [
          row(
            `claiming and settling in a month of the ledger with ${number(ledger.figure("rows"))} rows`,
            `${number(ledger.figure("cpu_ratio"), 2)} times the CPU time of a month that has begun; ${number(ledger.figure("bytes_per_row"))} bytes per row; the month was detached and dropped in ${number(ledger.figure("detach_ms") / 1_000, 1)} s`,
            ledger,
          ),
        ]
      : []),
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

const singlePart = (): string => {
  const copy = findProof("bench-copy");
  if (!copy) return "A slower tool is the limit itself.";
  const rate = copy.figure("ratio50_single_rates.engine");
  return `A slower tool is the limit itself. Computed from \`npm run bench:copy\`, for one that takes one record per call, in 50 ms:

| records | time |
| --- | --- |
${sizes.map((records) => `| ${number(records)} | ${duration(records / rate)} |`).join("\n")}`;
};

/** As the worker is assembled: server/src/main/open-runs.ts and the default of WORKER_CONCURRENCY. */
const chunkPages = 50;
const concurrency = 64;

const carryRows = (): readonly string[] => {
  const million = readProof("million");
  const many = readProof("many");
  const webhooks = readProof("bench-webhooks");
  const api = readProof("bench-api");
  const engine = readProof("bench-engine");
  const ledger = findProof("ledger");
  const steps = engine.figure("restate.steps_per_second");
  return [
    row(
      "one core of a worker, copying 100 records per write",
      `${number(1e6 / million.figure("worker_cpu_micros_per_record"))} records a second if nothing else is slower (${number(million.figure("worker_cpu_micros_per_record"))} µs of CPU each)`,
      million,
    ),
    row(
      `one core of a worker, with imports of ${number(many.figure("records_each"))} records`,
      `${number(60_000 / many.figure("worker_cpu_ms_per_import"))} imports a minute`,
      many,
    ),
    row(
      "one worker process that sends webhooks",
      `${number(webhooks.figure("worker_per_second"))} a second; it waits for PostgreSQL meanwhile`,
      webhooks,
    ),
    row(
      "one core of an API process, `GET /imports/:id`",
      `${number(1e6 / api.figure("api.server_cpu_us"))} requests a second`,
      api,
    ),
    ...(ledger
      ? [
          row(
            "one core of PostgreSQL, for the ledger of copies",
            `${number(1e6 / ledger.figure("full_cpu_us_per_record"))} records a second, among ${number(ledger.figure("rows"))} rows`,
            ledger,
          ),
        ]
      : []),
    row(
      "one Restate, beside its workers on two cores",
      `${number(steps)} chunks a second, ${number(engine.figure("restate.cpu_ms_per_step.restate"), 1)} ms of its CPU each. With full chunks of ${chunkPages} pages of ${million.figure("batch")} that is ${number(steps * chunkPages * million.figure("batch"))} records a second: it is the small imports that fill it`,
      engine,
    ),
  ];
};

const year = 365 * 24 * 3_600;
const plannedRows = 1e10;
const plannedRuns = 10_000;
/** The busiest hour over the average one. */
const peak = 10;

const planPart = (): string => {
  const million = readProof("million");
  const many = readProof("many");
  const engine = readProof("bench-engine");
  const ledger = findProof("ledger");
  const concurrent = findProof("concurrent");
  const rate = (peak * plannedRows) / year;
  const cores = (rate * million.figure("worker_cpu_micros_per_record")) / 1e6;
  const rowBytes = million.figure("ledger_bytes_per_record");
  const wal = million.figure("wal_bytes_per_record");
  const importsCpu = (plannedRuns * many.figure("worker_cpu_ms_per_import")) / 1_000;
  const chunksPerRun = concurrent?.figure("chunks_per_run");
  return `Computed, not measured, from the figures above. ${number(plannedRows)} rows a year are ${number(plannedRows / year)} records a second on
average; if the busiest hour has ${peak} times that, ${number(rate)} a second.

- **Workers.** At that rate, large imports take ${number(cores, 1)} cores. Imports of ${many.figure("records_each")} records take
  ${number((rate / many.figure("records_each")) * (many.figure("worker_cpu_ms_per_import") / 1_000), 1)}: plan by the imports that you expect. \`WORKER_PROCESSES\` gives one worker
  as many cores, replicas give more machines.
- **${number(plannedRuns)} runs at once.** A process works on \`WORKER_CONCURRENCY\` (${concurrency}) chunks at a time, and the rest take turns: so that each of the runs
  always has one, ${number(plannedRuns / concurrency)} processes are needed, or a larger \`WORKER_CONCURRENCY\`, as chunks between slow tools mostly wait. The CPU time of that
  many imports of ${many.figure("records_each")} records is ${duration(importsCpu)}, on however many cores.${
    concurrent
      ? ` Measured: ${number(concurrent.figure("at_once"))} at once on ${number(concurrent.figure("worker_processes"))} processes.`
      : " So many have not been run at once: `npm run prove:concurrent` does it."
  }
- **Connections.** Each process of a worker holds up to \`DATABASE_POOL_SIZE\` + 3, and 3 more with metrics:
  ${number(plannedRuns / concurrency)} processes with the default of 10 are ${number((plannedRuns / concurrency) * 16)} connections. With so many, have
  fewer processes with more chunks each, and a smaller pool.
- **PostgreSQL's disk.** ${bytes(plannedRows * rowBytes)} for a year of the ledger at ${number(rowBytes)} bytes per row, ${bytes((plannedRows * rowBytes) / 12)} a month in eight tables of
  ${bytes((plannedRows * rowBytes) / 96)}; ${bytes((plannedRows * wal) / 365)} of WAL a day. A month whose imports are all closed is detached and dropped whole
  ([Retention](../retention.md)), so that the disk is bounded by how long imports are kept, not by the years.
- **PostgreSQL's CPU.** ${
    ledger
      ? `${number((rate * ledger.figure("full_cpu_us_per_record")) / 1e6, 1)} cores at the peak, for claiming and settling; the rest of its work (progress, webhooks, the console) comes on top.`
      : "What a claim and a settlement cost among many rows: `npm run prove:ledger`, not kept yet."
  } One server writes it all: nothing here is split
  over several, and a second one is for failover alone.
- **Restate.** ${
    chunksPerRun === undefined
      ? "A small import takes a few tens of chunks."
      : `A small import takes ${number(chunksPerRun)} chunks: ${number((rate / many.figure("records_each")) * chunksPerRun)} a second at the peak, if all imports were of ${many.figure("records_each")} records.`
  } One
  Restate on this machine made ${number(engine.figure("restate.steps_per_second"))} a second; beyond that it needs more cores, or a cluster of three
  ([Kubernetes](kubernetes.md)).`;
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

## What one of each carries

| part | carries | from |
| --- | --- | --- |
${carryRows().join("\n")}

None was driven to its end alone. While ${number(million.figure("records"))} records were copied, the worker used ${number((100 * million.figure("by_step.copy.cpuSeconds")) / million.figure("by_step.copy.seconds"))} % of one core; the tools, PostgreSQL
and Restate shared the rest of the machine's two. By CPU time per record the worker's core is the first to be full.

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

${singlePart()}

If a tool allows fewer requests, its quota decides: records ÷ records per request ÷ requests per minute is the time in minutes, once
for reading and once for writing, whichever takes longer. The wizard and \`GET /imports/{id}\` (\`progress.eta_seconds\`) estimate the end of a run while it runs.

Every worker process can take any chunk, so more of them work on more partitions and imports at a time. \`WORKER_PROCESSES\` gives a
worker a process for each core; how much that gains was not measured, as this machine has two cores, which the tools and
databases of a measurement fill as well. \`WORKER_CONCURRENCY\` bounds the chunks of one process, \`RUN_PARTITIONS\` the parallel parts of one stream, \`DATABASE_POOL_SIZE\` the
connections of a process ([Configuration](configuration.md)).

## A plan for ${number(plannedRuns)} concurrent runs and ${number(plannedRows)} rows a year

${planPart()}

## Not measured

- Several workers on several machines, and where PostgreSQL becomes the limit then.
- More than ${number(million.figure("records"))} records in one run, or more than ${many.figure("imports")} imports at once${findProof("concurrent") ? ", except small ones as above" : ""}.
${findProof("ledger") ? "" : "- A ledger of more than a million rows. A test checks the query plans at that size.\n"}- What the [open claims](../proofs/README.md#open-claims) are about: no run in full is kept of them.
`;
};
