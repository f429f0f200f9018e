import type { Database } from "../../platform/db.ts";

export interface AuditRow {
  readonly seq: number;
  readonly event: { readonly type: string };
  readonly fromStatus: string | null;
  readonly toStatus: string;
  readonly actor: string;
  readonly at: Date;
}

export const listAudit = async (db: Database, importId: string): Promise<readonly AuditRow[]> => {
  const rows = await db.sql
    .selectFrom("audit")
    .select(["seq", "event", "fromStatus", "toStatus", "actor", "at"])
    .where("importId", "=", importId)
    .orderBy("seq")
    .execute();
  return rows as AuditRow[];
};
