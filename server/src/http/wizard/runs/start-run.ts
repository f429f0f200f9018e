import { z } from "zod";
import type { ImportEvent, RunKind } from "../../../features/imports/index.ts";
import type { WizardRoute } from "../access/route.ts";
import { answerMoved, type CustomerMove } from "./moved.ts";
import { whyNotStarted } from "./why-refused.ts";

const kinds = ["sample", "full", "delta", "retry_failed", "undo"] as const satisfies readonly RunKind[];

const body = z.object({ kind: z.enum(kinds, { error: `must be one of ${kinds.join(", ")}` }) });

const eventOf = (kind: RunKind, withinWindow: boolean): ImportEvent => {
  switch (kind) {
    case "sample":
      return { type: "sample_started" };
    case "full":
      return { type: "full_started" };
    case "delta":
      return { type: "delta_started", withinWindow };
    case "retry_failed":
      return { type: "retry_started", withinWindow };
    case "undo":
      return { type: "undo_started" };
  }
};

interface Needs {
  readonly move: CustomerMove;
  /** Whether later changes and retries are still part of the full migration. */
  readonly isWithinWindow: (partnerId: string, importId: string) => Promise<boolean>;
}

/** Starts a run of the requested kind. */
export const startRunRoute = ({ move, isWithinWindow }: Needs): WizardRoute<z.infer<typeof body>> => ({
  method: "POST",
  path: "/runs",
  body,
  handle: async ({ import: found, body: { kind } }) => {
    const asks = kind === "delta" || kind === "retry_failed";
    const withinWindow = asks && (await isWithinWindow(found.partnerId, found.id));
    const moved = await move(found, eventOf(kind, withinWindow));
    return answerMoved(found, moved, () => whyNotStarted(kind, found.state, withinWindow));
  },
});
