import type { Log } from "../platform/log.ts";
import { type Loop, startLoop } from "../platform/loop.ts";

interface Needs {
  /** Runs one iteration; returns the number of items that it processed. */
  readonly money: () => Promise<number>;
  readonly log: Log;
  readonly everyMs?: number;
}

/** Checks open payments and pays out refunds, without Restate: it continues even while Restate is down. */
export const startMoneyLoop = ({ money, log, everyMs = 5_000 }: Needs): Loop =>
  startLoop({
    name: "money",
    log,
    // Jitter, so that workers do not poll at the same moment.
    turn: async () => ((await money()) > 0 ? 0 : everyMs * (0.75 + Math.random() / 2)),
  });
