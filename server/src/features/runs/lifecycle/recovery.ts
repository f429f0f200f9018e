import { type ConnectorError, isOddAnswer, longestGraceMs } from "@portage/connector-kit";
import type { Database } from "../../../platform/db.ts";
import { holdUndo, type requireSignIn } from "../../imports/index.ts";
import { failureText } from "./failure-text.ts";
import { giveUpBatch } from "../copy/give-up-batch.ts";
import { isHopeless, type Lease, type LeaseTimes } from "../chunk/lease.ts";
import { abandonRemoval } from "../undo/remove-copies.ts";
import { forgetRemovals } from "../ledger/store-shared-accounts.ts";
import type { ChunkEnd, Side } from "../run.ts";
import type { RunMapping } from "../chunk/chunk-context.ts";
import type { Family } from "@portage/contract";
import { sideOf } from "../chunk/sides.ts";
import { type Failure, failRun } from "./store-control.ts";
import { waitForPerson } from "./store-runs.ts";
import type { TaskEnd } from "../chunk/task.ts";

type Done = Omit<ChunkEnd, "send">;
/** Other partitions of the same run that must notice its end. */
type Woken = ChunkEnd["send"];

export interface RecoveryNeeds {
  readonly db: Database;
  readonly times: LeaseTimes;
  readonly requireSignIn: ReturnType<typeof requireSignIn>;
  readonly loadMapping: (importId: string, revision: number, family: Family) => Promise<RunMapping>;
  readonly goOn: (lease: Lease, delayMs: number, failed: boolean, done: Done) => Promise<ChunkEnd>;
  readonly end: (lease: Lease, task: TaskEnd, done: Done) => Promise<ChunkEnd>;
}

/** Doubles from 1 s to 5 min, with jitter, so that many chunks of one tool do not come back together. */
const backOffMs = (failures: number) =>
  Math.min(300_000, 1_000 * 2 ** Math.min(failures, 10)) * (0.75 + Math.random() / 2);

const longestFailingMs = 24 * 3_600_000;
/** A customer waits for the sample, and can start another: what a tool answers oddly for so long is shown as the error it is. */
const longestOddMs = 10 * 60_000;
/** A longer outage notifies the customer who waits for an undo. */
const unreportedMs = 3_600_000;
const maxFailures = 10;
const signInEnded: Failure = { code: "sign_in_ended", message: "The sign-in has ended." };
const oursToMend: Failure = {
  code: "internal_error",
  message: "Something is wrong on our side; it was reported.",
};
/** After this many failures in a row a stopping run ends: it does not wait for an outage to pass. */
const maxFailuresAtStop = 5;
/** A list that the source refuses to continue this often, some seconds apart, does not recover. */
const maxRefusedReads = 3;
/** Also if a tool asks for no wait. */
const shortestPauseMs = 250;
const longestEndingPauseMs = 60_000;

/** A sign-in that the tool refuses; a null revision: there is none. */
export interface RefusedSignIn {
  readonly side: Side;
  readonly revision: number | null;
}

