import { z } from "zod";
import type { ImportEvent, RunKind } from "../../../features/imports/index.ts";
import type { WizardRoute } from "../access/route.ts";
import { answerMoved, type CustomerMove } from "./moved.ts";
import { whyNotStarted } from "./why-refused.ts";

const kinds = ["sample", "full", "delta", "retry_failed", "undo"] as const satisfies readonly RunKind[];

/** Far more than a report lists. */
const mostCauses = 200;

const body = z
  .object({
    kind: z.enum(kinds, { error: `must be one of ${kinds.join(", ")}` }),
    /** Of a retry: only the records that these kept from being copied, and what belongs to them. */
    causes: z
      .array(z.object({ stream: z.string().min(1).max(60), code: z.string().min(1).max(60) }))
      .min(1)
      .max(mostCauses)
      .optional(),
  })
  .refine(({ kind, causes }) => causes === undefined || kind === "retry_failed", {
    path: ["causes"],
    error: "can only limit a retry",
  });

const eventOf = ({ kind, causes }: z.infer<typeof body>, withinWindow: boolean): ImportEvent => {
  switch (kind) {
    case "sample":
      return { type: "sample_started" };
    case "full":
      return { type: "full_started" };
    case "delta":
      return { type: "delta_started", withinWindow };
    case "retry_failed":
      return { type: "retry_started", withinWindow, ...(causes && { causes }) };
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
  handle: async ({ import: found, body: asked }) => {
    const { kind } = asked;
    const asks = kind === "delta" || kind === "retry_failed";
    const withinWindow = asks && (await isWithinWindow(found.partnerId, found.id));
    const moved = await move(found, eventOf(asked, withinWindow));
    return answerMoved(found, moved, () => whyNotStarted(kind, found.state, withinWindow));
  },
});
