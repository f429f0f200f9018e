import type { Progress } from "@portage/contract";
import type { RunProgress } from "./progress.ts";

/** The progress of a run on the wire, in answers and webhooks. */
export const progressJson = (progress: RunProgress): Progress => ({
  phase: progress.phase,
  state: progress.state,
  done: progress.done,
  failed: progress.failed,
  skipped: progress.skipped,
  total: progress.total,
  eta_seconds: progress.etaSeconds,
});
