import { setTimeout as sleep } from "node:timers/promises";
import { ConnectorError, outcomeUnknown } from "../errors.ts";
import type { Io } from "../io.ts";

export type JobState<A> = { readonly kind: "running" } | { readonly kind: "ended"; readonly answer: A };

const unfinished = () =>
  new ConnectorError({
    recovery: "retry",
    code: outcomeUnknown,
    message: "The tool has not finished the job yet.",
  });

/**
 * Waits for a job that the tool finishes later. A job that runs past the deadline, or past the end of the step, may still take
 * effect: the error makes the outcome of its records `unknown`, and the engine looks for them later.
 */
export const awaitJob = async <A, S>(
  io: Io<S>,
  poll: () => Promise<JobState<A>>,
  { everyMs, atMostMs }: { readonly everyMs: number; readonly atMostMs: number },
): Promise<A> => {
  const deadline = performance.now() + atMostMs;
  for (;;) {
    const state = await poll();
    if (state.kind === "ended") return state.answer;
    if (performance.now() + everyMs > deadline) throw unfinished();
    await sleep(everyMs, undefined, { signal: io.signal }).catch(() => {
      throw unfinished();
    });
  }
};
