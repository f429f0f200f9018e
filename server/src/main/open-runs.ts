import { requireSignIn } from "../features/imports/index.ts";
import { createPreflight, createStartAfterPreflight } from "../features/preflight/index.ts";
import { createChooseMapping, createLoadMapping, createRuns } from "../features/runs/index.ts";
import { createSides } from "./create-sides.ts";
import type { OpenRuns, RunsParts } from "./start-worker.ts";

/** Creates the runs that the engine executes. */
export const openRuns = (parts: RunsParts): OpenRuns => {
  const { db } = parts;
  const { openSide, destinationStreams, requestsPerMinute, close } = createSides(parts);
  const runs = createRuns({
    ...parts,
    openSide,
    destinationStreams,
    requireSignIn: requireSignIn(db),
    loadMapping: createLoadMapping(db),
    chooseMapping: createChooseMapping(parts),
    budget: { pages: 50, ms: 30_000 },
    limits: { parallelPartitions: parts.partitions, recordsPerPartition: 100, verifyAtMost: 10_000 },
  });
  const preflight = createPreflight({
    ...parts,
    openSide,
    destinationStreams,
    requestsPerMinute,
  });
  return {
    ...runs,
    workChunk: runs.workOn,
    close,
    startAfterPreflight: createStartAfterPreflight({ ...parts, openSide, preflight }),
  };
};
