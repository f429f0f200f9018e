import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Database } from "../../platform/db.ts";
import { newId, randomBase62 } from "../../platform/ids.ts";
import { Secret } from "../../platform/secret.ts";
import type { ApiToken, Partner } from "./partner.ts";
import { insertToken } from "./store.ts";
import { findPartnerByTokenHash } from "./store-token-lookup.ts";

const tokenPattern = /^ptg_live_[0-9A-Za-z]{40}$/;

const hashOf = (token: string) => createHash("sha256").update(token).digest();

/** Issues a token. Only this call returns it: the database keeps its hash. */
export const issueToken = async (
  db: Database,
  partnerId: string,
  label: string,
): Promise<{ token: Secret; record: ApiToken }> => {
  const token = `ptg_live_${randomBase62(40)}`;
  const record = await insertToken(db, {
    id: newId("tok"),
    partnerId,
    hash: hashOf(token),
    label,
    lastCharacters: token.slice(-4),
  });
  return { token: new Secret(token), record };
};

/** The TTL of a cached token: a revoked one must stop working everywhere within 5 seconds. */
export const tokenTrustMs = 3_000;
const maxRemembered = 20_000;

export interface Authenticator {
  authenticate(token: string): Promise<Partner | undefined>;
}

export const createAuthenticator = (db: Database, now: () => number = Date.now): Authenticator => {
  const trusted = new LRUCache<string, Partner>({
    max: maxRemembered,
    ttl: tokenTrustMs,
    ttlResolution: 0,
    perf: { now },
  });
  return {
    authenticate: async (token) => {
      if (!tokenPattern.test(token)) return undefined;
      const hash = hashOf(token);
      // Cached by hash: the process keeps no token in memory longer than a request.
      const key = hash.toString("latin1");
      const known = trusted.get(key);
      if (known) return known;
      const askedAt = now();
      const partner = await findPartnerByTokenHash(db, hash);
      // The TTL starts before the query: a revocation during the query takes effect in time.
      if (partner) trusted.set(key, partner, { start: askedAt });
      else trusted.delete(key);
      return partner;
    },
  };
};
