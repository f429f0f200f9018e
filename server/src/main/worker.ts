import { reportAndExit } from "./report-and-exit.ts";
import { startWorkerProcesses } from "./worker-processes.ts";

/** Loads a worker's modules, which a supervisor does not need. */
const startOne = async () => {
  const [{ startWorker }, { openRuns }, { readRelease }] = await Promise.all([
    import("./start-worker.ts"),
    import("./open-runs.ts"),
    import("./release.ts"),
  ]);
  await startWorker({ createRuns: openRuns, release: readRelease() });
};

await startWorkerProcesses(startOne).catch(reportAndExit);
