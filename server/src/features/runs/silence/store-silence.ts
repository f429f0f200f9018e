import { sql } from "kysely";
import type { Database } from "../../../platform/db.ts";
import type { Lease, LeaseTimes } from "../chunk/lease.ts";
import { isHeld } from "../ledger/store-fields.ts";

/** A message about a canary. */
export interface CaughtMessage {
  /** Null: the message does not show it. */
  readonly stream: string | null;
  readonly subject: string;
}

/** A measurement whose canaries may be in the destination. */
export interface OpenCheck {
  readonly token: string;
  readonly runId: string;
  readonly startedForMs: number;
  /** A worker opened or closed its mailbox since then. */
  readonly mailboxChanged: boolean;
  /** Null: it is not known whether all canaries were written. */
  readonly writtenForMs: number | null;
  /** How many canaries were written. */
  readonly records: number;
  /** One is enough: the tool is not silent. */
  readonly hasMessages: boolean;
  /** Until no request that writes is in flight; negative: none is. */
  readonly deadlineInMs: number;
  readonly notMeasured: string | null;
}

/** The outcome of a measurement. */
export interface SilenceResult {
  readonly records: number;
  readonly messages: readonly CaughtMessage[];
  readonly at: Date;
}

export const listOpenChecks = async (db: Database, importId: string): Promise<readonly OpenCheck[]> => {
  const { rows } = await sql<OpenCheck>`
    select token, run_id, not_measured, records, jsonb_array_length(messages) > 0 as has_messages,
      (extract(epoch from now() - started_at) * 1000)::float8 as started_for_ms,
      exists (select from canary_mailbox m where m.single and m.changed_at >= started_at) as mailbox_changed,
      (extract(epoch from now() - written_at) * 1000)::float8 as written_for_ms,
      (extract(epoch from deadline - now()) * 1000)::float8 as deadline_in_ms
    from silence_checks where import_id = ${importId} and removed_at is null order by started_at`.execute(
    db.sql,
  );
  return rows;
};

/**
 * Records that this attempt is about to write a canary, before it asks the tool: the first of a measurement, or another one.
 * False: another attempt has the partition.
 */
export const claimCanary = (
  db: Database,
  lease: Lease,
  { token, no }: { readonly token: string; readonly no: number },
  { writeMs }: Pick<LeaseTimes, "writeMs">,
): Promise<boolean> =>
  db.sql.transaction().execute(async (tx) => {
    if (!(await isHeld(tx, lease))) return false;
    await sql`
      insert into silence_checks (token, import_id, run_id, no, deadline)
      values (${token}, ${lease.importId}, ${lease.runId}, ${no}, now() + ${writeMs} * interval '1 ms')
      on conflict (token) do update set deadline = excluded.deadline, removed_at = null`.execute(tx);
    return true;
  });

/** All outcomes are known. */
export const settleCanaries = (
  db: Database,
  lease: Lease,
  token: string,
  { records, notMeasured }: { readonly records: number; readonly notMeasured: string | null },
): Promise<boolean> =>
  db.sql.transaction().execute(async (tx) => {
    if (!(await isHeld(tx, lease))) return false;
    await sql`
      update silence_checks set written_at = clock_timestamp(), deadline = now(), records = ${records},
        not_measured = ${notMeasured} where token = ${token}`.execute(tx);
    return true;
  });

/** More would show nothing new: a loud tool may send thousands. */
const maxMessages = 20;

/** What the tool's log has shown. Before the canaries are removed: their messages can't be asked for afterwards. */
export const saveMessages = (
  db: Database,
  lease: Lease,
  token: string,
  messages: readonly CaughtMessage[],
): Promise<boolean> =>
  db.sql.transaction().execute(async (tx) => {
    if (!(await isHeld(tx, lease))) return false;
    const first = JSON.stringify(messages.slice(0, maxMessages));
    await sql`update silence_checks set messages = messages || ${first}::jsonb where token = ${token}`.execute(
      tx,
    );
    return true;
  });

/** No canary of the measurement is in the destination any more. `isDone`: false if it has no outcome. */
export const closeCheck = (
  db: Database,
  lease: Lease,
  token: string,
  { isDone }: { readonly isDone: boolean },
): Promise<boolean> =>
  db.sql.transaction().execute(async (tx) => {
    if (!(await isHeld(tx, lease))) return false;
    await sql`
      update silence_checks set removed_at = now(), written_at = case when ${isDone} then written_at end
      where token = ${token}`.execute(tx);
    return true;
  });

/** A mail to a canary's address arrived. */
export const addMessage = async (db: Database, token: string, message: CaughtMessage): Promise<void> => {
  await sql`
    update silence_checks set messages = messages || ${JSON.stringify([message])}::jsonb
    where token = ${token} and jsonb_array_length(messages) < ${maxMessages}`.execute(db.sql);
};

/** A worker's mailbox has opened, or is closing, or has closed. */
export const noteMailboxChange = async (db: Database): Promise<void> => {
  await sql`
    insert into canary_mailbox (changed_at) values (clock_timestamp())
    on conflict (single) do update set changed_at = greatest(canary_mailbox.changed_at, excluded.changed_at)`.execute(
    db.sql,
  );
};

/** Whether mails to this token's address are about canaries. */
export const isKnownToken = async (db: Database, token: string): Promise<boolean> => {
  const { rows } = await sql`select 1 from silence_checks where token = ${token}`.execute(db.sql);
  return rows.length > 0;
};

/** How far the measurement of a run is. */
export const findRunChecks = async (
  db: Database,
  runId: string,
): Promise<{
  readonly attempts: number;
  /** Its outcome is known, or that there can be none. */
  readonly isDone: boolean;
  readonly messages: readonly CaughtMessage[];
}> => {
  const { rows } = await sql<{
    attempts: number;
    isDone: boolean | null;
    messages: CaughtMessage[] | null;
  }>`
    select count(*)::int as attempts, bool_or(written_at is not null) as is_done,
      (select jsonb_agg(m) from silence_checks c, jsonb_array_elements(c.messages) m where c.run_id = ${runId}) as messages
    from silence_checks where run_id = ${runId}`.execute(db.sql);
  const [row] = rows;
  return { attempts: row?.attempts ?? 0, isDone: row?.isDone ?? false, messages: row?.messages ?? [] };
};

/** The measurement of an import's last full run; undefined: it made none, or could not measure. */
export const findSilence = async (db: Database, importId: string): Promise<SilenceResult | undefined> => {
  const { rows } = await sql<SilenceResult & { notMeasured: string | null }>`
    select records, messages, removed_at as at, not_measured from silence_checks
    where import_id = ${importId} and removed_at is not null
      and run_id = (select r.id from runs r where r.import_id = ${importId} and r.kind = 'full'
        order by r.number desc limit 1)
      and (written_at is not null or jsonb_array_length(messages) > 0)
    order by started_at desc limit 1`.execute(db.sql);
  const [row] = rows;
  return row && (row.notMeasured === null || row.messages.length > 0) ? row : undefined;
};
