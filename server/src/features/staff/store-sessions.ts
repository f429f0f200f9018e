import { type Selectable, sql } from "kysely";
import type { Database } from "../../platform/db.ts";
import type { StaffSessions } from "../../platform/schema.ts";
import type { AccountRole, BrowserSession, SignInMethod } from "./staff.ts";

/** A session ends after this long without a call, and after `longestHours` in any case. */
const idleMinutes = 60;
export const longestHours = 12;
/** A session's end moves at most this often: reads must not cause a write each. */
const prolongEveryMinutes = 1;
const endedKeptDays = 30;

const idleEnd = sql<Date>`now() + ${idleMinutes} * interval '1 minute'`;

const toSession = ({ hash: _, ...row }: Selectable<StaffSessions>): BrowserSession => ({
  ...row,
  signedInBy: row.signedInBy as SignInMethod,
});

export const insertStaffSession = async (
  db: Database,
  session: Pick<BrowserSession, "id" | "staffId" | "signedInBy" | "address"> & { readonly hash: Buffer },
): Promise<BrowserSession> =>
  toSession(
    await db.sql
      .insertInto("staffSessions")
      .values({
        ...session,
        expiresAt: sql<Date>`now() + ${longestHours} * interval '1 hour'`,
        idleAt: idleEnd,
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  );

export interface LiveStaffSession {
  readonly sessionId: string;
  readonly staffId: string;
  readonly name: string;
  readonly role: AccountRole;
  readonly partnerId: string | null;
  readonly prolongs: boolean;
}

/** The person of a live session, as they are now. */
export const findBySessionHash = async (
  db: Database,
  hash: Buffer,
): Promise<LiveStaffSession | undefined> => {
  const row = await db.sql
    .selectFrom("staffSessions as b")
    .innerJoin("staff as s", "s.id", "b.staffId")
    .leftJoin("partners as p", "p.id", "s.partnerId")
    .select(["b.id as sessionId", "b.staffId", "s.name", "s.role", "s.partnerId"])
    .select(
      sql<boolean>`b.idle_at < now() + ${idleMinutes - prolongEveryMinutes} * interval '1 minute'`.as(
        "prolongs",
      ),
    )
    .where("b.hash", "=", hash)
    .where("b.revokedAt", "is", null)
    .where("b.expiresAt", ">", sql<Date>`now()`)
    .where("b.idleAt", ">", sql<Date>`now()`)
    .where("s.disabledAt", "is", null)
    // People of a suspended partner wait with its tokens.
    .where("p.suspendedAt", "is", null)
    .executeTakeFirst();
  return row as LiveStaffSession | undefined;
};

export const prolongStaffSession = async (db: Database, id: string): Promise<void> => {
  await db.sql.updateTable("staffSessions").set({ idleAt: idleEnd }).where("id", "=", id).execute();
};

export const findSessionById = async (db: Database, id: string): Promise<BrowserSession | undefined> => {
  const row = await db.sql.selectFrom("staffSessions").selectAll().where("id", "=", id).executeTakeFirst();
  return row && toSession(row);
};

/** Newest first, ended ones included as long as they are kept. */
export const listSessions = async (db: Database, staffId: string): Promise<readonly BrowserSession[]> =>
  (
    await db.sql
      .selectFrom("staffSessions")
      .selectAll()
      .where("staffId", "=", staffId)
      .orderBy("id", "desc")
      .limit(200)
      .execute()
  ).map(toSession);

/** Ends a person's sessions, or one of them; returns how many were live. */
export const revokeSessions = async (db: Database, staffId: string, id?: string): Promise<number> => {
  let update = db.sql
    .updateTable("staffSessions")
    .set({ revokedAt: sql<Date>`now()` })
    .where("staffId", "=", staffId)
    .where("revokedAt", "is", null)
    .where("expiresAt", ">", sql<Date>`now()`)
    .where("idleAt", ">", sql<Date>`now()`);
  if (id !== undefined) update = update.where("id", "=", id);
  return Number((await update.executeTakeFirst()).numUpdatedRows);
};

export const deleteOldStaffSessions = async (db: Database): Promise<number> => {
  const deleted = await db.sql
    .deleteFrom("staffSessions")
    .where("expiresAt", "<", sql<Date>`now() - ${endedKeptDays} * interval '1 day'`)
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
};
