import type { Warning } from "@portage/contract";
import type { Database, Transaction } from "../../platform/db.ts";
import type { WarningCode } from "./warnings.ts";

/** The warnings of the import `i`, as JSON, in SQL. */
export const warningsOfImport = `select json_agg(json_build_object('code', w.code, 'message', w.message,
    'stream', nullif(w.stream, ''), 'count', w.count) order by w.created_at, w.code, w.stream)
  from import_warnings w where w.import_id = i.id`;

export const listWarnings = (db: Database, importId: string): Promise<readonly Warning[]> =>
  db.sql
    .selectFrom("importWarnings")
    .select(["code", "message", "count"])
    .select(({ fn, val }) => fn<string | null>("nullif", ["stream", val("")]).as("stream"))
    .where("importId", "=", importId)
    .orderBy("createdAt")
    .orderBy("code")
    .orderBy("stream")
    .execute();

export const forgetWarning = (tx: Transaction, importId: string, code: WarningCode, about: string) =>
  tx
    .deleteFrom("importWarnings")
    .where("importId", "=", importId)
    .where("code", "=", code)
    .where("stream", "=", about)
    .execute();
