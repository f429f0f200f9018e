// A side of `npm run bench:engine`: a worker of graphile-worker, with tasks that do nothing.
import { Logger, run } from "graphile-worker";
import { createSteps, keyOf, type Step } from "./engine-steps.ts";

const concurrency = 24;

const [url = "", mode] = process.argv.slice(2);
const steps = createSteps();
/** The settings that its documentation recommends for many jobs per second. */
const batching = {
  localQueue: { size: concurrency + 1 },
  completeJobBatchDelay: 25,
  failJobBatchDelay: 25,
};
await run({
  connectionString: url,
  noHandleSignals: true,
  logger: new Logger(() => () => {}),
  taskList: {
    work: async (payload, { addJob }) => {
      const next = steps.execute(payload as Step);
      if (next) await addJob("work", next, { jobKey: keyOf(next) });
    },
  },
  preset: {
    worker: {
      concurrentJobs: concurrency,
      maxPoolSize: concurrency + 1,
      ...(mode === "batched" ? batching : {}),
    },
  },
});
process.send?.({ kind: "ready" });
