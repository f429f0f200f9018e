// `npm run prove:memory`: a million records are read in pages of 1,000, and 200 files of 100 MB copied, 4 at a time: at most 64 MB
// over idle, and the last records cost no more CPU time than the first. --plant hold-pages|hold-files: a leak that it must find.
import { parseArgs } from "node:util";
import { workerFlags } from "../../server/src/main/worker-flags.ts";
import { type Proof, prove } from "../support/proof.ts";
import { percentile } from "../support/statistics.ts";
import { startChild } from "./memory/child.ts";
import type {
  Plant,
  ReaderDone,
  ReaderIdle,
  ReaderOptions,
  ToolReady,
  ToolReceived,
} from "./memory/messages.ts";

/** Megabytes throughout. */
const mb = 1_000_000;
const maxOverIdleMb = 64;
/** Memory still in use at the end, above idle: caches and compiled code, nothing that grows with the work. */
const maxKeptMb = 8;
const maxSlowdown = 1.25;
const runs = 3;
/** As in the manifests of this repository's connectors. Each further concurrent file takes more memory. */
const concurrency = 4;
const highConcurrency = 16;

const rounded = (value: number) => Math.round(value * 100) / 100;
const toPages = (records: number) => Math.ceil(records / 1_000) * 1_000;

const { values } = parseArgs({ options: { plant: { type: "string" } }, strict: false });
const plant = (values["plant"] ?? null) as Plant | null;
if (plant !== null && plant !== "hold-pages" && plant !== "hold-files")
  throw new Error("--plant takes hold-pages or hold-files.");

interface Measured extends ReaderDone {
  readonly idleMb: number;
  readonly overIdleMb: number;
  readonly keptMb: number;
}

const measure = async (proof: Proof, options: ReaderOptions, flags: readonly string[]): Promise<Measured> => {
  const started = performance.now();
  const reader = startChild("reader", options, flags);
  proof.afterwards(reader.stop);
  const idle = await reader.next<ReaderIdle>();
  const done = await reader.next<ReaderDone>();
  const measured = {
    ...done,
    idleMb: rounded(idle.residentBytes / mb),
    overIdleMb: rounded((done.peakBytes - idle.residentBytes) / mb),
    keptMb: rounded((done.usedBytes - idle.usedBytes) / mb),
  };
  const seconds = Math.round((performance.now() - started) / 1000);
  proof.say(
    `${done.count} ${options.job} in ${seconds} s: idle ${measured.idleMb} MB, at most ${measured.overIdleMb} MB more; ` +
      `in use after a collection ${rounded(idle.usedBytes / mb)} MB when idle, ${rounded(done.usedBytes / mb)} MB at the end`,
  );
  return measured;
};

const judge = (proof: Proof, what: string, all: readonly Measured[], count: number) => {
  const overIdle = Math.max(...all.map(({ overIdleMb }) => overIdleMb));
  const kept = Math.max(...all.map(({ keptMb }) => keptMb));
  proof.holds(
    `${what}: all came`,
    all.every((each) => each.complete && each.count === count),
  );
  proof.holds(
    `${what}: peak memory minus idle at most ${maxOverIdleMb} MB`,
    overIdle <= maxOverIdleMb,
    overIdle,
  );
  proof.holds(
    `${what}: at most ${maxKeptMb} MB more in use at the end than when idle`,
    kept <= maxKeptMb,
    kept,
  );
  return { [`${what}_peak_over_idle_mb`]: overIdle, [`${what}_kept_mb`]: kept };
};

await prove("memory", async (proof) => {
  const warmUp = toPages(proof.size(20_000, 10_000));
  const block = toPages(proof.size(100_000, 10_000));
  const records = toPages(proof.size(1_000_000, warmUp + 2 * block));
  const files = proof.size(200, 2);
  const fileSize = 100 * mb;
  const tool = startChild("tool", { records, files, fileSize });
  proof.afterwards(tool.stop);
  const shared = { ...(await tool.next<ToolReady>()), concurrency, warmUp, block, plant };
  proof.say(`node ${process.version} ${workerFlags.join(" ")}; ${concurrency} requests at once`);
  let figures: Record<string, unknown> = {
    records,
    files,
    file_mb: fileSize / mb,
    at_once: concurrency,
    flags: workerFlags,
  };

  // An injected defect concerns one of the two parts; the other would only take time.
  if (plant !== "hold-files") {
    const all: Measured[] = [];
    for (let run = 0; run < (plant ? 1 : runs); run += 1)
      all.push(await measure(proof, { ...shared, job: "records", count: records }, workerFlags));
    figures = { ...figures, idle_mb: all[0]?.idleMb, ...judge(proof, "records", all, records) };
    const ratios = all.map(({ firstMicros, lastMicros }) => lastMicros / firstMicros);
    for (const { firstMicros, lastMicros } of all)
      proof.say(
        `CPU per record: ${rounded(firstMicros)} µs in the first ${block} after ${warmUp}, ${rounded(lastMicros)} µs in the last`,
      );
    const ratio = rounded(
      percentile(
        ratios.toSorted((a, b) => a - b),
        0.5,
      ),
    );
    proof.holds(
      `CPU time per record, last over first, at most ${maxSlowdown} (median of ${all.length})`,
      ratio <= maxSlowdown,
      ratio,
    );
    figures = { ...figures, cpu_ratio: ratio, cpu_ratios: ratios.map(rounded) };
  }
  if (plant !== "hold-pages") {
    const copied = await measure(proof, { ...shared, job: "files", count: files }, workerFlags);
    figures = { ...figures, ...judge(proof, "files", [copied], files) };
    const received = await tool.ask<ToolReceived>();
    proof.holds(
      "files: the destination has each in full, the first and the last byte by byte",
      received.files === files && received.identical,
      received,
    );
  }
  if (proof.scale === 1) {
    proof.say("For comparison; nothing is claimed of these. V8's own settings, a tenth of the records:");
    const plain = await measure(proof, { ...shared, job: "records", count: records / 10 }, []);
    proof.say(`${highConcurrency} files at once:`);
    const many = await measure(
      proof,
      { ...shared, job: "files", count: files, concurrency: highConcurrency },
      workerFlags,
    );
    figures = {
      ...figures,
      unclaimed_without_flags_peak_over_idle_mb: plain.overIdleMb,
      [`unclaimed_${highConcurrency}_files_at_once_peak_over_idle_mb`]: many.overIdleMb,
    };
  }
  return figures;
});
