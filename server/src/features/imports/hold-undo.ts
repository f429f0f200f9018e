import type { Database } from "../../platform/db.ts";
import { moveImport } from "./move.ts";
import { noteUndoHeld, undoHeld } from "./store-undo-held.ts";

/** Longer causes are cut: it is one sentence of a warning. */
const longestCause = 300;

/**
 * An undo can't go on for now, because of something that only a person can change: the customer and the partner are told
 * once, with the cause as it is now. It is tried again all the same.
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
