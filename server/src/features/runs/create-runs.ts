import type { ChooseMapping } from "./prepare/choose-mapping.ts";
import type { Database } from "../../platform/db.ts";
import type { Sealer } from "../../platform/seal.ts";
import { finishRuns } from "./lifecycle/finish-run.ts";
import type { ChunkRef, ChunkToSend, Side } from "./run.ts";
import { createStartRun } from "./lifecycle/start-run.ts";
import { recognizeServer } from "./lifecycle/store-servers.ts";
import {
  listOverlongWaits,
  resumeWaiting,
  takeOverdue,
  wantRun,
  listForgottenPauses,
} from "./lifecycle/store-control.ts";
import { type SampleBounds, sampleBounds } from "./sample/bounds.ts";
import { createKeepResults } from "./sample/keep-results.ts";
import { createChooseTask } from "./sample/choose-task.ts";
import { createCopyTask } from "./copy/copy-task.ts";
import { createPrepareTask, type PrepareLimits } from "./prepare/prepare-task.ts";
import { createLinkTask } from "./linking/link-task.ts";
import { removeFieldsTask } from "./undo/remove-fields-task.ts";
import { removeTask } from "./undo/remove-task.ts";
import type { SilenceNeeds } from "./silence/measured-by.ts";
import { createSilenceTask } from "./silence/silence-task.ts";
import { sweepTask } from "./verify/sweep-task.ts";
import { createReviewTask } from "./sample/review-task.ts";
import { type ChunkNeeds, createWorkChunk } from "./lifecycle/work-chunk.ts";
import { createWorkOn } from "./lifecycle/work-on.ts";

export interface RunsNeeds extends Omit<ChunkNeeds, "tasks" | "recognizeServer"> {
  readonly chooseMapping: ChooseMapping;
  readonly limits: PrepareLimits;
  /** Seals what a review keeps with the import's data key. */
  readonly sealer: Sealer;
  readonly sampleBounds?: SampleBounds;
  readonly silence: SilenceNeeds;
}

/** After this many days a new sign-in is unlikely. */
const longestWaitDays = 7;

/** All functions that an engine calls. */
export const createRuns = (needs: RunsNeeds) => {
  const { db, times, log } = needs;
  const recognize = async (ref?: ChunkRef) => {
    const server = await recognizeServer(db, ref);
    if (server)
      log.warn(
        { server: server.no, runs: server.runs },
        "another database server: commits may be lost, so unfinished runs look up what they write",
      );
    return server;
  };
  const copy = createCopyTask(createKeepResults(needs.sealer));
  const workChunk = createWorkChunk({
    ...needs,
    recognizeServer: recognize,
    tasks: {
      prepare: createPrepareTask({ ...needs, ...needs.limits }),
      choose: createChooseTask({ sealer: needs.sealer, bounds: needs.sampleBounds ?? sampleBounds }),
      silence: createSilenceTask(needs.silence),
      copy,
      sweep: sweepTask,
      link: createLinkTask(copy),
      verify: createReviewTask(needs.sealer),
      remove: removeTask,
      remove_fields: removeFieldsTask,
    },
  });
  return {
    startRun: createStartRun({ ...needs, leaseMs: times.leaseMs }),
    /** One chunk of one partition. */
    workChunk,
    workOn: createWorkOn(workChunk),
    ...createRunControls(db, times.leaseMs),
    /** Partitions that were silent for too long; also ends runs that no attempt finished. */
    findOverdue: async (limit: number): Promise<readonly ChunkToSend[]> => {
      await recognize();
      await finishRuns(needs);
      return takeOverdue(db, limit, times.leaseMs);
    },
  };
};

/** Controls for people; each answers the chunks to send. */
const createRunControls = (db: Database, leaseMs: number) => ({
  stopRun: async ({ importId }: { importId: string }): Promise<readonly ChunkToSend[]> =>
    (await wantRun(db, importId, "stop", leaseMs)).send,
  pauseRun: async ({ importId }: { importId: string }): Promise<readonly ChunkToSend[]> =>
    (await wantRun(db, importId, "pause", leaseMs)).send,
  unpauseRun: async ({ importId }: { importId: string }): Promise<readonly ChunkToSend[]> =>
    (await wantRun(db, importId, "run", leaseMs)).send,
  /** After a new sign-in on one side. */
  resumeWaiting: ({ importId, side }: { importId: string; side: Side }) =>
    resumeWaiting(db, importId, side, leaseMs),
  endOverlongWaits: async (): Promise<readonly ChunkToSend[]> => {
    const send: ChunkToSend[] = [];
    const waiting = await listOverlongWaits(db, longestWaitDays);
    for (const importId of [...waiting, ...(await listForgottenPauses(db, longestWaitDays))])
      send.push(...(await wantRun(db, importId, "stop", leaseMs)).send);
    return send;
  },
});

export type RunService = ReturnType<typeof createRuns>;
