import { sql } from "kysely";
import type { Database } from "../../platform/db.ts";
import type { Role, StaffMember } from "./staff.ts";
import { toStaff } from "./store.ts";

export const findByOidc = async (
  db: Database,
  issuer: string,
  subject: string,
): Promise<StaffMember | undefined> => {
  const row = await db.sql
    .selectFrom("staff")
    .selectAll()
    .where("oidcIssuer", "=", issuer)
    .where("oidcSubject", "=", subject)
    .executeTakeFirst();
  return row && toStaff(row);
};

export const findByEmail = async (db: Database, email: string): Promise<StaffMember | undefined> => {
  const row = await db.sql
    .selectFrom("staff")
    .selectAll()
    .where(sql`lower(email)`, "=", email.toLowerCase())
    .executeTakeFirst();
  return row && toStaff(row);
};

/** Undefined: this identity or this email address has an account. */
export const insertOidcStaff = async (
  db: Database,
  id: string,
  {
    name,
    email,
    role,
    issuer,
    subject,
  }: Record<"name" | "email" | "issuer" | "subject", string> & {
    readonly role: Role;
  },
): Promise<StaffMember | undefined> => {
  const row = await db.sql
    .insertInto("staff")
    .values({ id, name, email, role, oidcIssuer: issuer, oidcSubject: subject })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  return row && toStaff(row);
};

/** False: the account has another identity. */
export const linkOidc = async (
  db: Database,
  id: string,
  { issuer, subject }: { readonly issuer: string; readonly subject: string },
): Promise<boolean> => {
  const linked = await db.sql
    .updateTable("staff")
    .set({ oidcIssuer: issuer, oidcSubject: subject })
    .where("id", "=", id)
    .where("oidcSubject", "is", null)
    .executeTakeFirst();
  return linked.numUpdatedRows > 0n;
};

export const setNameAndRole = async (
  db: Database,
  id: string,
  { name, role }: { readonly name: string; readonly role: Role },
): Promise<StaffMember> =>
  toStaff(
    await db.sql
      .updateTable("staff")
      .set({ name, role })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow(),
  );

export const revokeStaffTokens = async (db: Database, staffId: string): Promise<void> => {
  await db.sql
    .updateTable("staffTokens")
    .set({ revokedAt: sql<Date>`now()` })
    .where("staffId", "=", staffId)
    .where("revokedAt", "is", null)
    .execute();
};
