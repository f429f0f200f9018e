import { randomUUID } from "node:crypto";
import { userInfo } from "node:os";
import { appendAudit, type AuditTarget } from "../../features/staff/index.ts";
import type { Database } from "../../platform/db.ts";
import { inOneTransaction } from "../../platform/one-transaction.ts";

/** What a command changed, for the audit log: without data of customers. */
export interface DirectChange<T> {
  readonly result: T;
  readonly target: AuditTarget | null;
  readonly reason?: string | null;
  readonly before?: object | null;
  readonly after?: object | null;
  /** Of a change of several: an entry for each beside it. */
  readonly each?: readonly Partial<Pick<DirectChange<unknown>, "target" | "before" | "after">>[];
}

/** The user of this machine; a container may run under a number without a name. */
const machineUser = (): string => {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
};

/** Appends a change that a command made. For those that can't be one transaction; others use `directChange`. */
export const noteDirectChange = (
  db: Database,
  action: string,
  { target, reason = null, before = null, after = null }: Omit<DirectChange<unknown>, "result">,
): Promise<void> =>
  appendAudit(db, {
    actor: { kind: "command", machineUser: machineUser() },
    action,
    changes: true,
    target,
    reason,
    requestId: randomUUID(),
    idempotencyKey: null,
    outcome: "done",
    before,
    after,
  });

/** Makes a change on the database and appends it to the audit log, in one transaction; nothing, if nothing changed. */
export const directChange = <T>(
  db: Database,
  action: string,
  work: (within: Database) => Promise<DirectChange<T>>,
): Promise<T> =>
  inOneTransaction(db, async (within) => {
    const { result, each = [], ...change } = await work(within);
    if (change.before || change.after) await noteDirectChange(within, action, change);
    for (const part of each)
      await noteDirectChange(within, action, { target: null, ...part, reason: change.reason ?? null });
    return result;
  });
