import type { ImportEvent } from "../../../features/imports/index.ts";
import type { WizardRoute } from "../access/route.ts";
import { answerMoved, type CustomerMove } from "./moved.ts";
import { whyNotControlled } from "./why-refused.ts";

/** What may be asked of a live run. */
export const runControls = {
  pause: { type: "pause_requested" },
  resume: { type: "resume_requested" },
  stop: { type: "stop_requested" },
  "stop-and-undo": { type: "stop_and_undo_requested" },
} as const satisfies Readonly<Record<string, ImportEvent>>;

/** The customer pauses, resumes or stops the live run, which reacts at its next page. */
export const controlRun = (move: CustomerMove): readonly WizardRoute[] =>
  Object.entries(runControls).map(([name, event]) => ({
    method: "POST",
    path: `/runs/${name}`,
    handle: async ({ import: found }) =>
      answerMoved(found, await move(found, event), () => whyNotControlled(found.state)),
  }));
