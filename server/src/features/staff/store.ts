import { type Selectable, sql } from "kysely";
import type { Database } from "../../platform/db.ts";
import type { Staff, StaffTokens } from "../../platform/schema.ts";
import type { NewStaff, Role, StaffMember, StaffSession, StaffToken } from "./staff.ts";
import { revokeSessions } from "./store-sessions.ts";

export const toStaff = ({ oidcIssuer: _, oidcSubject: __, ...row }: Selectable<Staff>): StaffMember => ({
  ...row,
  role: row.role as StaffMember["role"],
});

const toToken = ({ hash: _, ...row }: Selectable<StaffTokens>): StaffToken => ({
  ...row,
  role: row.role as StaffToken["role"],
  areas: row.areas as StaffToken["areas"],
});

type NewPerson = Pick<NewStaff, "name" | "email" | "role"> & Partial<NewStaff>;

/** Undefined: another person has this email address. */
export const insertStaff = async (
  db: Database,
  id: string,
  { partner_id: partnerId = null, break_glass: breakGlass = false, ...person }: NewPerson,
): Promise<StaffMember | undefined> => {
  const row = await db.sql
    .insertInto("staff")
    .values({ id, ...person, partnerId, breakGlass })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  return row && toStaff(row);
};

export const findStaff = async (db: Database, id: string): Promise<StaffMember | undefined> => {
  const row = await db.sql.selectFrom("staff").selectAll().where("id", "=", id).executeTakeFirst();
  return row && toStaff(row);
};

/** Holds the row until the transaction ends. Sign-ins go on. */
export const holdStaff = async (db: Database, id: string): Promise<StaffMember | undefined> => {
  const row = await db.sql
    .selectFrom("staff")
    .selectAll()
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row && toStaff(row);
};

/** Oldest first, a page after `after`. */
export const listStaff = async (
  db: Database,
  { after = "", limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<readonly StaffMember[]> =>
  (
    await db.sql.selectFrom("staff").selectAll().where("id", ">", after).orderBy("id").limit(limit).execute()
  ).map(toStaff);

/** A disabled person's tokens and sessions stop working; enabled again, tokens that have not expired work again. */
export const setStaffDisabled = async (
  db: Database,
  id: string,
  disabled: boolean,
): Promise<StaffMember | undefined> => {
  const row = await db.sql
    .updateTable("staff")
    .set((eb) => ({ disabledAt: disabled ? eb.fn.coalesce("disabledAt", eb.fn<Date>("now")) : null }))
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  if (disabled) await revokeSessions(db, id);
  return row && toStaff(row);
};

export const setStaffRole = async (
  db: Database,
  id: string,
  role: StaffMember["role"],
): Promise<StaffMember | undefined> => {
  const row = await db.sql
    .updateTable("staff")
    .set({ role })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  return row && toStaff(row);
};

export const insertStaffToken = async (
  db: Database,
  {
    days,
    areas,
    ...token
  }: Omit<StaffToken, "createdAt" | "expiresAt" | "revokedAt"> & {
    readonly hash: Buffer;
    readonly days: number;
  },
): Promise<StaffToken> =>
  toToken(
    await db.sql
      .insertInto("staffTokens")
      .values({
        ...token,
        areas: areas && [...areas],
        expiresAt: sql<Date>`now() + ${days} * interval '1 day'`,
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  );

export const listStaffTokens = async (db: Database, staffId: string): Promise<readonly StaffToken[]> =>
  (
    await db.sql.selectFrom("staffTokens").selectAll().where("staffId", "=", staffId).orderBy("id").execute()
  ).map(toToken);

export const findStaffToken = async (db: Database, id: string): Promise<StaffToken | undefined> => {
  const row = await db.sql.selectFrom("staffTokens").selectAll().where("id", "=", id).executeTakeFirst();
  return row && toToken(row);
};

export const revokeStaffToken = async (db: Database, id: string): Promise<StaffToken | undefined> => {
  const row = await db.sql
    .updateTable("staffTokens")
    .set((eb) => ({ revokedAt: eb.fn.coalesce("revokedAt", eb.fn<Date>("now")) }))
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  return row && toToken(row);
};

/** The person of a live token, with the roles of both. */
export const findByStaffTokenHash = async (
  db: Database,
  hash: Buffer,
): Promise<
  | (Pick<StaffSession, "staffId" | "name" | "areas" | "tokenId"> & Record<"personRole" | "tokenRole", Role>)
  | undefined
> => {
  const row = await db.sql
    .selectFrom("staffTokens as t")
    .innerJoin("staff as s", "s.id", "t.staffId")
    .select([
      "s.id as staffId",
      "s.name",
      "s.role as personRole",
      "t.role as tokenRole",
      "t.areas",
      "t.id as tokenId",
    ])
    .where("t.hash", "=", hash)
    .where("t.revokedAt", "is", null)
    .where("t.expiresAt", ">", sql<Date>`now()`)
    .where("s.disabledAt", "is", null)
    // People of partners have the partner API's tokens.
    .where("s.role", "<>", "partner")
    .executeTakeFirst();
  return row as Awaited<ReturnType<typeof findByStaffTokenHash>>;
};
