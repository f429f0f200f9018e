import type { EventType } from "@portage/contract";
import { sql } from "kysely";
import type { Database } from "../../platform/db.ts";

/** Events that carry their own payload. */
export const findPayloads = async (
  db: Database,
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly type: EventType; readonly payload: object }[]> => {
  const { rows } = await sql<{ id: string; type: EventType; payload: object }>`
    select id, type, payload from events where id = any(${ids}) and payload is not null`.execute(db.sql);
  return rows;
};
