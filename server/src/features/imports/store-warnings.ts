import type { Warning } from "@portage/contract";
import type { Database, Transaction } from "../../platform/db.ts";
import type { WarningCode } from "./warnings.ts";

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
