import type { Log } from "../platform/log.ts";
import { type Loop, startLoop } from "../platform/loop.ts";

interface Needs {
  /** One turn; how much there was to do. */
  readonly money: () => Promise<number>;
  readonly log: Log;
  readonly everyMs?: number;
}

/** Asks after money and gives back what is owed. Restate has no part in it: it goes on even while that is away. */
export const startMoneyLoop = ({ money, log, everyMs = 5_000 }: Needs): Loop =>
  startLoop({
    name: "money",
    log,
    // Not all workers at the same moment.
    turn: async () => ((await money()) > 0 ? 0 : everyMs * (0.75 + Math.random() / 2)),
  });
