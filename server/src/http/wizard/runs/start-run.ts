import { whyNotStarted } from "../../../features/imports/index.ts";
import { needsWindow, runRequest, runRequestEvent, type RunRequest } from "../../../features/runs/index.ts";
import type { WizardRoute } from "../access/route.ts";
import { answerMoved, type CustomerMove } from "./moved.ts";

interface Needs {
  readonly move: CustomerMove;
  /** Whether later changes and retries are still part of the full migration. */
  readonly isWithinWindow: (found: { readonly id: string; readonly partnerId: string }) => Promise<boolean>;
}

/** Starts a run of the requested kind. */
export const startRunRoute = ({ move, isWithinWindow }: Needs): WizardRoute<RunRequest> => ({
  method: "POST",
  path: "/runs",
  body: runRequest,
  handle: async ({ import: found, body: asked }) => {
    const withinWindow = needsWindow(asked) && (await isWithinWindow(found));
    const moved = await move(found, runRequestEvent(asked, withinWindow));
    return answerMoved(found, moved, () => whyNotStarted(asked.kind, found.state, withinWindow));
  },
});
