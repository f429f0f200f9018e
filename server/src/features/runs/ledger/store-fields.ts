import type { CustomField } from "@portage/connector-kit";
import { sql } from "kysely";
import type { Database, Transaction } from "../../../platform/db.ts";
import type { Lease, LeaseTimes } from "../chunk/lease.ts";
import { type SharedAccount, underAccountLock } from "./store-shared-accounts.ts";

export type FieldState = "creating" | "created" | "found" | "removing" | "removed" | "kept";

/** The source's key of the field that holds external keys: there is no such field in the source. */
export const keyField = "";

/** A field of the destination that an import created or uses. */
export interface DestinationField extends SharedAccount {
  readonly stream: string;
  /** Of the source's field that it is for; `keyField`: the one that holds external keys. */
  readonly sourceKey: string;
  readonly mark: string;
  readonly state: FieldState;
  /** As the tool described it; null: no answer of the tool named it. */
  readonly field: CustomField | null;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly createdAt: Date | null;
}

export const listFields = async (db: Database, importId: string): Promise<readonly DestinationField[]> =>
  (await db.sql
    .selectFrom("destinationFields")
    .select([
      "stream",
      "sourceKey",
      "tool",
      "accountId",
      "mark",
      "state",
      "field",
      "reason",
      "detail",
      "createdAt",
    ])
    .where("importId", "=", importId)
    .orderBy("stream")
    .orderBy("sourceKey")
    .execute()) as readonly unknown[] as readonly DestinationField[];

export type FieldClaim =
  | { readonly kind: "claimed" }
  /** A request of an earlier claim, or of another import for the same field, may still take effect. */
  | { readonly kind: "wait"; readonly ms: number }
  /** To remove it: another import uses it. */
  | { readonly kind: "shared" }
  | { readonly kind: "fenced" };

export interface FieldToClaim {
  readonly stream: string;
  readonly sourceKey: string;
  readonly mark: string;
}

/** Locks the attempt's partition. False: another attempt has it. */
export const isHeld = async (tx: Transaction, { runId, partition, token }: Lease): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from partitions where run_id = ${runId} and no = ${partition} and is_held(lease_token, ${token})
      and state = 'running' for update`.execute(tx);
  return rows.length > 0;
};

/** How long to wait until no request for the field is under way; the key's field is the same for all imports. */
const busyMs = async (
  tx: Transaction,
  importId: string,
  { tool, accountId }: SharedAccount,
  { stream, sourceKey }: FieldToClaim,
  graceMs: number,
): Promise<number> => {
  const { rows } = await sql<{ ms: number | null }>`
    select ceil(extract(epoch from max(deadline) - now()) * 1000)::int + ${graceMs}::int as ms from destination_fields
    where tool = ${tool} and account_id = ${accountId} and stream = ${stream} and source_key = ${sourceKey}
      and (import_id = ${importId} or source_key = ${keyField}) and state in ('creating', 'removing')`.execute(
    tx,
  );
  return rows[0]?.ms ?? 0;
};

/**
 * Records that this attempt is about to create or remove the field, before it asks the tool. The claim ends with
 * `settleField`, or counts as undecided once its deadline and the tool's grace have passed.
 */
export const claimField = (
  db: Database,
  lease: Lease,
  account: SharedAccount,
  claimed: FieldToClaim & { readonly as: "creating" | "removing" },
  { writeMs, graceMs }: Pick<LeaseTimes, "writeMs"> & { readonly graceMs: number },
): Promise<FieldClaim> =>
  underAccountLock(db, account, async (tx): Promise<FieldClaim> => {
    const { importId } = lease;
    const { stream, sourceKey, mark, as } = claimed;
    if (!(await isHeld(tx, lease))) return { kind: "fenced" };
    const ms = await busyMs(tx, importId, account, claimed, graceMs);
    if (ms > 0) return { kind: "wait", ms };
    if (as === "removing" && (await isShared(tx, importId, account, claimed))) return { kind: "shared" };
    await sql`
      insert into destination_fields (import_id, stream, source_key, tool, account_id, mark, state, deadline)
      values (${importId}, ${stream}, ${sourceKey}, ${account.tool}, ${account.accountId}, ${mark}, ${as},
        now() + ${writeMs} * interval '1 ms')
      on conflict (import_id, stream, source_key) do update set tool = excluded.tool, account_id = excluded.account_id,
        mark = excluded.mark, state = excluded.state, deadline = excluded.deadline, reason = null, detail = null`.execute(
      tx,
    );
    return { kind: "claimed" };
  });

/** Whether another import uses the field that this one created. */
const isShared = async (
  tx: Transaction,
  importId: string,
  { tool, accountId }: SharedAccount,
  { stream, sourceKey }: FieldToClaim,
): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from destination_fields o where o.tool = ${tool} and o.account_id = ${accountId} and o.stream = ${stream}
      and o.import_id <> ${importId} and o.state in ('creating', 'created', 'found')
      and case when ${sourceKey}::text = ${keyField}::text then o.source_key = ${keyField}
        else o.field ->> 'key' = (select m.field ->> 'key' from destination_fields m where m.import_id = ${importId}
          and m.stream = ${stream} and m.source_key = ${sourceKey}) end limit 1`.execute(tx);
  return rows.length > 0;
};

