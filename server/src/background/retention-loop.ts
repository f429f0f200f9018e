import type { Log } from "../platform/log.ts";
import { type Loop, startLoop } from "../platform/loop.ts";

interface Needs {
  /** Runs one iteration; true: retention was due and is done. */
  readonly retention: () => Promise<boolean>;
  readonly log: Log;
  readonly firstMs?: number;
  /** At the longest: the operator API promises a run within ten minutes to who asks for it. */
  readonly everyMs?: number;
}

/**
 * Checks periodically whether the daily retention is due, without Restate. It waits after the start, when the worker is
 * busy, and adds jitter, so that workers do not check at the same moment.
 */
export const startRetentionLoop = ({
  retention,
  log,
  firstMs = 20_000,
  everyMs = 10 * 60_000,
}: Needs): Loop => {
  let isFirst = true;
  return startLoop({
    name: "retention",
    log,
    iterate: async () => {
      try {
        if (!isFirst && (await retention())) log.info("retention done");
      } catch (error) {
        // Expensive and not urgent: no immediate retry.
        log.error({ err: error }, "retention failed");
      }
      const pauseMs = isFirst ? firstMs : everyMs;
      isFirst = false;
      return pauseMs * (0.5 + Math.random() / 2);
    },
  });
};
