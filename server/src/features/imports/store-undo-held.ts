import type { Database, Transaction } from "../../platform/db.ts";
import type { WarningCode } from "./warnings.ts";

/** The subject of the warning `action_required` when an undo can't continue. */
export const undoHeld = "undo";

const code: WarningCode = "action_required";

/** Whether people were notified already; then updates the cause. */
export const noteUndoHeld = async (tx: Transaction, importId: string, message: string): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable("importWarnings")
    .set({ message })
    .where("importId", "=", importId)
    .where("code", "=", code)
    .where("stream", "=", undoHeld)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** The undo continues: no person is needed any more. */
export const forgetUndoHeld = async (db: Database, importId: string): Promise<void> => {
  await db.sql
    .deleteFrom("importWarnings")
    .where("importId", "=", importId)
    .where("code", "=", code)
    .where("stream", "=", undoHeld)
    .execute();
};
