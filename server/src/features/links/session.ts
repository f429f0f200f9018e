import { createHash, createHmac, randomBytes } from "node:crypto";
import type { Database } from "../../platform/db.ts";
import { Secret } from "../../platform/secret.ts";
import { type May, mayBy } from "./link.ts";
import type { KeptLink } from "./store.ts";
import { findCustomerSession, insertCustomerSession, prolongCustomerSession } from "./store-sessions.ts";

/** A session ends after `idleMs` without a request, and after `longestSessionMs` in any case. */
const idleMs = 12 * 3_600_000;
export const longestSessionMs = 30 * 24 * 3_600_000;
/** A session's end moves at most this often: the wizard must not cause a write per request. */
const prolongEveryMs = 3_600_000;
/** Beyond this number of sessions of one import, the oldest end. */
const maxPerImport = 50;

const keyPattern = /^[\w-]{43}$/;

export interface Session {
  /** Identifies the session within this process and its stores; it is no credential. */
  readonly hash: string;
  readonly may: May;
  /** The token that a changing request must carry and no other site can know; bound to this session. */
  readonly csrf: string;
}

const hashOf = (key: string) => createHash("sha256").update(key).digest();

/** Keyed by the cookie's own random bytes: the result does not reveal the cookie. */
const csrfOf = (key: string, importId: string) =>
  createHmac("sha256", key).update(`portage csrf ${importId}`).digest("base64url");

export interface SessionToOpen {
  readonly importId: string;
  /** The mark of the import's own link when the caller checked the token. */
  readonly linkMark: string;
  /** Null: opened by the import's own link. */
  readonly link: KeptLink | null;
}

/** Opens a new session under a new key. Undefined: the link was replaced or revoked meanwhile. */
export const openCustomerSession = async (
  db: Database,
  wanted: SessionToOpen,
): Promise<Secret | undefined> => {
  const key = randomBytes(32).toString("base64url");
  const inserted = await insertCustomerSession(db, {
    importId: wanted.importId,
    linkMark: wanted.linkMark,
    linkId: wanted.link?.id ?? null,
    keyHash: hashOf(key),
    idleMs,
    longestMs: longestSessionMs,
    most: maxPerImport,
  });
  return inserted ? new Secret(key) : undefined;
};

/** Finds the session of a cookie: live, of this import, and opened by a link that is still valid. */
export const findSession = async (
  db: Database,
  importId: string,
  key: string,
): Promise<Session | undefined> => {
  if (!keyPattern.test(key)) return undefined;
  const hash = hashOf(key);
  const found = await findCustomerSession(db, importId, hash);
  if (!found) return undefined;
  if (found.leftMs < idleMs - prolongEveryMs && found.mayGrow) await prolongCustomerSession(db, hash, idleMs);
  return { hash: hash.toString("hex"), may: mayBy(found.link), csrf: csrfOf(key, importId) };
};
