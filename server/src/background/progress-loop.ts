import type { ProgressSender } from "../features/webhooks/index.ts";
import type { Log } from "../platform/log.ts";
import { type Loop, startPolling } from "../platform/loop.ts";

interface Needs {
  readonly progress: ProgressSender;
  readonly log: Log;
}

/** Sends `import.progress`, apart from the deliveries of events, so that neither waits for the other. */
export const startProgressLoop = ({ progress, log }: Needs): Loop => {
  const loop = startPolling({
    name: "progress",
    log,
    everyMs: 2_000,
    poll: async () => {
      await progress.sendDue();
      return 0;
    },
  });
  return {
    stop: async () => {
      await loop.stop();
      await progress.settled();
    },
  };
};
