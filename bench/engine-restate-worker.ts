// A side of `npm run bench:engine`: the endpoint and the chunk service of a worker, with runs that do nothing.
import { createAdmin } from "../server/src/engine/admin.ts";
import { createChunkService } from "../server/src/engine/chunk.ts";
import { createEndpoint } from "../server/src/engine/endpoint.ts";
import { createSemaphore } from "../server/src/engine/semaphore.ts";
import { createLog } from "../server/src/platform/log.ts";
import { createSteps } from "./engine-steps.ts";

/** The default of WORKER_CONCURRENCY. */
const concurrency = 64;
const release = "bench";

const [adminUrl = "", identityKey = ""] = process.argv.slice(2);
const steps = createSteps();
const log = createLog("warn");
const service = createChunkService({
  runs: {
    workChunk: async ({ runId, partition, generation }) => {
      const next = steps.execute({ round: runId, chain: partition, index: generation });
      return {
        send: next ? [{ runId, partition, generation: next.index, delayMs: 0 }] : [],
        read: 0,
        written: 0,
      };
    },
  },
  places: createSemaphore(concurrency),
  draining: new AbortController().signal,
  log,
});
const endpoint = createEndpoint({ services: [service], identityKeys: [identityKey], release, log });
const port = await endpoint.listen("127.0.0.1", 0);
await createAdmin(adminUrl).register(`http://127.0.0.1:${port}/${release}`);
process.send?.({ kind: "ready" });
