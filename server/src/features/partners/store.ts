import type { Selectable } from "kysely";
import type { Database } from "../../platform/db.ts";
import type { ApiTokens, Partners } from "../../platform/schema.ts";
import type { ApiToken, Partner, PartnerSettings } from "./partner.ts";

const toPartner = (row: Selectable<Partners>): Partner => ({
  ...row,
  defaultFamily: row.defaultFamily as Partner["defaultFamily"],
  payer: row.payer as Partner["payer"],
  branding: row.branding as Partner["branding"],
});

const toRow = ({ branding, allowedSourceTools, ...rest }: Partial<PartnerSettings>) => ({
  ...rest,
  ...(branding && { branding: JSON.stringify(branding) }),
  ...(allowedSourceTools !== undefined && {
    allowedSourceTools: allowedSourceTools === null ? null : [...allowedSourceTools],
  }),
});

const toToken = ({ hash: _, ...row }: Selectable<ApiTokens>): ApiToken => row;

export const insertPartner = async (db: Database, id: string, settings: PartnerSettings): Promise<Partner> =>
  toPartner(
    await db.sql
      .insertInto("partners")
      .values({ id, ...settings, ...toRow(settings) } as never)
      .returningAll()
      .executeTakeFirstOrThrow(),
  );

export const updatePartner = async (
  db: Database,
  id: string,
  settings: Partial<PartnerSettings>,
): Promise<Partner | undefined> => {
  if (Object.keys(settings).length === 0) return findPartner(db, id);
  const row = await db.sql
    .updateTable("partners")
    .set(toRow(settings))
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  return row && toPartner(row);
};

export const findPartner = async (db: Database, id: string): Promise<Partner | undefined> => {
  const row = await db.sql.selectFrom("partners").selectAll().where("id", "=", id).executeTakeFirst();
  return row && toPartner(row);
};

/** Holds the row until the transaction ends: settings are checked together and written as a whole. New imports go on. */
export const holdPartner = async (db: Database, id: string): Promise<Partner | undefined> => {
  const row = await db.sql
    .selectFrom("partners")
    .selectAll()
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row && toPartner(row);
};

/** Oldest first, a page after `after`. */
export const listPartners = async (
  db: Database,
  { after = "", limit }: { after?: string | undefined; limit: number },
): Promise<readonly Partner[]> =>
  (
    await db.sql
      .selectFrom("partners")
      .selectAll()
      .where("id", ">", after)
      .orderBy("id")
      .limit(limit)
      .execute()
  ).map(toPartner);

export const setSuspended = async (
  db: Database,
  id: string,
  suspended: boolean,
): Promise<Partner | undefined> => {
  const row = await db.sql
    .updateTable("partners")
    .set((eb) => ({ suspendedAt: suspended ? eb.fn.coalesce("suspendedAt", eb.fn<Date>("now")) : null }))
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  return row && toPartner(row);
};

export const insertToken = async (
  db: Database,
  token: { id: string; partnerId: string; hash: Buffer; label: string; lastCharacters: string },
): Promise<ApiToken> =>
  toToken(await db.sql.insertInto("apiTokens").values(token).returningAll().executeTakeFirstOrThrow());

export const listTokens = async (db: Database, partnerId: string): Promise<readonly ApiToken[]> =>
  (
    await db.sql
      .selectFrom("apiTokens")
      .selectAll()
      .where("partnerId", "=", partnerId)
      .orderBy("id")
      .execute()
  ).map(toToken);

export const revokeToken = async (db: Database, id: string): Promise<ApiToken | undefined> => {
  const row = await db.sql
    .updateTable("apiTokens")
    .set((eb) => ({ revokedAt: eb.fn.coalesce("revokedAt", eb.fn<Date>("now")) }))
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  return row && toToken(row);
};
