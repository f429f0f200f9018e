import { sql } from "kysely";
import type { Database, Transaction } from "../../platform/db.ts";
import { currentTrace } from "../../platform/tracing.ts";
import type { Secret } from "../../platform/secret.ts";
import type { Sealer } from "../../platform/seal.ts";
import { purgeConnections } from "../connections/index.ts";
import { purgeUploads } from "../uploads/index.ts";
import { forgetMatching } from "../mapping/index.ts";
import { orderMail, purgeMail } from "../mail-outbox/index.ts";
import { writeNotice } from "../event-outbox/index.ts";
import { type Actor, usernameKey } from "./import.ts";
import type { Step } from "./machine.ts";
import { mailFor } from "./mail-for.ts";
import { deleteSchedule, missSchedule } from "./store-schedule.ts";
import { forgetObstacles } from "./store-preflight.ts";
import { destinationTokenField, linkTokenField, stateColumns, toState } from "./store-rows.ts";
import type { Effect, ImportEvent, ImportState } from "./state.ts";
import { type WarningCode, warningText } from "./warnings.ts";

export interface LockedImport {
  readonly id: string;
  readonly partnerId: string;
  readonly auditSeq: number;
  readonly state: ImportState;
}

/**
 * Locks the import, so that events come one at a time, and reads its state. Takes the advisory lock before anything
 * that assigns a transaction id: partners read events in the order of these ids, which must be the order of locks.
 */
