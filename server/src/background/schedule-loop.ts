import type { Log } from "../platform/log.ts";
import { type Loop, startLoop } from "../platform/loop.ts";

interface Needs {
  /** Runs one iteration; returns the number of planned starts that it handled. */
  readonly scheduledStarts: () => Promise<number>;
  readonly log: Log;
  readonly everyMs?: number;
}

/** Starts migrations at the times that customers planned, without Restate: PostgreSQL has the time, and no message can be lost. */
export const startScheduleLoop = ({ scheduledStarts, log, everyMs = 5_000 }: Needs): Loop =>
  startLoop({
    name: "schedule",
    log,
    // Jitter, so that workers do not poll at the same moment.
    turn: async () => {
      const handled = await scheduledStarts();
      if (handled > 0) log.info({ handled }, "planned starts handled");
      return everyMs * (0.75 + Math.random() / 2);
    },
  });
