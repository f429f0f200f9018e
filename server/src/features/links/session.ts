import { createHash, createHmac, randomBytes } from "node:crypto";
import type { Database } from "../../platform/db.ts";
import { Secret } from "../../platform/secret.ts";
import { type May, mayBy } from "./link.ts";
import type { KeptLink } from "./store.ts";
import { findLiveSession, insertSession, prolongSession } from "./store-sessions.ts";

/** A session ends after so long without a request, and in any case after so long. */
const idleMs = 12 * 3_600_000;
export const longestSessionMs = 30 * 24 * 3_600_000;
/** Its end moves at most so often: using the wizard must not be a write per request. */
const prolongEveryMs = 3_600_000;
/** The oldest go when more devices than these have opened one import. */
const mostPerImport = 50;

const keyPattern = /^[\w-]{43}$/;

export interface Session {
  /** Names the session within this process and its stores; opens nothing. */
  readonly hash: string;
  readonly may: May;
  /** What a change must carry, and what no other site can know: bound to this session alone. */
  readonly csrf: string;
}

const hashOf = (key: string) => createHash("sha256").update(key).digest();

/** Keyed by the cookie's own random bytes: whoever knows this can't tell the cookie from it. */
const csrfOf = (key: string, importId: string) =>
  createHmac("sha256", key).update(`portage csrf ${importId}`).digest("base64url");

export interface SessionToOpen {
  readonly importId: string;
  /** Of the import's own link, as it was when the caller checked the token. */
  readonly linkMark: string;
  /** Null: came by the import's own link. */
  readonly link: KeptLink | null;
}

/** Always a new session under a new key. Undefined: the link was replaced or revoked meanwhile. */
export const openSession = async (db: Database, wanted: SessionToOpen): Promise<Secret | undefined> => {
  const key = randomBytes(32).toString("base64url");
  const inserted = await insertSession(db, {
    importId: wanted.importId,
    linkMark: wanted.linkMark,
    linkId: wanted.link?.id ?? null,
    keyHash: hashOf(key),
    idleMs,
    longestMs: longestSessionMs,
    most: mostPerImport,
  });
  return inserted ? new Secret(key) : undefined;
};

/** The session that a cookie stands for: alive, of this import, and by a link that still works. */
export const findSession = async (
  db: Database,
  importId: string,
  key: string,
): Promise<Session | undefined> => {
  if (!keyPattern.test(key)) return undefined;
  const hash = hashOf(key);
  const found = await findLiveSession(db, importId, hash);
  if (!found) return undefined;
  if (found.leftMs < idleMs - prolongEveryMs && found.mayGrow) await prolongSession(db, hash, idleMs);
  return { hash: hash.toString("hex"), may: mayBy(found.link), csrf: csrfOf(key, importId) };
};
