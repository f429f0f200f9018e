import { hash as digest } from "node:crypto";
import { LRUCache } from "lru-cache";
import { randomBase62 } from "./ids.ts";
import { Secret } from "./secret.ts";

const randomCharacters = 40;

/** What the database keeps of a token; its randomness needs no salt. */
export const hashOf = (token: string): Buffer => digest("sha256", token, "buffer");

/** A new token. The caller stores the hash, and shows the token once. */
export const newApiToken = (
  prefix: string,
): { readonly token: Secret; readonly hash: Buffer; readonly lastCharacters: string } => {
  const token = `${prefix}${randomBase62(randomCharacters)}`;
  return { token: new Secret(token), hash: hashOf(token), lastCharacters: token.slice(-4) };
};

/** The TTL of a cached token: a revoked one must stop working everywhere within 5 seconds. */
const tokenTrustMs = 3_000;
const maxRemembered = 20_000;

/** Finds the owner of a token by its hash, and remembers it for a moment. */
export const createTokenLookup = <Owner extends object>(
  prefix: string,
  find: (hash: Buffer) => Promise<Owner | undefined>,
  now: () => number = Date.now,
): ((token: string) => Promise<Owner | undefined>) => {
  const pattern = new RegExp(`^${prefix}[0-9A-Za-z]{${randomCharacters}}$`);
  const trusted = new LRUCache<string, Owner>({
    max: maxRemembered,
    ttl: tokenTrustMs,
    ttlResolution: 0,
    perf: { now },
  });
  return async (token) => {
    if (!pattern.test(token)) return undefined;
    const hash = hashOf(token);
    // Cached by hash: the process keeps no token in memory longer than a request.
    const key = hash.toString("latin1");
    const known = trusted.get(key);
    if (known) return known;
    const askedAt = now();
    const owner = await find(hash);
    // The TTL starts before the query: a revocation during the query takes effect in time.
    if (owner) trusted.set(key, owner, { start: askedAt });
    else trusted.delete(key);
    return owner;
  };
};