export interface SettledField {
  readonly state: Exclude<FieldState, "creating" | "removing">;
  /** Absent: it stays as it was known. */
  readonly field?: CustomField;
  readonly reason?: string;
  readonly detail?: string;
}

/** Records what became of a claimed field. False: another attempt has the partition, and decides. */
export const settleField = (
  db: Database,
  lease: Lease,
  { stream, sourceKey }: Pick<FieldToClaim, "stream" | "sourceKey">,
  { state, field, reason, detail }: SettledField,
): Promise<boolean> =>
  db.sql.transaction().execute(async (tx) => {
    if (!(await isHeld(tx, lease))) return false;
    await sql`
      update destination_fields set state = ${state}, deadline = now(), reason = ${reason ?? null},
        detail = ${detail?.slice(0, 500) ?? null},
        field = coalesce(${field ? JSON.stringify(field) : null}::jsonb, field),
        created_at = case when ${state}::text in ('created', 'found') then coalesce(created_at, now()) else created_at end
      where import_id = ${lease.importId} and stream = ${stream} and source_key = ${sourceKey}`.execute(tx);
    return true;
  });

/** The tool refused: there is no such field. False: another attempt has the partition. */
export const forgetField = (
  db: Database,
  lease: Lease,
  { stream, sourceKey }: Pick<FieldToClaim, "stream" | "sourceKey">,
): Promise<boolean> =>
  db.sql.transaction().execute(async (tx) => {
    if (!(await isHeld(tx, lease))) return false;
    await tx
      .deleteFrom("destinationFields")
      .where("importId", "=", lease.importId)
      .where("stream", "=", stream)
      .where("sourceKey", "=", sourceKey)
      .execute();
    return true;
  });

/**
 * Records which fields of other imports this one fills, so that their undo leaves them; replaces what it recorded before.
 * `uses`: the destination's key by the source's field.
 */
export const registerUses = (
  db: Database,
  importId: string,
  account: SharedAccount,
  uses: readonly { readonly stream: string; readonly sourceKey: string; readonly key: string }[],
): Promise<void> =>
  underAccountLock(db, account, async (tx) => {
    const { tool, accountId } = account;
    await sql`
      delete from destination_fields
      where import_id = ${importId} and state = 'found' and source_key <> ${keyField}`.execute(tx);
    await sql`
      insert into destination_fields (import_id, stream, source_key, tool, account_id, mark, state, field, deadline, created_at)
      select ${importId}::text, u.stream, u.source_key, o.tool, o.account_id, o.mark, 'found',
        o.field, now(), now()
      from unnest(${uses.map(({ stream }) => stream)}::text[], ${uses.map(({ sourceKey }) => sourceKey)}::text[],
        ${uses.map(({ key }) => key)}::text[]) u(stream, source_key, key)
      join destination_fields o on o.tool = ${tool} and o.account_id = ${accountId} and o.stream = u.stream
        and o.field ->> 'key' = u.key and o.import_id <> ${importId} and o.source_key <> ${keyField}
        and o.state in ('created', 'kept')
      on conflict do nothing`.execute(tx);
  });
