import type { Database } from "../../platform/db.ts";
import { moveImport } from "./move.ts";
import { noteUndoHeld, undoHeld } from "./store-undo-held.ts";

/** Longer causes are truncated: it is one sentence of a warning. */
const longestCause = 300;

/**
 * An undo is blocked by something that only a person can change: notifies the customer and the partner once, and keeps
 * the cause up to date. The undo retries regardless.
 */
export const holdUndo = async (db: Database, importId: string, cause: string): Promise<void> => {
  const message = `The undo can't go on yet. ${cause.slice(0, longestCause)} It is tried again by itself every few minutes.`;
  await moveImport(
    db,
    { type: "attention_required", reason: undoHeld, message },
    {
      importId,
      partnerId: null,
      actor: { kind: "system" },
      alongside: async (tx, { liveRun }) =>
        liveRun === "undo" && !(await noteUndoHeld(tx, importId, message)),
    },
  );
};
