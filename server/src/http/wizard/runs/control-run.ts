import { runControls, whyNotControlled } from "../../../features/imports/index.ts";
import type { WizardRoute } from "../access/route.ts";
import { answerMoved, type CustomerMove } from "./moved.ts";

/** The customer pauses, resumes or stops the live run. */
export const controlRun = (move: CustomerMove): readonly WizardRoute[] =>
  Object.entries(runControls).map(([name, event]) => ({
    method: "POST",
    path: `/runs/${name}`,
    handle: async ({ import: found }) =>
      answerMoved(found, await move(found, event), () => whyNotControlled(found.state)),
  }));
