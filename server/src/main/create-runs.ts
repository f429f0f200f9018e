import { requireSignIn } from "../features/imports/index.ts";
import { createPreflight, createStartAfterPreflight } from "../features/preflight/index.ts";
import {
  createChooseMapping,
  createLoadMapping,
  createRuns as createRunsOf,
  type Plant,
} from "../features/runs/index.ts";
import { createSides } from "./open-sides.ts";
import type { OpenRuns, RunsParts } from "./start-worker.ts";

export interface RunsNeeds extends RunsParts {
  /** A fault to be built in, for tests that must see it found; null where customers are served. */
  readonly plant: string | null;
}

/** Everything that the engine has carried out. */
export const createRuns = ({ plant, ...parts }: RunsNeeds): OpenRuns => {
  const { db } = parts;
  const { openSide, destinationStreams, requestsPerMinute, close } = createSides(parts);
  const runs = createRunsOf({
    ...parts,
    openSide,
    destinationStreams,
    requireSignIn: requireSignIn(db),
    loadMapping: createLoadMapping(db),
    chooseMapping: createChooseMapping(parts),
    budget: { pages: 50, ms: 30_000 },
    limits: { partitionsAtOnce: parts.partitions, verifyAtMost: 10_000 },
    plant: plant as Plant | null,
  });
  const preflight = createPreflight({
    ...parts,
    openSide,
    destinationStreams,
    requestsPerMinute,
  });
  return {
    ...runs,
    close,
    startAfterPreflight: createStartAfterPreflight({ ...parts, openSide, preflight }),
  };
};
