import { createTokenLookup, newApiToken } from "../../platform/api-tokens.ts";
import type { Database } from "../../platform/db.ts";
import { newId } from "../../platform/ids.ts";
import type { Secret } from "../../platform/secret.ts";
import type { ApiToken, CallingPartner } from "./partner.ts";
import { insertToken } from "./store.ts";
import { findPartnerByTokenHash } from "./store-token-lookup.ts";

const prefix = "ptg_live_";

/** Issues a token. Only this call returns it: the database keeps its hash. */
export const issueToken = async (
  db: Database,
  partnerId: string,
  label: string,
): Promise<{ token: Secret; record: ApiToken }> => {
  const { token, hash, lastCharacters } = newApiToken(prefix);
  const record = await insertToken(db, { id: newId("tok"), partnerId, hash, label, lastCharacters });
  return { token, record };
};

export interface Authenticator {
  authenticate(token: string): Promise<CallingPartner | undefined>;
}

export const createAuthenticator = (db: Database, now: () => number = Date.now): Authenticator => ({
  authenticate: createTokenLookup(prefix, (hash) => findPartnerByTokenHash(db, hash), now),
});
