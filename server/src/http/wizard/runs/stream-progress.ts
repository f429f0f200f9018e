import { ok, Problem } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";
import type { ProgressFeed } from "./progress-feed.ts";

/** Pushes the progress: an event `progress` on every change, and `closed` when the import closes. */
export const streamProgress = (feed: ProgressFeed): WizardRoute => ({
  method: "GET",
  path: "/progress/stream",
  handle: async ({ import: found, session }) => {
    const stream = feed.listen({
      importId: found.id,
      linkMark: found.linkMark,
      session: session?.hash ?? null,
    });
    if (!stream)
      throw new Problem("unavailable", "Too many pages are open right now. Ask for the progress instead.", {
        "retry-after": "5",
      });
    return ok(stream, {
      "content-type": "text/event-stream; charset=utf-8",
      // A buffering proxy would delay the events.
      "x-accel-buffering": "no",
    });
  },
});
