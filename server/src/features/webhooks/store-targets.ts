import type { EventType } from "@portage/contract";
import { sql, type Selectable } from "kysely";
import type { Database, Transaction } from "../../platform/db.ts";
import type { WebhookTargets } from "../../platform/schema.ts";
import type { Secret } from "../../platform/secret.ts";
import type { Sealer } from "../../platform/seal.ts";
import type { SealedColumn } from "../../platform/sealed-column.ts";
import { newWebhookSecret } from "./secrets.ts";
import type { WebhookTarget } from "./target.ts";

const secretOf = (partnerId: string) => `webhook-secret:${partnerId}`;
const oldSecretOf = (partnerId: string) => `webhook-old-secret:${partnerId}`;

const sealedColumn = (what: string, column: string, about: (partnerId: string) => string): SealedColumn => ({
  what,
  table: "webhook_targets",
  column,
  key: ["partner_id"],
  about: ([partnerId = ""]) => about(partnerId),
});

export const webhookSecrets: readonly SealedColumn[] = [
  sealedColumn("webhook secrets", "secret", secretOf),
  sealedColumn("webhook secrets that a rotation replaces", "old_secret", oldSecretOf),
];

const toTarget = ({
  secret: _,
  oldSecret: __,
  noticeDueAt: ___,
  noticeAttempts: ____,
  healthEpoch: _____,
  ...row
}: Selectable<WebhookTargets>): WebhookTarget => ({
  ...row,
  eventTypes: row.eventTypes as WebhookTarget["eventTypes"],
  disabledBecause: row.disabledBecause as WebhookTarget["disabledBecause"],
});

export const findTarget = async (db: Database, partnerId: string): Promise<WebhookTarget | undefined> => {
  const row = await db.sql
    .selectFrom("webhookTargets")
    .selectAll()
    .where("partnerId", "=", partnerId)
    .executeTakeFirst();
  return row && toTarget(row);
};

