import { ok, Problem } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";
import type { ProgressFeed } from "./progress-feed.ts";

/** The same as the progress, pushed: an event `progress` whenever it has changed, `closed` when the import is. */
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
      // A proxy that collects answers would keep the page from being live.
      "x-accel-buffering": "no",
    });
  },
});
