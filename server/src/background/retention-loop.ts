import type { Log } from "../platform/log.ts";
import { type Loop, startLoop } from "../platform/loop.ts";

interface Needs {
  /** One turn; true: it was due, and is done. */
  readonly retention: () => Promise<boolean>;
  readonly log: Log;
  readonly firstMs?: number;
  readonly everyMs?: number;
}

/**
 * Looks now and then whether the daily erasing is due. Restate has no part in it. Not at once after the start, when there is
 * enough to do, and not all workers at the same moment.
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
    turn: async () => {
      try {
        if (!isFirst && (await retention())) log.info("retention done");
      } catch (error) {
        // It is dear and not urgent: what failed is not tried again right away.
        log.error({ err: error }, "retention failed");
      }
      const pauseMs = isFirst ? firstMs : everyMs;
      isFirst = false;
      return pauseMs * (0.5 + Math.random());
    },
  });
};
