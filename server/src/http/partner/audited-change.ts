import { appendAudit, type AuditTarget } from "../../features/staff/index.ts";
import type { Database } from "../../platform/db.ts";
import { inOneTransaction } from "../../platform/one-transaction.ts";
import type { Call } from "./operation.ts";

/** What came of a change; without an entry nothing changed. */
export interface ChangeMade<T> {
  readonly result: T;
  readonly entry?: {
    readonly target: AuditTarget;
    readonly before: object | null;
    readonly after: object;
  };
}

/** Makes a change for a partner's API token and appends it to the audit log, in one transaction. */
export const auditedChange = <T>(
  db: Database,
  { partner, requestId }: Call,
  action: string,
  work: (within: Database) => Promise<ChangeMade<T>>,
): Promise<T> =>
  inOneTransaction(db, async (within) => {
    const { result, entry } = await work(within);
    if (entry)
      await appendAudit(within, {
        ...entry,
        actor: { kind: "api_token", tokenId: partner.tokenId },
        action,
        changes: true,
        reason: null,
        requestId,
        idempotencyKey: null,
        outcome: "done",
      });
    return result;
  });
