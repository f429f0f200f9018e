import type { Database } from "./db.ts";
import { NotReadyError } from "./not-ready-error.ts";
import { SealError, type Sealer } from "./seal.ts";
import { Secret } from "./secret.ts";

const about = (keyId: string) => `key-check:${keyId}`;

/** Stores a value that only the current key opens, unless there is one. */
export const recordCurrentKey = async (db: Database, sealer: Sealer): Promise<void> => {
  const keyId = sealer.currentKey;
  const sealed = sealer.sealAlone(about(keyId), new Secret(keyId));
  await db.sql
    .insertInto("keyChecks")
    .values({ keyId, sealed })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** Throws unless the ring has every key that values may be sealed with, and none of another content under the same id. */
export const requireKeys = async (db: Database, sealer: Sealer): Promise<void> => {
  for (const { keyId, sealed } of await db.sql.selectFrom("keyChecks").selectAll().execute()) {
    if (!sealer.keys.includes(keyId))
      throw new NotReadyError(
        `PORTAGE_KEYS lacks the key "${keyId}", which values may be sealed with: add it, then run "portage keys rotate".`,
      );
    try {
      sealer.openAlone(about(keyId), sealed);
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      throw new NotReadyError(
        `PORTAGE_KEYS has another key "${keyId}" than the one that sealed values: put that one back, and give the new one an id of its own.`,
      );
    }
  }
};

/**
 * Throws if a rotation has let go of this process's key: what the process seals now is lost once that key is taken out. A
 * process records its key before it calls this.
 */
export const requireCurrentKey = async (db: Database, { currentKey }: Sealer): Promise<void> => {
  const recorded = await db.sql.selectFrom("keyChecks").select("keyId").execute();
  if (!recorded.some(({ keyId }) => keyId === currentKey))
    throw new NotReadyError(
      `This process encrypts with the key "${currentKey}", which a rotation has let go, or which a restored database does not know: restart it with the newest key first, then run "portage keys rotate".`,
    );
};

/** After a rotation: nothing is sealed with other keys any more. */
export const forgetOtherKeys = async (db: Database, sealer: Sealer): Promise<void> => {
  await db.sql.deleteFrom("keyChecks").where("keyId", "<>", sealer.currentKey).execute();
};
