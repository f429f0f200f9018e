import { createRuns } from "./create-runs.ts";
import { readRelease } from "./release.ts";
import { reportAndExit } from "./report-and-exit.ts";
import { startWorker } from "./start-worker.ts";

const readPlant = (): string | null => {
  const plant = process.env["PORTAGE_TEST_PLANT"] || null;
  if (plant !== null && process.env["NODE_ENV"] === "production")
    throw new Error("PORTAGE_TEST_PLANT builds a fault in: it is refused where NODE_ENV is production.");
  return plant;
};

const start = async () => {
  const plant = readPlant();
  await startWorker({ createRuns: (parts) => createRuns({ ...parts, plant }), release: readRelease() });
};

await start().catch(reportAndExit);
