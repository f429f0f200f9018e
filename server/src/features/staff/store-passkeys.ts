import type { Database } from "../../platform/db.ts";
import type { StaffMember } from "./staff.ts";
import { toStaff } from "./store.ts";

export interface Passkey {
  readonly id: string;
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly counter: number;
}

export const insertPasskey = async (db: Database, staffId: string, passkey: Passkey): Promise<void> => {
  const { id, publicKey, counter } = passkey;
  await db.sql
    .insertInto("staffPasskeys")
    .values({ id, staffId, publicKey: Buffer.from(publicKey), counter: String(counter) })
    .execute();
};

export const findPasskey = async (
  db: Database,
  id: string,
): Promise<{ readonly person: StaffMember; readonly credential: Passkey } | undefined> => {
  const row = await db.sql
    .selectFrom("staffPasskeys as k")
    .innerJoin("staff as s", "s.id", "k.staffId")
    .selectAll("s")
    .select(["k.publicKey", "k.counter"])
    .where("k.id", "=", id)
    .executeTakeFirst();
  if (!row) return undefined;
  const { publicKey, counter, ...person } = row;
  return {
    person: toStaff(person),
    credential: { id, publicKey: new Uint8Array(publicKey), counter: Number(counter) },
  };
};

export const deletePasskeys = async (db: Database, staffId: string): Promise<void> => {
  await db.sql.deleteFrom("staffPasskeys").where("staffId", "=", staffId).execute();
};

/** Accepts the answer to a challenge, once: none that was made before the last one that this passkey answered. */
export const spendChallenge = async (
  db: Database,
  id: string,
  madeAtMs: number,
  counter: number,
): Promise<boolean> => {
  const spent = await db.sql
    .updateTable("staffPasskeys")
    .set({ challengeMs: String(madeAtMs), counter: String(counter) })
    .where("id", "=", id)
    .where("challengeMs", "<", String(madeAtMs))
    .executeTakeFirst();
  return spent.numUpdatedRows > 0n;
};
