import type { Log } from "../platform/log.ts";
import { type Loop, startLoop } from "../platform/loop.ts";

interface Needs {
  readonly mail: { sendDue(): Promise<number> };
  readonly log: Log;
  readonly everyMs?: number;
}

/** Sends customers their mails. Restate has no part in it: they go out even while it is away. */
export const startMailLoop = ({ mail, log, everyMs = 2_000 }: Needs): Loop =>
  startLoop({
    name: "mail",
    log,
    // Not all workers at the same moment.
    turn: async () => ((await mail.sendDue()) > 0 ? 0 : everyMs * (0.75 + Math.random() / 2)),
  });
