import { type DestinationStream, isConnectorError } from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import type { Database } from "../../../platform/db.ts";
import type { Log } from "../../../platform/log.ts";
import { type Metrics, noMetrics } from "../../../platform/metrics/index.ts";
import { type Moment, momentNow } from "../../../platform/moment.ts";
import { forgetUndoHeld, type requireSignIn } from "../../imports/index.ts";
import { createRecovery } from "./recovery.ts";
import { restForRefusals } from "./refusals.ts";
import { finishRuns } from "./finish-run.ts";
import { createAlone } from "../chunk/alone.ts";
import { holdLease } from "../chunk/hold-lease.ts";
import { isHopeless, isSuspect, type Lease, type LeaseTimes } from "../chunk/lease.ts";
import { countDifferences, countSettled } from "./chunk-metrics.ts";
import type { ChunkEnd, ChunkRef, Side, Task } from "../run.ts";
import { sideOf } from "../chunk/sides.ts";
import { currentChunks, forgetAttempt, handOver, takeLease } from "../chunk/store-lease.ts";
import { endPartition } from "./store-partition-end.ts";
import type { RecognizedServer } from "./store-servers.ts";
import { streamPairs } from "../chunk/stream-pairs.ts";
import { createTallies } from "../chunk/tallies.ts";
import { type BudgetLimits, createBudget, type RunTask, type TaskEnd } from "../chunk/task.ts";
import {
  type ChunkContext,
  comesWithParent,
  type OpenedSide,
  type OpenRunSide,
  type RunMapping,
} from "../chunk/chunk-context.ts";

export interface ChunkNeeds {
  readonly db: Database;
  readonly log: Log;
  readonly metrics?: Metrics;
  readonly openSide: OpenRunSide;
  /** The streams that the destination accepts, which may differ between instances. */
  readonly destinationStreams: (
    destination: OpenedSide,
    family: Family,
    signal: AbortSignal,
  ) => Promise<readonly DestinationStream[]>;
  readonly requireSignIn: ReturnType<typeof requireSignIn>;
  readonly loadMapping: (importId: string, revision: number, family: Family) => Promise<RunMapping>;
  readonly tasks: Readonly<Record<Task, RunTask>>;
  readonly times: LeaseTimes;
  readonly budget: BudgetLimits;
  /** Notices a failover or a restore, before the first chunk works on the new server. */
  readonly recognizeServer: (ref: ChunkRef) => Promise<RecognizedServer | undefined>;
}

/**
 * Until a look-up shows all that may be there: no request of a lost claim can take effect any more, and the destination's search
 * shows what was written, also what came with records of the step before.
 */
const untilShownMs = (
  { lease, streams }: Pick<ChunkContext, "lease" | "streams">,
  destination: OpenedSide,
  { writeMs }: LeaseTimes,
): number => {
  const { lateWriteMs, findLagMs } = destination.connector.manifest.grace;
  return Math.max(
    lease.looksFrom === null ? 0 : writeMs + lateWriteMs + findLagMs - lease.recognizedForMs,
    comesWithParent({ lease, streams }) ? findLagMs - lease.startedForMs : 0,
  );
};

export interface ChunkOptions {
  readonly shared?: Shared;
  /** Omitted: as long as a chunk may take. */
  readonly budget?: BudgetLimits;
}

const nothing: ChunkEnd = { send: [], read: 0, written: 0 };

const missingSide = (side: Side) => ({ kind: "missing_side" as const, side, revision: null });

type Sides = Pick<ChunkContext, "source" | "destination" | "streams">;

/** What chunks share that are worked on one after another, without a pause. */
export interface Shared {
  opened?: Sides & { readonly mapping: RunMapping };
}

/** A new sign-in, or another mapping, is noticed by the next chunk. */
const stillOpen = ({ opened }: Shared, { signIns, mappingRevision }: Lease): Shared["opened"] =>
  opened &&
  opened.source.revision === signIns.source &&
  opened.destination.revision === signIns.destination &&
  opened.mapping.revision === mappingRevision
    ? opened
    : undefined;

/** These create and remove fields of the destination, which belong to a mapping. */
const changesFields = (task: Task) => task === "prepare" || task === "remove_fields";

