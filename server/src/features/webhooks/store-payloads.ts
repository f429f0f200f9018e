import type { EventType } from "@portage/contract";
import type { Database } from "../../platform/db.ts";

/** Events that carry their own payload. */
export const findPayloads = async (
  db: Database,
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly type: EventType; readonly payload: object }[]> => {
  const { rows } = await db.pool.query<{ id: string; type: EventType; payload: object }>(
    "select id, type, payload from events where id = any($1) and payload is not null",
    [ids],
  );
  return rows;
};
