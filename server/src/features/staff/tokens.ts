import { createTokenLookup, newApiToken } from "../../platform/api-tokens.ts";
import type { Database } from "../../platform/db.ts";
import { newId } from "../../platform/ids.ts";
import type { Secret } from "../../platform/secret.ts";
import { lesserRole, type NewStaffToken, type StaffSession, type StaffToken } from "./staff.ts";
import { findByStaffTokenHash, insertStaffToken } from "./store.ts";

/** Unlike a partner's: neither API takes the other's tokens, and scanners of leaked secrets can tell them apart. */
const prefix = "ptg_staff_";

/** Whether a text can be a token at all. */
export const isStaffToken = (text: string): boolean => text.startsWith(prefix) && /^\w+$/.test(text);

/** Issues a token. Only this call returns it: the database keeps its hash. */
export const issueStaffToken = async (
  db: Database,
  staffId: string,
  wanted: NewStaffToken,
): Promise<{ readonly token: Secret; readonly record: StaffToken }> => {
  const { token, hash, lastCharacters } = newApiToken(prefix);
  const record = await insertStaffToken(db, { id: newId("stk"), staffId, hash, lastCharacters, ...wanted });
  return { token, record };
};

/** The session that a token gives: at most what both its person and the token itself may do. */
export const createStaffLookup = (
  db: Database,
  now: () => number = Date.now,
): ((token: string) => Promise<StaffSession | undefined>) =>
  createTokenLookup(
    prefix,
    async (hash) => {
      const found = await findByStaffTokenHash(db, hash);
      if (!found) return undefined;
      const { personRole, tokenRole, ...session } = found;
      return { ...session, role: lesserRole(personRole, tokenRole), partnerId: null, sessionId: null };
    },
    now,
  );