export const lockImport = async (tx: Transaction, id: string): Promise<LockedImport | undefined> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${id}, 0))`.execute(tx);
  const row = await tx.selectFrom("imports").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
  if (!row) return undefined;
  // A separate query: a sum in the locking one would be as old as the wait for the lock.
  const money = await tx
    .selectFrom("moneyEntries")
    .select(({ fn }) => fn.sum<number | null>("amount").as("total"))
    .where("importId", "=", id)
    .where("account", "=", "customer_paid")
    .executeTakeFirst();
  return {
    id,
    partnerId: row.partnerId,
    auditSeq: row.auditSeq,
    state: toState(row, (money?.total ?? 0) > 0),
  };
};

/** What a mail is about whose start did not happen at the planned time. */
const startMissed = "start_missed";

const actorText = (actor: Actor) => {
  if (actor.kind === "partner") return `partner:${actor.partnerId}`;
  return actor.kind === "operator" && actor.staffId !== undefined ? `operator:${actor.staffId}` : actor.kind;
};

const auditRow = (
  importId: string,
  seq: number,
  event: object,
  from: string | null,
  to: string,
  actor: Actor,
) => ({
  importId,
  seq,
  event: JSON.stringify(event),
  fromStatus: from,
  toStatus: to,
  actor: actorText(actor),
});

/** Erasing expired credentials does not prolong an import's life. */
const isActivity = (event: ImportEvent, actor: Actor) =>
  event.type !== "disconnected" || actor.kind !== "system";

/** Who or what closes an import with this event, for partners; retention archives imports that were idle for long. */
const closedBy = (event: ImportEvent, { kind }: Actor): string =>
  event.type === "archived" && kind === "system" ? "idle" : kind;

/** Writes what the machine decided. The status it decided from is in the where clause. */
export const saveStep = async (
  tx: Transaction,
  before: LockedImport,
  event: ImportEvent,
  moved: Extract<Step, { kind: "moved" }>,
  actor: Actor,
): Promise<void> => {
  const { state, effects } = moved;
  const seq = before.auditSeq + 1;
  const updated = await tx
    .updateTable("imports")
    .set({
      ...stateColumns(state),
      auditSeq: seq,
      ...(isActivity(event, actor) && { activeAt: sql`now()` }),
      ...(state.closed !== before.state.closed && { closedAt: sql`now()` }),
      ...(effects.some(({ kind }) => kind === "purge_credentials") && { destinationToken: null }),
    })
    .where("id", "=", before.id)
    .where("status", "=", before.state.status)
    .where("auditSeq", "=", before.auditSeq)
    .executeTakeFirst();
  if (updated.numUpdatedRows !== 1n) throw new Error("The import changed although it was locked.");
  await tx
    .insertInto("audit")
    .values(auditRow(before.id, seq, event, before.state.status, state.status, actor))
    .execute();
  if (event.type === "full_started") await forgetObstacles(tx, before.id);
  if (effects.some(({ kind }) => kind === "start_run")) await forgetLastRun(tx, before.id);
  const cause = event.type === "run_failed" ? (event.cause ?? null) : null;
  for (const effect of effects)
    await saveEffect(tx, before, state, effect, { cause, reason: closedBy(event, actor) });
  if (await followSchedule(tx, before, event, state)) {
    const mail = { occasion: "needs_you", about: startMissed, side: null } as const;
    await orderMail(tx, { importId: before.id, ...mail, change: seq });
    return;
  }
  const mail = mailFor(before.state, event, moved);
  if (mail) await orderMail(tx, { importId: before.id, ...mail, change: mail.perChange ? seq : null });
};

/**
 * A planned start lives as long as the import is in preparation. True: it did not happen, and the customer must hear that
 * instead of what else the event would tell them.
 */
const followSchedule = async (
  tx: Transaction,
  { id, state: before }: LockedImport,
  event: ImportEvent,
  after: ImportState,
): Promise<boolean> => {
  if (before.status !== "in_preparation") return false;
  // A pre-flight blocks the start, or a sign-in has expired.
  if (event.type === "attention_required") return missSchedule(tx, id, event.reason, ["due"]);
  if (after.closed === null && after.status === "in_preparation") return false;
  if (event.type === "refunded" || event.type === "sponsorship_rejected") {
    const missed = await missSchedule(tx, id, "unpaid", ["waiting", "due"]);
    // The partner's answer has a mail of its own, which says more.
    return missed && event.type === "refunded";
  }
  await deleteSchedule(tx, id);
  return false;
};

const saveEffect = async (
  tx: Transaction,
  { id, partnerId }: LockedImport,
  state: ImportState,
  effect: Effect,
  { cause, reason }: { readonly cause: string | null; readonly reason: string },
) => {
  if (effect.kind === "warn") {
    await saveWarning(tx, id, effect.code, effect.about, effect.message ?? warningText(effect.code, cause));
    return;
  }
  if (effect.kind === "purge_credentials") {
    await purgeConnections(tx, id);
    await purgeUploads(tx, id);
    await purgeMail(tx, id);
    await forgetMatching(tx, id);
    // A review's copies of the customer's records go with the sign-ins.
    await tx.deleteFrom("sampleReviews").where("importId", "=", id).execute();
    return;
  }
  if (effect.kind === "notify") {
    const changed = effect.type === "import.status_changed" ? effect : null;
    await writeNotice(tx, {
      partnerId,
      importId: id,
      type: effect.type,
      status: changed?.to ?? state.status,
      previousStatus: changed?.from ?? null,
      reason: effect.type === "import.closed" ? reason : null,
    });
    return;
  }
  // The books settle it in the same transaction.
  if (effect.kind === "refund") return;
  await tx
    .insertInto("outbox")
    .values({ importId: id, effect: JSON.stringify(effect), trace: currentTrace() })
    .execute();
};

/** Warnings about the last run become obsolete once another one begins. */
const forgetLastRun = (tx: Transaction, importId: string) =>
  tx
    .deleteFrom("importWarnings")
    .where("importId", "=", importId)
    .where("code", "in", ["run_failed", "run_stopped"] satisfies readonly WarningCode[])
    .execute();

const saveWarning = (
  tx: Transaction,
  importId: string,
  code: WarningCode,
  stream: string,
  message: string = warningText(code, null),
) =>
  tx
    .insertInto("importWarnings")
    .values({ importId, code, stream, message, count: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(["importId", "code", "stream"])
        .doUpdateSet({ message, count: 1, createdAt: sql`now()` }),
    )
    .execute();

export interface ImportToInsert {
  readonly id: string;
  readonly partnerId: string;
  readonly sourceTool: string;
  readonly destinationTool: string;
  readonly family: string;
  readonly reference: string | null;
  readonly destinationInstanceUrl: string | null;
  readonly destinationUsername: string | null;
  /** Found by signing in; used if the partner gave no username. */
  readonly signInName: string | null;
  readonly linkToken: Secret;
  readonly destinationToken: Secret | null;
  readonly state: ImportState;
  readonly warnings: readonly WarningCode[];
}

export const insertImport = async (
  tx: Transaction,
  sealer: Sealer,
  wanted: ImportToInsert,
): Promise<void> => {
  const { linkToken, destinationToken, signInName, state, warnings, ...plain } = wanted;
  const { id, partnerId } = plain;
  const dataKey = sealer.newDataKey(id);
  const username = plain.destinationUsername ?? signInName;
  await tx
    .insertInto("imports")
    .values({
      ...plain,
      ...stateColumns(state),
      usernameKey: username === null ? null : usernameKey(username),
      dataKey,
      linkToken: sealer.seal(id, dataKey, linkTokenField, linkToken),
      destinationToken: destinationToken && sealer.seal(id, dataKey, destinationTokenField, destinationToken),
      auditSeq: 1,
    })
    .execute();
  const created = { type: "created", state };
  await tx
    .insertInto("audit")
    .values(auditRow(id, 1, created, null, state.status, { kind: "partner", partnerId }))
    .execute();
  for (const code of warnings) await saveWarning(tx, id, code, "");
};

/** Replaces the token in the customer's link; the old link stops working. False: no open import with this id. */
export const replaceLinkToken = (db: Database, sealer: Sealer, id: string, token: Secret): Promise<boolean> =>
  db.sql.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom("imports")
      .select("dataKey")
      .where("id", "=", id)
      .where("closed", "is", null)
      .forUpdate()
      .executeTakeFirst();
    if (!row) return false;
    const linkToken = sealer.seal(id, row.dataKey, linkTokenField, token);
    await tx.updateTable("imports").set({ linkToken, activeAt: sql`now()` }).where("id", "=", id).execute();
    return true;
  });
