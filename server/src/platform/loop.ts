import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "./log.ts";

const firstPauseMs = 500;
const longestPauseMs = 10_000;
const notReadyMs = 100;

export interface Loop {
  /** Resolves when the running iteration has ended. */
  stop(): Promise<void>;
}

export interface LoopOptions {
  readonly name: string;
  readonly log: Log;
  /** Runs one iteration; returns the delay in milliseconds until the next one. */
  readonly iterate: () => Promise<number>;
  /** The loop runs no iteration while this returns false. */
  readonly isReady?: () => boolean;
}

/** Runs iterations until stopped; logs a failing one and retries with exponential backoff. */
export const startLoop = ({ name, log, iterate, isReady = () => true }: LoopOptions): Loop => {
  const stopping = new AbortController();
  const run = async () => {
    let pauseMs = firstPauseMs;
    while (!stopping.signal.aborted) {
      let waitMs = pauseMs;
      try {
        waitMs = isReady() ? await iterate() : notReadyMs;
        pauseMs = firstPauseMs;
      } catch (error) {
        log.warn({ err: error, loop: name }, "loop iteration failed");
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      }
      await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => {}); // aborted by stop()
    }
  };
  const ended = run();
  return {
    stop: () => {
      stopping.abort();
      return ended;
    },
  };
};

export interface PollingOptions extends Pick<LoopOptions, "name" | "log"> {
  readonly everyMs: number;
  /** Handles what is due; returns how much that was. After some, the next poll follows at once. */
  readonly poll: () => Promise<number>;
}

/** Polls until stopped; with jitter, so that processes do not poll at the same moment. */
export const startPolling = ({ everyMs, poll, ...options }: PollingOptions): Loop =>
  startLoop({
    ...options,
    iterate: async () => ((await poll()) > 0 ? 0 : everyMs * (0.75 + Math.random() / 2)),
  });
