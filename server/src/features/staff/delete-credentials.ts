import type { Database } from "../../platform/db.ts";
import { deletePasskeys } from "./store-passkeys.ts";
import { deleteInvitation, deletePassword } from "./store-passwords.ts";

/**
 * Deletes all that a person could sign in with here. The invitation comes first: an enrolment at the same time holds it, and
 * what that saves is deleted, too.
 */
export const deleteCredentials = async (db: Database, staffId: string): Promise<void> => {
  await deleteInvitation(db, staffId);
  await deletePassword(db, staffId);
  await deletePasskeys(db, staffId);
};
