import { sql } from "kysely";
import type { Database } from "../../platform/db.ts";
import type { Logo } from "./logo.ts";

/** Replaces a partner's logo; null removes it. */
export const saveLogo = async (db: Database, partnerId: string, logo: Logo | null): Promise<void> => {
  if (logo === null) {
    await db.sql.deleteFrom("partnerLogos").where("partnerId", "=", partnerId).execute();
    return;
  }
  const columns = { contentType: logo.contentType, bytes: logo.bytes, updatedAt: new Date() };
  await db.sql
    .insertInto("partnerLogos")
    .values({ partnerId, ...columns })
    .onConflict((conflict) => conflict.column("partnerId").doUpdateSet(columns))
    .execute();
};

export const findLogo = async (db: Database, partnerId: string): Promise<Logo | undefined> => {
  const row = await db.sql
    .selectFrom("partnerLogos")
    .select(["contentType", "bytes"])
    .where("partnerId", "=", partnerId)
    .executeTakeFirst();
  return row && { contentType: row.contentType as Logo["contentType"], bytes: row.bytes };
};

/** SHA-256 of the logo, in hex; null: there is none. */
export const findLogoDigest = async (db: Database, partnerId: string): Promise<string | null> => {
  const row = await db.sql
    .selectFrom("partnerLogos")
    .select(sql<string>`encode(sha256(bytes), 'hex')`.as("digest"))
    .where("partnerId", "=", partnerId)
    .executeTakeFirst();
  return row?.digest ?? null;
};

export const hasLogo = async (db: Database, partnerId: string): Promise<boolean> =>
  (await db.sql
    .selectFrom("partnerLogos")
    .select("partnerId")
    .where("partnerId", "=", partnerId)
    .executeTakeFirst()) !== undefined;
