// A worker as main/worker.ts starts it, whose runs only count: `node test/support/counting-worker.ts`.
import { reportAndExit } from "../../server/src/main/report-and-exit.ts";
import { startWorker } from "../../server/src/main/start-worker.ts";
import { type Counting, createCountingRuns } from "./counting-runs.ts";

const release = process.env["RELEASE"] ?? "";
const plan = JSON.parse(process.env["COUNTING"] ?? "") as Counting;

await startWorker({
  createRuns: ({ db }) => ({
    ...createCountingRuns(db, release, plan),
    close: async () => void process.stdout.write("runs closed\n"),
  }),
  release,
}).catch(reportAndExit);
