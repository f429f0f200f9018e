import type { Warning } from "@portage/contract";
import type { Database } from "../../platform/db.ts";

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