/** The target as no other request changes it until this transaction has ended. */
export const holdTarget = async (db: Database, partnerId: string): Promise<WebhookTarget | undefined> => {
  const row = await db.sql
    .selectFrom("webhookTargets")
    .selectAll()
    .where("partnerId", "=", partnerId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row && toTarget(row);
};

/** Sorted by partner, a page after `after`. */
export const listTargets = async (
  db: Database,
  { after = "", limit }: { after?: string | undefined; limit: number },
): Promise<readonly WebhookTarget[]> => {
  const rows = await db.sql
    .selectFrom("webhookTargets")
    .selectAll()
    .where("partnerId", ">", after)
    .orderBy("partnerId")
    .limit(limit)
    .execute();
  return rows.map(toTarget);
};

/** The partner wants no order any more: releases the held deliveries. */
const releaseHeld = async (tx: Transaction, partnerId: string): Promise<void> => {
  await tx
    .updateTable("webhookDeliveries")
    .set((eb) => ({
      lane: eb.ref("eventId"),
      state: "waiting",
      nextAttemptAt: sql`now()`,
      dueAt: sql`now()`,
    }))
    .where("partnerId", "=", partnerId)
    .where("state", "=", "held")
    .execute();
};

/** An attempt that is still under way says nothing about what is sent from now on. */
const newEpoch = { failingSince: null, healthEpoch: sql<number>`health_epoch + 1` };

const wellAgain = { ...newEpoch, disabledAt: null, disabledBecause: null, noticeDueAt: null };

/** Another address starts anew, unless the operator disabled the endpoint. */
const movedTo = (url: string, disabledBecause: string | null) => ({
  url,
  ...(disabledBecause === "operator" ? newEpoch : wellAgain),
});

/** What is left out stays as it is. */
export interface TargetChange {
  readonly url?: string | undefined;
  /** Null: every type. */
  readonly eventTypes?: readonly EventType[] | null | undefined;
  readonly ordered?: boolean | undefined;
  readonly progress?: boolean | undefined;
}

interface SavedTarget {
  readonly before: WebhookTarget | undefined;
  readonly target: WebhookTarget;
  /** Made for a new target, to be shown once. */
  readonly secret: Secret | null;
}

/**
 * Changes what is given of a target under its lock, so that two changes at once keep each other's; the given secret signs alone, from the
 * first message to the new address on. A new target gets a secret, unless its receiver has one. Undefined: there is none, and no address
 * to make one.
 */
export const saveTarget = (
  db: Database,
  sealer: Sealer,
  partnerId: string,
  { url, eventTypes, ordered, progress }: TargetChange,
  given: Secret | null,
): Promise<SavedTarget | undefined> =>
  db.sql.transaction().execute(async (tx) => {
    const secret = given ?? newWebhookSecret();
    const sealed = sealer.sealAlone(secretOf(partnerId), secret);
    if (url !== undefined) {
      const made = await tx
        .insertInto("webhookTargets")
        .values({
          partnerId,
          url,
          eventTypes: eventTypes ? [...eventTypes] : null,
          ordered: ordered ?? true,
          progress: progress ?? false,
          secret: sealed,
        })
        .onConflict((conflict) => conflict.column("partnerId").doNothing())
        .returningAll()
        .executeTakeFirst();
      if (made) return { before: undefined, target: toTarget(made), secret: given ? null : secret };
    }
    const before = await tx
      .selectFrom("webhookTargets")
      .selectAll()
      .where("partnerId", "=", partnerId)
      .forUpdate()
      .executeTakeFirst();
    if (!before) return undefined;
    const after = await tx
      .updateTable("webhookTargets")
      .set({
        ...(url !== undefined && url !== before.url && movedTo(url, before.disabledBecause)),
        ...(given && { secret: sealed, oldSecret: null, oldSecretUntil: null }),
        eventTypes: eventTypes === undefined ? before.eventTypes : eventTypes && [...eventTypes],
        ordered: ordered ?? before.ordered,
        progress: progress ?? before.progress,
      })
      .where("partnerId", "=", partnerId)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (!after.ordered) await releaseHeld(tx, partnerId);
    return { before: toTarget(before), target: toTarget(after), secret: null };
  });

export type RotatedSecret = "rotated" | "under_way" | "missing";

/** Replaces the secret; for `overlapMs` the old one signs as well. */
export const rotateSecret = (
  db: Database,
  sealer: Sealer,
  partnerId: string,
  secret: Secret,
  overlapMs: number,
): Promise<RotatedSecret> =>
  db.sql.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom("webhookTargets")
      .select(["secret", "oldSecretUntil", sql<boolean>`old_secret_until > now()`.as("overlaps")])
      .where("partnerId", "=", partnerId)
      .forUpdate()
      .executeTakeFirst();
    if (!row) return "missing";
    // A third secret would leave receivers that still have the first without a known signature.
    if (row.overlaps && overlapMs > 0) return "under_way";
    const old = overlapMs > 0 ? sealer.openAlone(secretOf(partnerId), row.secret) : null;
    await tx
      .updateTable("webhookTargets")
      .set({
        secret: sealer.sealAlone(secretOf(partnerId), secret),
        oldSecret: old && sealer.sealAlone(oldSecretOf(partnerId), old),
        oldSecretUntil: old && sql`now() + make_interval(secs => ${overlapMs / 1_000})`,
      })
      .where("partnerId", "=", partnerId)
      .execute();
    return "rotated";
  });

/** Secrets in the order in which they sign: the old one first while it is still in use. */
export const openSecrets = (
  sealer: Sealer,
  row: { partnerId: string; secret: Buffer; oldSecret: Buffer | null; overlaps: boolean | null },
): readonly [Secret, ...Secret[]] => {
  const secret = sealer.openAlone(secretOf(row.partnerId), row.secret);
  return row.oldSecret && row.overlaps
    ? [sealer.openAlone(oldSecretOf(row.partnerId), row.oldSecret), secret]
    : [secret];
};

/** Stops sending; waiting deliveries keep waiting. The operator's word replaces another reason. */
export const disableTarget = async (
  db: Database,
  partnerId: string,
  because: NonNullable<WebhookTarget["disabledBecause"]>,
): Promise<void> => {
  await db.sql
    .updateTable("webhookTargets")
    .set({
      disabledAt: sql`coalesce(disabled_at, now())`,
      disabledBecause: because,
      // once: the partner knows of one that was disabled before
      noticeDueAt: sql`case when disabled_at is null then now() else notice_due_at end`,
      noticeAttempts: sql`case when disabled_at is null then 0 else notice_attempts end`,
    })
    .where("partnerId", "=", partnerId)
    .where((eb) => (because === "operator" ? eb.val(true) : eb("disabledAt", "is", null)))
    .execute();
};

/** Resumes sending. False: there is no target, or the partner asks and the operator disabled it. */
export const enableTarget = async (
  db: Database,
  partnerId: string,
  by: "operator" | "partner",
): Promise<boolean> => {
  const enabled = await db.sql
    .updateTable("webhookTargets")
    .set(wellAgain)
    .where("partnerId", "=", partnerId)
    .where((eb) => (by === "operator" ? eb.val(true) : eb("disabledBecause", "is distinct from", "operator")))
    .executeTakeFirst();
  return enabled.numUpdatedRows === 1n;
};
