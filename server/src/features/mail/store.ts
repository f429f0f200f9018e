import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Database, Transaction } from "../../platform/db.ts";
import type { Sealer } from "../../platform/seal.ts";
import { Secret } from "../../platform/secret.ts";
import { revokeMailedLinks } from "../links/index.ts";
import { purgeMail } from "../mail-outbox/index.ts";
import type { MailAddress } from "./address.ts";

const field = "mail-address";

interface Row {
  readonly importId: string;
  readonly dataKey: Buffer;
  readonly sealed: Buffer;
  readonly language: string;
}

const open = (sealer: Sealer, { importId, dataKey, sealed, language }: Row): MailAddress => {
  const kept = JSON.parse(sealer.open(importId, dataKey, field, sealed).reveal()) as {
    email: string;
    stopKey: string;
  };
  return { email: new Secret(kept.email), stopKey: new Secret(kept.stopKey), language, sealed };
};

const rowOf = (on: Pick<Transaction, "selectFrom">, importId: string) =>
  on
    .selectFrom("mailAddresses as m")
    .innerJoin("imports as i", "i.id", "m.importId")
    .select(["m.importId", "i.dataKey", "m.sealed", "m.language"])
    .where("m.importId", "=", importId)
    .executeTakeFirst();

export const findAddress = async (
  db: Database,
  sealer: Sealer,
  importId: string,
): Promise<MailAddress | undefined> => {
  const row = await rowOf(db.sql, importId);
  return row && open(sealer, row);
};

export interface AddressToSave {
  readonly importId: string;
  readonly email: string;
  readonly language: string;
  /** The customer's own session, whose link stays when a former address loses its links. */
  readonly session?: string | null;
}

/** Takes the same lock as the import's transitions: no address is saved after the purge that removes it. */
const lockOpen = (tx: Transaction, importId: string) =>
  tx
    .selectFrom("imports")
    .select("dataKey")
    .where("id", "=", importId)
    .where("closed", "is", null)
    .forUpdate()
    .executeTakeFirst();

/**
 * Saves or replaces the address. `changed`: it replaced another one, and the links mailed to that one are revoked;
 * `missing`: no open import.
 */
export const saveAddress = (
  db: Database,
  sealer: Sealer,
  { importId, email, language, session = null }: AddressToSave,
): Promise<"saved" | "changed" | "missing"> =>
  db.sql.transaction().execute(async (tx) => {
    const found = await lockOpen(tx, importId);
    if (!found) return "missing";
    const row = await rowOf(tx, importId);
    const before = row && open(sealer, row);
    const same = before?.email.reveal() === email;
    // A new address gets a new key: the recipient at the old address can't stop these mails.
    const stopKey = same ? before.stopKey.reveal() : randomBytes(16).toString("hex");
    const kept = new Secret(JSON.stringify({ email, stopKey }));
    const sealed = sealer.seal(importId, found.dataKey, field, kept);
    await tx
      .insertInto("mailAddresses")
      .values({ importId, sealed, language })
      .onConflict((conflict) => conflict.column("importId").doUpdateSet({ sealed, language }))
      .execute();
    if (!before || same) return "saved";
    await revokeMailedLinks(tx, importId, session);
    return "changed";
  });

/** Deletes the address and the unsent mails, and revokes the mailed links except the one of this session. */
export const removeAddress = (db: Database, importId: string, session: string | null = null): Promise<void> =>
  db.sql.transaction().execute(async (tx) => {
    await lockOpen(tx, importId);
    const row = await rowOf(tx, importId);
    if (!row) return;
    await purgeMail(tx, importId);
    await revokeMailedLinks(tx, importId, session);
  });

/** Stops the mails for a recipient without a session. False: the key is wrong or no longer valid. */
export const stopByKey = (db: Database, sealer: Sealer, importId: string, key: string): Promise<boolean> =>
  db.sql.transaction().execute(async (tx) => {
    await lockOpen(tx, importId);
    const row = await rowOf(tx, importId);
    if (!row) return false;
    const given = Buffer.from(key);
    const kept = Buffer.from(open(sealer, row).stopKey.reveal());
    if (given.length !== kept.length || !timingSafeEqual(given, kept)) return false;
    await purgeMail(tx, importId);
    return true;
  });
