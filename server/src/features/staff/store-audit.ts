import { sql } from "kysely";
import type { Database } from "../../platform/db.ts";
import type { AccountRole } from "./staff.ts";

/** Who did it: a person of the staff, a user of the machine with a command on the database, a partner's API token, or one who failed to sign in. */
export type AuditActor =
  | {
      readonly kind: "staff";
      readonly staffId: string;
      readonly tokenId: string | null;
      readonly sessionId: string | null;
      readonly role: AccountRole;
    }
  | { readonly kind: "command"; readonly machineUser: string }
  | { readonly kind: "api_token"; readonly tokenId: string }
  | { readonly kind: "stranger" };

/** What a call was about; a list has no id. */
export interface AuditTarget {
  readonly kind:
    | "import"
    | "partner"
    | "token"
    | "webhook"
    | "tool"
    | "price_book"
    | "staff"
    | "staff_token"
    | "system";
  readonly id: string;
}

export interface NewAuditEntry {
  readonly actor: AuditActor;
  readonly action: string;
  readonly changes: boolean;
  readonly target: AuditTarget | null;
  readonly reason: string | null;
  readonly requestId: string;
  readonly idempotencyKey: string | null;
  /** "done", or the code of the error. */
  readonly outcome: string;
  /** Of a change. Never data of customers: the log outlives an erasure. */
  readonly before?: object | null;
  readonly after?: object | null;
}

export interface AuditEntry {
  readonly seq: number;
  readonly at: Date;
  readonly staffId: string | null;
  readonly staffName: string | null;
  readonly tokenId: string | null;
  readonly sessionId: string | null;
  readonly machineUser: string | null;
  readonly role: AccountRole | null;
  readonly action: string;
  readonly changes: boolean;
  readonly target: AuditTarget["kind"] | null;
  readonly targetId: string | null;
  readonly reason: string | null;
  readonly requestId: string;
  readonly outcome: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Whether a partner did it with an API token. */
export const isByApiToken = ({ role, staffId }: Pick<AuditEntry, "role" | "staffId">): boolean =>
  role === "partner" && staffId === null;

const json = (value: object | null | undefined) => (value ? JSON.stringify(value) : null);

const actorColumns = (actor: AuditActor) => {
  if (actor.kind === "stranger") return {};
  if (actor.kind === "api_token") return { role: "partner" };
  if (actor.kind === "command") return { machineUser: actor.machineUser };
  const { staffId, tokenId, sessionId, role } = actor;
  return { staffId, tokenId, sessionId, role };
};

/** Appends an entry. With the change, in its transaction: after it, as an import's lock must come before any write. */
export const appendAudit = async (db: Database, entry: NewAuditEntry): Promise<void> => {
  const { actor, target } = entry;
  await db.sql
    .insertInto("staffAudit")
    .values({
      ...actorColumns(actor),
      action: entry.action,
      changes: entry.changes,
      target: target?.kind ?? null,
      targetId: target?.id ?? null,
      reason: entry.reason,
      requestId: entry.requestId,
      idempotencyKey: entry.idempotencyKey,
      outcome: entry.outcome,
      before: json(entry.before),
      // `token_id` is of the tokens of the staff.
      after: json(actor.kind === "api_token" ? { ...entry.after, api_token: actor.tokenId } : entry.after),
    })
    .execute();
};

/** The request that made a change with this key. */
export const findByIdempotencyKey = async (
  db: Database,
  staffId: string,
  key: string,
): Promise<{ readonly requestId: string; readonly at: Date } | undefined> =>
  db.sql
    .selectFrom("staffAudit")
    .select(["requestId", "at"])
    .where("staffId", "=", staffId)
    .where("idempotencyKey", "=", key)
    .where("outcome", "=", "done")
    .executeTakeFirst();

/** Whether an error is the second change with one key. */
export const isRepeatedKey = (error: unknown): boolean =>
  error instanceof Error && "constraint" in error && error.constraint === "staff_audit_once_key";

export interface AuditQuery {
  readonly staffId?: string | undefined;
  readonly action?: string | undefined;
  readonly targetId?: string | undefined;
  /** Only changes. */
  readonly changes?: boolean | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  /** Entries older than this one. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** The action of a sign-in of an account for emergencies. */
export const breakGlassSignIn = "breakGlassSignIn";

/** An entry has the time of its transaction's start and a number of its end: longer than any of ours may last. */
const longestTransaction = sql`interval '10 minutes'`;

/** The number of an entry beside a period, found by its time: without it, a page of long ago would read all entries since. */
const seqBeside = (side: "before" | "after", at: Date) =>
  side === "before"
    ? sql<string>`coalesce((select b.seq from staff_audit b where b.at < ${at}::timestamptz - ${longestTransaction}
        order by b.at desc limit 1), 0)`
    : sql<string>`coalesce((select b.seq from staff_audit b where b.at > ${at}::timestamptz + ${longestTransaction}
        order by b.at limit 1), 9223372036854775807)`;

/** Newest first. */
export const listStaffAudit = async (db: Database, asked: AuditQuery): Promise<readonly AuditEntry[]> => {
  let query = db.sql
    .selectFrom("staffAudit as a")
    .select(["a.seq", "a.at", "a.staffId", "a.tokenId", "a.sessionId", "a.machineUser", "a.role"])
    .select(["a.action", "a.changes"])
    .select(["a.target", "a.targetId", "a.reason", "a.requestId", "a.outcome", "a.before", "a.after"])
    .select((eb) =>
      eb.selectFrom("staff as s").select("s.name").whereRef("s.id", "=", "a.staffId").as("staffName"),
    );
  if (asked.staffId !== undefined) query = query.where("a.staffId", "=", asked.staffId);
  if (asked.action !== undefined) query = query.where("a.action", "=", asked.action);
  if (asked.targetId !== undefined) query = query.where("a.targetId", "=", asked.targetId);
  // Not a parameter: the index of changes is chosen for this condition alone.
  if (asked.changes !== undefined) query = query.where(sql<boolean>`a.changes = ${sql.lit(asked.changes)}`);
  if (asked.since)
    query = query.where("a.at", ">=", asked.since).where("a.seq", ">", seqBeside("before", asked.since));
  if (asked.until)
    query = query.where("a.at", "<", asked.until).where("a.seq", "<", seqBeside("after", asked.until));
  if (asked.before !== undefined) query = query.where("a.seq", "<", String(asked.before));
  const rows = await query.orderBy("a.seq", "desc").limit(asked.limit).execute();
  return rows as unknown as readonly AuditEntry[];
};

/** When an account for emergencies last signed in; null: not within the log's time. */
export const lastBreakGlassSignIn = async (db: Database): Promise<Date | null> =>
  (await listStaffAudit(db, { action: breakGlassSignIn, limit: 1 }))[0]?.at ?? null;

export const auditKeptDays = 400;

export const deleteOldStaffAudit = async (db: Database): Promise<number> => {
  const deleted = await db.sql
    .deleteFrom("staffAudit")
    .where("at", "<", sql<Date>`now() - ${auditKeptDays} * interval '1 day'`)
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
};
