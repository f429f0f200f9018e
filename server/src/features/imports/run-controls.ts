import type { ImportEvent } from "./state.ts";

/** What may be asked of a live run, which reacts at its next page. */
export const runControls = {
  pause: { type: "pause_requested" },
  resume: { type: "resume_requested" },
  stop: { type: "stop_requested" },
  "stop-and-undo": { type: "stop_and_undo_requested" },
} as const satisfies Readonly<Record<string, ImportEvent>>;
