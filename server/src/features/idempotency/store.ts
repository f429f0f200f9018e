import { sql } from "kysely";
import type { Database, Transaction } from "../../platform/db.ts";
import type { SealedColumn } from "../../platform/sealed-column.ts";
import type { KeptRequest } from "./kept-request.ts";

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

/** The context that a request is sealed with. */
export const keyRequestContext = (partnerId: string, key: string): string =>
  `idempotency-request:${partnerId}:${key}`;

export const keptRequests: SealedColumn = {
  what: "requests with idempotency keys",
  table: "idempotency_keys",
  column: "sealed_request",
  key: ["partner_id", "key"],
  about: ([partnerId = "", key = ""]) => keyRequestContext(partnerId, key),
};

export interface IdempotencyRecord extends KeptRequest {
  readonly claim: string;
  readonly answer: Buffer | null;
}

/** Claims the key if it is free, expired, or abandoned by a process that died. */
export const claimKey = async (
  db: Database,
  {
    partnerId,
    key,
    claim,
    fingerprint,
    sealedRequest,
  }: { partnerId: string; key: string; claim: string; fingerprint: Buffer; sealedRequest: Buffer },
): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    insert into idempotency_keys as kept (partner_id, key, fingerprint, sealed_request, claim, claimed_until)
    values (${partnerId}, ${key}, ${fingerprint}, ${sealedRequest}, ${claim}, now() + make_interval(secs => ${claimSeconds}))
    on conflict (partner_id, key) do update
      set fingerprint = excluded.fingerprint, sealed_request = excluded.sealed_request, claim = excluded.claim,
          claimed_until = excluded.claimed_until, answer = null, created_at = now()
      where (kept.answer is null and kept.claimed_until < now())
         or kept.created_at < now() - make_interval(hours => ${keptHours})`.execute(db.sql);
  return numAffectedRows === 1n;
};

export const findKey = async (
  db: Database,
  partnerId: string,
  key: string,
): Promise<IdempotencyRecord | undefined> =>
  db.sql
    .selectFrom("idempotencyKeys")
    .select(["claim", "fingerprint", "sealedRequest", "answer"])
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
  const deleted = await db.sql
    .deleteFrom("idempotencyKeys")
    .where("createdAt", "<", sql<Date>`now() - make_interval(hours => ${keptHours})`)
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
};
