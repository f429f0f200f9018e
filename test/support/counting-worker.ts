// A worker as main/worker.ts starts it, whose runs only count: `node test/support/counting-worker.ts`.
import { reportAndExit } from "../../server/src/main/report-and-exit.ts";
import { startWorker } from "../../server/src/main/start-worker.ts";
import { startWorkerProcesses } from "../../server/src/main/worker-processes.ts";
import { type Counting, createCountingRuns } from "./counting-runs.ts";

const release = process.env["RELEASE"] ?? "";
const worker = process.env["WORKER_PROCESSES"] === undefined ? release : `${release} ${process.pid}`;
const plan = JSON.parse(process.env["COUNTING"] ?? "") as Counting;

await startWorkerProcesses(() =>
  startWorker({
    createRuns: ({ db }) => ({
      ...createCountingRuns(db, worker, plan),
      close: async () => void process.stdout.write("runs closed\n"),
    }),
    release,
  }),
).catch(reportAndExit);
