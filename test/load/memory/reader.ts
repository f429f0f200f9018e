import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createTestIo } from "@portage/connector-kit/testing";
import { createOutbound } from "../../../server/src/platform/outbound/index.ts";
import { standInConnector } from "../../tools/stand-in/connector.ts";
import { copyFiles } from "./copy-files.ts";
import type { ReaderDone, ReaderIdle, ReaderOptions } from "./messages.ts";
import { forgetPeak, residentBytes } from "./process-memory.ts";
import { readRecords } from "./read-records.ts";

// A process with only the runtime of a connector: the kit, the guarded client, one connector.
const { url, token, job, count, concurrency, warmUp, block, plant } = JSON.parse(
  process.argv[2] ?? "{}",
) as ReaderOptions;
const outbound = createOutbound({ allow: [new URL(url).host] });
const connector = standInConnector({
  family: "helpdesk",
  paging: "keyset",
  pageSize: 1_000,
  concurrency,
});
const settings = { instanceUrl: url, token };
// One per side, as for two tools.
const [from, to] = [0, 1].map(() =>
  createTestIo({ manifest: connector.manifest, settings, transport: outbound }),
);
const source = (name: string) => connector.source?.helpdesk?.find(({ stream }) => stream.name === name);
const tickets = source("tickets");
const attachments = source("attachments");
const destination = connector.destination?.helpdesk?.find(({ stream }) => stream.name === "attachments");
if (!from || !to || !tickets || !attachments || !destination) throw new Error("The stand-in lacks a stream.");

const held: unknown[] = [];
const keepWith = (wanted: typeof plant) => (what: unknown) => {
  if (plant === wanted) held.push(what);
};

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
/** Forces a garbage collection, so it runs only before and after the measurement. */
const usedBytes = () => {
  collect();
  // V8 frees buffers concurrently; a second collection waits for the first.
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

await connector.check(from);
await sleep(500);
const usedIdle = usedBytes();
await sleep(500);
forgetPeak();
process.send?.({ residentBytes: residentBytes().now, usedBytes: usedIdle } satisfies ReaderIdle);

const outcome =
  job === "records"
    ? await readRecords({ io: from, stream: tickets, count, warmUp, block, keep: keepWith("hold-pages") })
    : await copyFiles({ from, to, source: attachments, destination, keep: keepWith("hold-files") });
const { peak } = residentBytes();
process.send?.({ ...outcome, peakBytes: peak, usedBytes: usedBytes() } satisfies ReaderDone);
await outbound.close();
process.disconnect();
