import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "./log.ts";

const firstPauseMs = 500;
const longestPauseMs = 10_000;
const notReadyMs = 100;

export interface Loop {
  /** Resolves when the turn that is under way has ended. */
  stop(): Promise<void>;
}

export interface LoopOptions {
  readonly name: string;
  readonly log: Log;
  /** One turn; answers after how long the next is due. */
  readonly turn: () => Promise<number>;
  /** No turn is taken while it is not. */
  readonly isReady?: () => boolean;
}

/** Takes turn after turn; one that throws is logged, and the next comes after a pause that grows. */
export const startLoop = ({ name, log, turn, isReady = () => true }: LoopOptions): Loop => {
  const stopping = new AbortController();
  const takeTurns = async () => {
    let pauseMs = firstPauseMs;
    while (!stopping.signal.aborted) {
      let waitMs = pauseMs;
      try {
        waitMs = isReady() ? await turn() : notReadyMs;
        pauseMs = firstPauseMs;
      } catch (error) {
        log.warn({ err: error, loop: name }, "a turn failed");
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      }
      await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => {}); // it was told to stop
    }
  };
  const ended = takeTurns();
  return {
    stop: () => {
      stopping.abort();
      return ended;
    },
  };
};