/** Decides how to continue after a failed chunk. None of it retries at once. */
export const createRecovery = ({
  db,
  times,
  requireSignIn: askToSignIn,
  loadMapping,
  goOn,
  end,
}: RecoveryNeeds) => {
  /**
   * A stopping run whose tool does not answer: waits until requests in flight have come to rest, so that a later run
   * can look for them; then leaves the batch in doubt and ends the run. `pauseMs`: when a retry makes sense; null:
   * never.
   */
  const giveUp = async (lease: Lease, pauseMs: number | null, done: Done): Promise<ChunkEnd> => {
    const { batch, failures, task } = lease;
    const restMs = batch ? batch.deadlineInMs + longestGraceMs : 0;
    if (restMs > 0) return goOn(lease, Math.max(restMs, shortestPauseMs), true, done);
    if (batch && pauseMs !== null && failures < maxFailuresAtStop)
      return goOn(lease, Math.min(pauseMs, longestEndingPauseMs), true, done);
    const mappingOf = () => loadMapping(lease.importId, lease.mappingRevision, lease.family);
    const left =
      task === "remove"
        ? await abandonRemoval(db, lease, times)
        : await giveUpBatch(db, lease, times, mappingOf);
    // It may have been removing replaced people.
    if (left && task === "link") await forgetRemovals(db, lease);
    return left ? end(lease, { kind: "halted", wanted: "stop" }, done) : { ...done, send: [] };
  };

  const fail = (lease: Lease, failure: Failure): Promise<Woken> =>
    failRun(db, lease.runId, failure, times.leaseMs);

  const failIf = async (lease: Lease, isForGood: boolean, failure: Failure): Promise<Woken> =>
    isForGood ? fail(lease, failure) : [];

  const comeBack = async (lease: Lease, pauseMs: number, failed: boolean, done: Done, woken: Woken) => {
    const next = await goOn(lease, pauseMs, failed, done);
    return { ...next, send: [...next.send, ...woken] };
  };

  const waitFor = async (lease: Lease, { side, revision }: RefusedSignIn, done: Done): Promise<ChunkEnd> => {
    const { runId, importId, wanted } = lease;
    if (wanted === "stop") return giveUp(lease, null, done);
    const answer = await askToSignIn(importId, side, revision, (tx) => waitForPerson(tx, runId, side));
    if (answer.kind === "waits") return { ...done, send: [] };
    // The import was closed: no sign-in is possible any more, so its run ends.
    const woken = answer.kind === "missing" ? await fail(lease, signInEnded) : [];
    return comeBack(lease, backOffMs(lease.failures), true, done, woken);
  };

  /** An undo does not fail but notifies people; that of a closed import, which no one can help, ends after a while. */
  const holdIf = async (lease: Lease, isForGood: boolean, cause: Failure): Promise<Woken> => {
    const { importId, failingForMs } = lease;
    if (isForGood || failingForMs > unreportedMs) await holdUndo(db, importId, cause.message);
    return failingForMs > longestFailingMs ? fail(lease, cause) : [];
  };

  const afterRefusal = async (lease: Lease, error: ConnectorError, done: Done): Promise<ChunkEnd> => {
    const pauseMs = Math.max(error.retryAfterMs ?? backOffMs(lease.failures), shortestPauseMs);
    const isAborted = error.recovery === "abort" && !isOddAnswer(error);
    if (lease.wanted === "stop") return giveUp(lease, isAborted ? null : pauseMs, done);
    // It rests with what it has: resuming it asks again.
    if (lease.wanted === "pause") return { ...done, send: [] };
    const failed = done.read + done.written === 0;
    // Smaller pages and single records were tried as well: the source will refuse for as long as it is asked.
    const isUnreadable =
      error.recovery === "skip-record" && sideOf(error) === "source" && lease.failures >= maxRefusedReads;
    const isForGood = isAborted || isUnreadable;
    const longestMs = isOddAnswer(error) && lease.kind === "sample" ? longestOddMs : longestFailingMs;
    const fails = isForGood || lease.failingForMs > longestMs;
    const failure = { code: error.code, message: failureText(error) };
    const woken = await (lease.kind === "undo"
      ? holdIf(lease, failed && isForGood, failure)
      : failIf(lease, fails, failure));
    return comeBack(lease, pauseMs, failed, done, woken);
  };

  return {
    waitFor,
    /** After an error of the tool, or of the connection to it. */
    afterError: (
      lease: Lease,
      error: ConnectorError,
      revisions: Readonly<Record<Side, number | null>>,
      done: Done,
    ): Promise<ChunkEnd> => {
      const side = sideOf(error);
      return error.recovery === "reauthorize"
        ? waitFor(lease, { side, revision: revisions[side] }, done)
        : afterRefusal(lease, error, done);
    },
    afterBug: async (lease: Lease, done: Done): Promise<ChunkEnd> => {
      const pauseMs = backOffMs(lease.failures);
      if (lease.wanted === "stop") return giveUp(lease, pauseMs, done);
      if (lease.wanted === "pause") return { ...done, send: [] };
      const fails = lease.failures >= maxFailures || isHopeless(lease);
      const decide = lease.kind === "undo" ? holdIf : failIf;
      return comeBack(lease, pauseMs, true, done, await decide(lease, fails, oursToMend));
    },
  };
};
