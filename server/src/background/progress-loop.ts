import type { ProgressSender } from "../features/webhooks/index.ts";
import type { Log } from "../platform/log.ts";
import { type Loop, startLoop } from "../platform/loop.ts";

interface Needs {
  readonly progress: ProgressSender;
  readonly log: Log;
  readonly everyMs?: number;
}

/** Sends `import.progress`, apart from the deliveries of events, so that neither waits for the other. */
export const startProgressLoop = ({ progress, log, everyMs = 2_000 }: Needs): Loop => {
  const loop = startLoop({
    name: "progress",
    log,
    turn: async () => {
      await progress.sendDue();
      // Jitter, so that workers do not poll at the same moment.
      return everyMs * (0.75 + Math.random() / 2);
    },
  });
  return {
    stop: async () => {
      await loop.stop();
      await progress.settled();
    },
  };
};
