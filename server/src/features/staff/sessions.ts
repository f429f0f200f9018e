import { createTokenLookup, newApiToken } from "../../platform/api-tokens.ts";
import type { Database } from "../../platform/db.ts";
import { newId } from "../../platform/ids.ts";
import type { Secret } from "../../platform/secret.ts";
import type { BrowserSession, SignInMethod, StaffSession } from "./staff.ts";
import { findBySessionHash, insertStaffSession, prolongStaffSession } from "./store-sessions.ts";

/** Unlike a token's: neither is taken for the other, and scanners of leaked secrets know it. */
const prefix = "ptg_session_";

/** Opens a session. Only this call returns the cookie's value: the database keeps its hash. */
export const openStaffSession = async (
  db: Database,
  person: { readonly staffId: string; readonly signedInBy: SignInMethod; readonly address: string },
): Promise<{ readonly value: Secret; readonly session: BrowserSession }> => {
  const { token: value, hash } = newApiToken(prefix);
  return { value, session: await insertStaffSession(db, { id: newId("sts"), hash, ...person }) };
};

/** The session of a cookie, with what its person may do now; a call prolongs it. */
export const createSessionLookup = (
  db: Database,
  now: () => number = Date.now,
): ((value: string) => Promise<StaffSession | undefined>) =>
  createTokenLookup(
    prefix,
    async (hash) => {
      const found = await findBySessionHash(db, hash);
      if (!found) return undefined;
      const { prolongs, ...session } = found;
      if (prolongs) await prolongStaffSession(db, session.sessionId);
      return { ...session, areas: null, tokenId: null };
    },
    now,
  );
