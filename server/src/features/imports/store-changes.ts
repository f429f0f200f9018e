import { sql } from "kysely";
import type { Database, Transaction } from "../../platform/db.ts";
import { newId } from "../../platform/ids.ts";
import type { Secret } from "../../platform/secret.ts";
import type { Sealer } from "../../platform/seal.ts";
import { type Actor, usernameKey } from "./import.ts";
import type { Step } from "./machine.ts";
import { destinationTokenField, linkTokenField, stateColumns, toState } from "./store-rows.ts";
import type { Effect, ImportEvent, ImportState } from "./state.ts";
import { type WarningCode, warningTexts } from "./warnings.ts";

export interface LockedImport {
  readonly id: string;
  readonly partnerId: string;
  readonly auditSeq: number;
  readonly state: ImportState;
}

/**
 * Locks the import, so that events come one at a time, and reads its state. The advisory lock comes before anything that
 * gives this transaction its number: partners read events in the order of these numbers, which must be the order of locks.
 */
export const lockImport = async (tx: Transaction, id: string): Promise<LockedImport | undefined> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${id}, 0))`.execute(tx);
  const row = await tx.selectFrom("imports").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
  if (!row) return undefined;
  // A question of its own: a sum in the locking one would be as old as the wait for the lock.
  const money = await tx
    .selectFrom("payments")
    .select(({ fn }) => fn.sum<number | null>("amountMinor").as("total"))
    .where("importId", "=", id)
    .executeTakeFirst();
  return {
    id,
    partnerId: row.partnerId,
    auditSeq: row.auditSeq,
    state: toState(row, (money?.total ?? 0) > 0),
  };
};

const actorText = (actor: Actor) => (actor.kind === "partner" ? `partner:${actor.partnerId}` : actor.kind);

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

/** Writes what the machine decided. The status it decided from is in the where clause. */
export const saveStep = async (
  tx: Transaction,
  before: LockedImport,
  event: ImportEvent,
  { state, effects }: Extract<Step, { kind: "moved" }>,
  actor: Actor,
): Promise<void> => {
  const seq = before.auditSeq + 1;
  const updated = await tx
    .updateTable("imports")
    .set({
      ...stateColumns(state),
      auditSeq: seq,
      activeAt: sql`now()`,
      ...(state.closed !== before.state.closed && { closedAt: sql`now()` }),
      ...(effects.some(({ kind }) => kind === "purge_credentials") && { destinationToken: null }),
    })
    .where("id", "=", before.id)
    .where("status", "=", before.state.status)
    .where("auditSeq", "=", before.auditSeq)
    .executeTakeFirst();
  if (updated.numUpdatedRows !== 1n) throw new Error("An import changed under its lock.");
  await tx
    .insertInto("audit")
    .values(auditRow(before.id, seq, event, before.state.status, state.status, actor))
    .execute();
  for (const effect of effects) await saveEffect(tx, before, state, effect);
};

const saveEffect = async (
  tx: Transaction,
  { id, partnerId }: LockedImport,
  state: ImportState,
  effect: Effect,
) => {
  if (effect.kind === "warn") {
    await saveWarning(tx, id, effect.code, effect.about);
    return;
  }
  if (effect.kind === "purge_credentials") return;
  const eventId = effect.kind === "notify" ? newId("evt") : null;
  if (effect.kind === "notify" && eventId) {
    const changed = effect.type === "import.status_changed" ? effect : null;
    await tx
      .insertInto("events")
      .values({
        id: eventId,
        partnerId,
        importId: id,
        type: effect.type,
        status: changed?.to ?? state.status,
        previousStatus: changed?.from ?? null,
      })
      .execute();
  }
  await tx
    .insertInto("outbox")
    .values({ importId: id, effect: JSON.stringify(eventId ? { kind: "notify", eventId } : effect) })
    .execute();
};

const saveWarning = (tx: Transaction, importId: string, code: WarningCode, stream: string) =>
  tx
    .insertInto("importWarnings")
    .values({ importId, code, stream, message: warningTexts[code], count: 1 })
    .onConflict((conflict) =>
      conflict.columns(["importId", "code", "stream"]).doUpdateSet({ count: 1, createdAt: sql`now()` }),
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
  /** Found by signing in; used where no username was given. */
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

/** Puts another token in the customer's link; the old link stops working. False: no open import with this id. */
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
