import type { Database, Transaction } from "../../platform/db.ts";
import type { SealedColumn } from "../../platform/sealed-column.ts";

/** A claim outlasts the longest request, so that no other process takes over from one that still works. */
const claimSeconds = 15;
export const keptHours = 24;

/** The context that an answer is sealed with. */
export const answerOf = (partnerId: string, key: string): string => `idempotency:${partnerId}:${key}`;

export const keptAnswers: SealedColumn = {
  what: "answers to idempotency keys",
  table: "idempotency_keys",
  column: "answer",
  key: ["partner_id", "key"],
  about: ([partnerId = "", key = ""]) => answerOf(partnerId, key),
};

export interface IdempotencyRecord {
  readonly fingerprint: Buffer;
  readonly answer: Buffer | null;
}

/** Claims the key if it is free, expired, or abandoned by a process that died. */
export const claimKey = async (
  db: Database,
  wanted: { partnerId: string; key: string; fingerprint: Buffer; claim: string },
): Promise<boolean> => {
  const { rowCount } = await db.pool.query(
    `insert into idempotency_keys as kept (partner_id, key, fingerprint, claim, claimed_until)
     values ($1, $2, $3, $4, now() + make_interval(secs => $5))
     on conflict (partner_id, key) do update
       set fingerprint = excluded.fingerprint, claim = excluded.claim, claimed_until = excluded.claimed_until,
           answer = null, created_at = now()
       where (kept.answer is null and kept.claimed_until < now())
          or kept.created_at < now() - make_interval(hours => $6)`,
    [wanted.partnerId, wanted.key, wanted.fingerprint, wanted.claim, claimSeconds, keptHours],
  );
  return rowCount === 1;
};

export const findKey = async (
  db: Database,
  partnerId: string,
  key: string,
): Promise<IdempotencyRecord | undefined> =>
  db.sql
    .selectFrom("idempotencyKeys")
    .select(["fingerprint", "answer"])
    .where("partnerId", "=", partnerId)
    .where("key", "=", key)
    .executeTakeFirst();

/** Stores the answer in the transaction of the work. False: the claim is lost, and the work must not commit. */
export const keepAnswer = async (
  tx: Transaction,
  kept: { partnerId: string; key: string; claim: string; answer: Buffer },
): Promise<boolean> => {
  const result = await tx
    .updateTable("idempotencyKeys")
    .set({ answer: kept.answer })
    .where("partnerId", "=", kept.partnerId)
    .where("key", "=", kept.key)
    .where("claim", "=", kept.claim)
    .where("answer", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
};

export const releaseKey = async (
  db: Database,
  partnerId: string,
  key: string,
  claim: string,
): Promise<void> => {
  await db.sql
    .deleteFrom("idempotencyKeys")
    .where("partnerId", "=", partnerId)
    .where("key", "=", key)
    .where("claim", "=", claim)
    .where("answer", "is", null)
    .execute();
};

export const deleteOldKeys = async (db: Database): Promise<number> => {
  const { rowCount } = await db.pool.query(
    "delete from idempotency_keys where created_at < now() - make_interval(hours => $1)",
    [keptHours],
  );
  return rowCount ?? 0;
};
