import type { Database, Transaction } from "../../platform/db.ts";
import type { WarningCode } from "./warnings.ts";

/** What the warning `action_required` is about when an undo can't go on. */
export const undoHeld = "undo";

const code: WarningCode = "action_required";

/** Whether people were told already; then the cause is brought up to date. */
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

/** It goes on: nobody is needed any more. */
export const forgetUndoHeld = async (db: Database, importId: string): Promise<void> => {
  await db.sql
    .deleteFrom("importWarnings")
    .where("importId", "=", importId)
    .where("code", "=", code)
    .where("stream", "=", undoHeld)
    .execute();
};
