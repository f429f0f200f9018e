import { requireWritable } from "../platform/database-hosts.ts";
import type { Database } from "../platform/db.ts";
import { requireCurrentKey, requireKeys, recordCurrentKey } from "../platform/key-checks.ts";
import type { Sealer } from "../platform/seal.ts";

/** Throws unless this process can do its work: the database accepts writes, and the keys open what is stored. */
export const createReadiness = (db: Database, sealer: Sealer): (() => Promise<void>) => {
  // Once per process: a process that is about to end must not bring back a key that a rotation has replaced.
  let isRecorded = false;
  return async () => {
    await requireWritable(db.pool);
    if (!isRecorded) await recordCurrentKey(db, sealer);
    isRecorded = true;
    await requireCurrentKey(db, sealer);
    await requireKeys(db, sealer);
  };
};