/** Works on one partition for a short while. A chunk of an old generation ends without effect. */
export const createWorkChunk = (needs: ChunkNeeds) => {
  const { db, log, times, tasks, metrics = noMetrics } = needs;
  const alone = createAlone();

  const open = async (lease: Lease, signal: AbortSignal) => {
    const { importId, runId, family, kind } = lease;
    const destination = await needs.openSide({ importId, side: "destination", runId });
    if (destination.kind === "missing") return missingSide("destination");
    const source = await needs.openSide({ importId, side: "source", runId });
    // Removing needs only the destination.
    if (source.kind === "missing" && kind !== "undo") return missingSide("source");
    const from = source.kind === "missing" ? destination : source;
    const offered = await needs.destinationStreams(destination, family, signal);
    return {
      kind: "open" as const,
      source: from,
      destination,
      streams: streamPairs(family, source.kind === "missing" ? null : source.connector, offered),
    };
  };

  const goOn = async (lease: Lease, delayMs: number, failed: boolean, done: Omit<ChunkEnd, "send">) => {
    const next = await handOver(db, lease, { delayMs, failed, leaseMs: times.leaseMs });
    return { ...done, send: next ? [next] : [] };
  };

  const end = async (lease: Lease, task: TaskEnd, done: Omit<ChunkEnd, "send">): Promise<ChunkEnd> => {
    if (task.kind === "fenced") return { ...done, send: [] };
    if (lease.kind === "undo" && (task.kind === "ended" || done.read > 0))
      await forgetUndoHeld(db, lease.importId);
    if (task.kind === "more") return goOn(lease, 0, false, done);
    if (task.kind === "later") return goOn(lease, task.delayMs, done.read + done.written === 0, done);
    if (task.kind === "refused") {
      log.warn({ run_id: lease.runId, ...task.refusals }, "the destination refuses record after record");
      const rests = await restForRefusals(db, lease, task.refusals);
      return rests ? { ...done, send: [] } : goOn(lease, 0, false, done);
    }
    if (task.kind === "halted" && task.wanted === "pause") return { ...done, send: [] };
    const ended = await endPartition(db, lease, {
      as: task.kind === "halted" ? "stopped" : "done",
      ...(task.kind === "ended" && { plan: task.plan, tallies: task.tallies }),
      leaseMs: times.leaseMs,
    });
    if (ended.kind === "last") await finishRuns(needs, lease.runId);
    return { ...done, send: ended.kind === "goes_on" ? ended.send : [] };
  };

  const recovery = createRecovery({
    db,
    times,
    requireSignIn: needs.requireSignIn,
    loadMapping: needs.loadMapping,
    goOn,
    end,
  });

  /** Attempts that this process survived, although the database could not record their end. */
  const survived = new Set<Lease>();
  const forgetSurvived = async () => {
    for (const lease of survived) {
      await forgetAttempt(db, lease);
      survived.delete(lease);
    }
  };

  const attempt = async (
    taken: Lease,
    takenAt: Moment,
    worker: { readonly signal: AbortSignal },
    { shared, budget: limits }: Required<ChunkOptions>,
  ): Promise<ChunkEnd> => {
    let tool = "unknown";
    const lease: Lease = { ...taken, onSettled: (counts) => countSettled(metrics, tool, counts) };
    const startedAt = performance.now();
    const held = holdLease(db, lease, times, { takenAt, worker: worker.signal });
    const { signal, lost } = held;
    const fields = { run_id: lease.runId, task: lease.task, stream: lease.stream };
    if (isSuspect(lease))
      log.warn({ ...fields, lost_attempts: lease.lostAttempts }, "attempts ended with their process");
    const leave = await alone.enter(isSuspect(lease), signal);
    const budget = createBudget(limits, signal);
    const { done } = budget;
    let revisions: Readonly<Record<Side, number | null>> = { source: null, destination: null };
    try {
      if (isHopeless(lease) && lease.task !== "copy") return await recovery.afterBug(lease, done);
      const kept = stillOpen(shared, lease);
      const sides = kept ? { kind: "open" as const, ...kept } : await open(lease, signal);
      if (sides.kind === "open") tool = sides.destination.connector.manifest.name;
      if (sides.kind === "missing_side") return await recovery.waitFor(lease, sides, done);
      revisions = { source: sides.source.revision, destination: sides.destination.revision };
      const restMs = untilShownMs({ lease, streams: sides.streams }, sides.destination, times);
      if (restMs > 0) return await goOn(lease, restMs, false, done);
      const mapping =
        kept?.mapping ?? (await needs.loadMapping(lease.importId, lease.mappingRevision, lease.family));
      if (changesFields(lease.task)) delete shared.opened;
      else shared.opened = { ...sides, mapping };
      const ctx = { db, times, lease, signal, lost, ...sides, mapping };
      const book = createTallies(lease.tallies);
      const task = await tasks[lease.task](ctx, book, budget);
      if (task.kind !== "fenced")
        countDifferences(metrics, tool, { before: lease.tallies, after: book.all() });
      return await end(lease, task, done);
    } catch (error) {
      if (isConnectorError(error)) {
        const { code, recovery: how } = error;
        log.info({ ...fields, code, side: sideOf(error), recovery: how }, "chunk interrupted");
        return await recovery.afterError(lease, error, revisions, done);
      }
      if (signal.aborted) return await goOn(lease, 0, false, done);
      log.error({ err: error, ...fields }, "chunk failed");
      metrics.count("portage_chunk_failures_total", { task: lease.task });
      return await recovery.afterBug(lease, done);
    } finally {
      held.release();
      leave();
      const seconds = (performance.now() - startedAt) / 1_000;
      metrics.observe("portage_chunk_duration_seconds", { task: lease.task }, seconds);
    }
  };

  return async (
    ref: ChunkRef,
    worker: { readonly signal: AbortSignal },
    { shared = {}, budget = needs.budget }: ChunkOptions = {},
  ): Promise<ChunkEnd> => {
    await forgetSurvived();
    const takenAt = momentNow();
    const lease = await takeLease(db, ref, times);
    if (!lease) {
      await needs.recognizeServer(ref);
      return { ...nothing, send: await currentChunks(db, ref) };
    }
    try {
      return await attempt(lease, takenAt, worker, { shared, budget });
    } catch (error) {
      survived.add(lease);
      throw error;
    }
  };
};
