import { z } from "zod";
import type { Database } from "../../../platform/db.ts";
import type { ImportEvent } from "../../imports/index.ts";
import { findPartner } from "../../partners/index.ts";
import type { RunKind } from "../run.ts";
import { includedUntil } from "./included-window.ts";

const kinds = ["sample", "full", "delta", "retry_failed", "undo"] as const satisfies readonly RunKind[];

/** Far more than a report lists. */
const maxCauses = 200;

/** A run that a person wants: the customer, or the operator for them. */
export const runRequest = z
  .object({
    kind: z.enum(kinds, { error: `must be one of ${kinds.join(", ")}` }),
    /** Of a retry: only the records that these kept from being copied, and what belongs to them. */
    causes: z
      .array(z.object({ stream: z.string().min(1).max(60), code: z.string().min(1).max(60) }))
      .min(1)
      .max(maxCauses)
      .optional(),
  })
  .refine(({ kind, causes }) => causes === undefined || kind === "retry_failed", {
    path: ["causes"],
    error: "can only limit a retry",
  });

export type RunRequest = z.infer<typeof runRequest>;

/** Whether the included window matters for this run. */
export const needsWindow = ({ kind }: RunRequest): boolean => kind === "delta" || kind === "retry_failed";

/** Whether later changes and retries are still part of the full migration. */
export const isWithinWindow = async (
  db: Database,
  { id, partnerId }: { readonly id: string; readonly partnerId: string },
): Promise<boolean> => {
  const partner = await findPartner(db, partnerId);
  const until = await includedUntil(db, id, partner?.includedDays ?? 0);
  return until !== null && until.getTime() > Date.now();
};

/** The event that asks for the run. */
export const runRequestEvent = ({ kind, causes }: RunRequest, withinWindow: boolean): ImportEvent => {
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
