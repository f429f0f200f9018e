import { sql } from "kysely";
import type { Database } from "../../platform/db.ts";
import type { SealedColumn } from "../../platform/sealed-column.ts";
import type { Sealer } from "../../platform/seal.ts";
import { Secret } from "../../platform/secret.ts";
import { toStaff } from "./store.ts";
import type { StaffMember } from "./staff.ts";

// The person is part of it: a row that moves to another person does not open.
const sealedAs = (staffId: string) => `staff-totp:${staffId}`;
const sealedInvitation = (staffId: string) => `staff-invitation:${staffId}`;

export const totpSecrets: readonly SealedColumn[] = [
  {
    what: "secrets of the staff's authenticator apps",
    table: "staff_passwords",
    column: "totp_secret",
    key: ["staff_id"],
    about: ([staffId = ""]) => sealedAs(staffId),
  },
  {
    what: "secrets of the staff's open invitations",
    table: "staff_invitations",
    column: "totp_secret",
    key: ["staff_id"],
    about: ([staffId = ""]) => sealedInvitation(staffId),
  },
];

export const invitationHours = 24;

/** Replaces the person's open invitation, if there is one. */
export const saveInvitation = async (
  db: Database,
  sealer: Sealer,
  { staffId, hash, totpSecret }: { staffId: string; hash: Buffer; totpSecret: string },
): Promise<Date> => {
  const row = {
    hash,
    totpSecret: sealer.sealAlone(sealedInvitation(staffId), new Secret(totpSecret)),
    expiresAt: sql<Date>`now() + ${invitationHours} * interval '1 hour'`,
  };
  const { expiresAt } = await db.sql
    .insertInto("staffInvitations")
    .values({ staffId, ...row })
    .onConflict((conflict) => conflict.column("staffId").doUpdateSet(row))
    .returning("expiresAt")
    .executeTakeFirstOrThrow();
  return expiresAt;
};

export interface OpenInvitation {
  readonly person: StaffMember;
  readonly totpSecret: string;
}

/** An open invitation of a person who is not disabled. */
export const findInvitation = async (
  db: Database,
  sealer: Sealer,
  hash: Buffer,
): Promise<OpenInvitation | undefined> => {
  const row = await db.sql
    .selectFrom("staffInvitations as i")
    .innerJoin("staff as s", "s.id", "i.staffId")
    .selectAll("s")
    .select("i.totpSecret")
    .where("i.hash", "=", hash)
    .where("i.expiresAt", ">", sql<Date>`now()`)
    .where("s.disabledAt", "is", null)
    .executeTakeFirst();
  if (!row) return undefined;
  const { totpSecret, ...person } = row;
  return {
    person: toStaff(person),
    totpSecret: sealer.openAlone(sealedInvitation(row.id), totpSecret).reveal(),
  };
};

/** Uses an invitation up. False: it was used before. */
export const takeInvitation = async (db: Database, hash: Buffer): Promise<boolean> => {
  const taken = await db.sql.deleteFrom("staffInvitations").where("hash", "=", hash).executeTakeFirst();
  return taken.numDeletedRows > 0n;
};

export const deleteInvitation = async (db: Database, staffId: string): Promise<void> => {
  await db.sql.deleteFrom("staffInvitations").where("staffId", "=", staffId).execute();
};

export const deleteOldInvitations = async (db: Database): Promise<number> => {
  const deleted = await db.sql
    .deleteFrom("staffInvitations")
    .where("expiresAt", "<", sql<Date>`now()`)
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
};

/** Sets a password and its authenticator app; `step`: of the code that was shown, which is not accepted again. */
export const savePassword = async (
  db: Database,
  sealer: Sealer,
  { staffId, totpSecret, hash, step }: { staffId: string; totpSecret: string; hash: string; step: number },
): Promise<void> => {
  const row = {
    hash,
    totpSecret: sealer.sealAlone(sealedAs(staffId), new Secret(totpSecret)),
    totpStep: String(step),
    setAt: sql<Date>`now()`,
  };
  await db.sql
    .insertInto("staffPasswords")
    .values({ staffId, ...row })
    .onConflict((conflict) => conflict.column("staffId").doUpdateSet(row))
    .execute();
};

export const deletePassword = async (db: Database, staffId: string): Promise<void> => {
  await db.sql.deleteFrom("staffPasswords").where("staffId", "=", staffId).execute();
};

export interface LocalAccount {
  readonly person: StaffMember;
  readonly hash: string;
  readonly totpSecret: string;
}

/** The account with a password of this email address. */
export const findLocalAccount = async (
  db: Database,
  sealer: Sealer,
  email: string,
): Promise<LocalAccount | undefined> => {
  const row = await db.sql
    .selectFrom("staff as s")
    .innerJoin("staffPasswords as p", "p.staffId", "s.id")
    .selectAll("s")
    .select(["p.hash", "p.totpSecret"])
    .where(sql`lower(s.email)`, "=", email.toLowerCase())
    .executeTakeFirst();
  if (!row) return undefined;
  const { hash, totpSecret, ...person } = row;
  return {
    person: toStaff(person),
    hash,
    totpSecret: sealer.openAlone(sealedAs(row.id), totpSecret).reveal(),
  };
};

/** Accepts the code of a time step, once. */
export const spendTotpStep = async (db: Database, staffId: string, step: number): Promise<boolean> => {
  const spent = await db.sql
    .updateTable("staffPasswords")
    .set({ totpStep: String(step) })
    .where("staffId", "=", staffId)
    .where("totpStep", "<", String(step))
    .executeTakeFirst();
  return spent.numUpdatedRows > 0n;
};
