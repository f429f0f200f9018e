import type { Log } from "../platform/log.ts";
import { type Loop, startLoop } from "../platform/loop.ts";

interface Needs {
  readonly mail: { sendDue(): Promise<number> };
  readonly log: Log;
  readonly everyMs?: number;
}

/** Sends mails to customers, without Restate: they go out even while it is down. */
export const startMailLoop = ({ mail, log, everyMs = 2_000 }: Needs): Loop =>
  startLoop({
    name: "mail",
    log,
    // Jitter, so that workers do not poll at the same moment.
    turn: async () => ((await mail.sendDue()) > 0 ? 0 : everyMs * (0.75 + Math.random() / 2)),
  });
