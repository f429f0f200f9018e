import { openRuns } from "./create-runs.ts";
import { readRelease } from "./release.ts";
import { reportAndExit } from "./report-and-exit.ts";
import { startWorker } from "./start-worker.ts";

const start = () => startWorker({ createRuns: openRuns, release: readRelease() });

await start().catch(reportAndExit);
