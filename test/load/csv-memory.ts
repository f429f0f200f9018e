// `npm run prove:csv-memory`: reads a gigabyte of CSV through the connector, page by page, with each cursor serialized to JSON,
// and reports the memory use above idle. --scale 0.05 uses a twentieth of it.
import { fork } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Cursor } from "@portage/connector-kit";
import { createPlainTransport, createTestIo } from "@portage/connector-kit/testing";
import { createCsv } from "../../connectors/csv/index.ts";
import { folderStore } from "../../connectors/csv/testing/folder-store.ts";
import { median } from "../support/statistics.ts";

const { values } = parseArgs({
  options: { scale: { type: "string", default: "1" }, folder: { type: "string" }, rows: { type: "string" } },
});
const wantedBytes = Math.round(1_000_000_000 * Number(values.scale));
const maxMegabytes = 64;

const header = ["id", "subject", "description", "status", "created", "requester"];
const text = 'The printer said "no", then\nit said nothing; größer als zuvor. '
  .repeat(4)
  .replaceAll('"', '""');

const writeFile = async (path: string): Promise<number> => {
  const out = createWriteStream(path);
  let rows = 0;
  let bytes = 0;
  let lines = [`${header.join(",")}\n`];
  for (;;) {
    if (lines.length >= 2_000) {
      const piece = Buffer.from(lines.join(""));
      bytes += piece.length;
      lines = [];
      if (!out.write(piece)) await once(out, "drain");
      if (bytes >= wantedBytes) break;
    }
    rows += 1;
    const when = new Date(Date.UTC(2015, 0, 1) + rows * 60_000).toISOString();
    lines.push(`${rows},"Printer, ${rows}","${text}${rows}",open,${when},person${rows % 5000}@example.com\n`);
  }
  out.end();
  await once(out, "finish");
  return rows;
};

const megabytes = (bytes: number) => Math.round((bytes / 1_048_576) * 10) / 10;
const residentMegabytes = () => megabytes(process.memoryUsage.rss());

const readFile = async (folder: string, rows: number): Promise<void> => {
  const transport = createPlainTransport();
  const { size } = await stat(join(folder, "tickets.csv"));
  const fields = ["id", "subject", "description", "status", "createdAt", "requester.email"];
  const column = (field: string, index: number) => ({ column: index, header: header[index] ?? "", field });
  const columns = [
    ...fields.map(column),
    { column: 3, header: "status", field: "statusKind", words: { open: "open" } },
  ];
  const connector = createCsv({ files: folderStore(folder) });
  const io = createTestIo({
    manifest: connector.manifest,
    settings: connector.manifest.settings.parse({ files: { tickets: { file: "tickets.csv", columns } } }),
    transport,
  });
  const stream = connector.source?.helpdesk?.find((each) => each.stream.name === "tickets");
  if (!stream) throw new Error("There are no tickets.");

  const readPage = (cursor: Cursor | null) => stream.readPage(io, { cursor, since: null, parentId: null });
  let cursor = (await readPage(null)).next;
  // Idle: the connector has read a page, so that all code is loaded and no data is held.
  globalThis.gc?.();
  const idle = residentMegabytes();
  let peak = idle;
  const watch = setInterval(() => {
    peak = Math.max(peak, residentMegabytes());
  }, 20);

  const started = performance.now();
  let read = 0;
  let unreadable = 0;
  let pages = 0;
  let lastId = "";
  const pageMs: number[] = [];
  cursor = null;
  do {
    const before = performance.now();
    const page = await readPage(cursor === null ? null : JSON.parse(JSON.stringify(cursor)));
    pageMs.push(performance.now() - before);
    read += page.records.length;
    unreadable += page.unreadable?.length ?? 0;
    pages += 1;
    lastId = page.records.at(-1)?.id ?? lastId;
    peak = Math.max(peak, residentMegabytes());
    cursor = page.next;
    if (pages % 500 === 0) console.log(`${read} rows, ${residentMegabytes()} MB resident`);
  } while (cursor !== null);
  clearInterval(watch);
  const seconds = (performance.now() - started) / 1000;

  const tenth = Math.max(1, Math.floor(pageMs.length / 10));
  const figures = {
    proof: "csv-memory",
    scale: Number(values.scale),
    fileMegabytes: megabytes(size),
    rows: read,
    pages,
    rowsPerSecond: Math.round(read / seconds),
    megabytesPerSecond: Math.round((size / 1_048_576 / seconds) * 10) / 10,
    idleMegabytes: idle,
    peakMinusIdleMegabytes: Math.round((peak - idle) * 10) / 10,
    lastPageOverFirst:
      Math.round((median(pageMs.slice(-tenth - 1, -1)) / median(pageMs.slice(tenth, 2 * tenth))) * 100) / 100,
    holds: read === rows && unreadable === 0 && lastId === String(rows) && peak - idle <= maxMegabytes,
  };
  if (!figures.holds) process.exitCode = 1;
  console.log(JSON.stringify(figures));
  await transport.close();
};

if (values.folder !== undefined) await readFile(values.folder, Number(values.rows));
else {
  const folder = await mkdtemp(join(tmpdir(), "portage-csv-"));
  try {
    const rows = await writeFile(join(folder, "tickets.csv"));
    // A separate process, so that memory from writing the file does not count as idle. A heap limit, since the proof
    // measures what reading needs, not how long V8 keeps garbage on an empty machine.
    const args = ["--scale", values.scale, "--folder", folder, "--rows", String(rows)];
    const execArgv = ["--max-old-space-size=72", "--max-semi-space-size=4"];
    const reading = fork(import.meta.filename, args, { execArgv });
    const [code] = await once(reading, "exit");
    process.exitCode = code ?? 1;
  } finally {
    await rm(folder, { recursive: true });
  }
}
