import { givenPartner } from "./fixtures.ts";
import type { Database } from "../../server/src/platform/db.ts";
import { newId } from "../../server/src/platform/ids.ts";
import type { Sealer } from "../../server/src/platform/seal.ts";

/** A row of an import, with its own data key. */
export const givenImport = async (db: Database, sealer: Sealer): Promise<string> => {
  const { partner } = await givenPartner(db);
  const id = newId("imp");
  await db.pool.query(
    `insert into imports (id, partner_id, source_tool, destination_tool, family, data_key, link_token, status,
       sponsorship, start_full)
     values ($1, $2, 'redmine', 'request-tracker', 'helpdesk', $3, '', 'waiting_for_sample', 'undecided', false)`,
    [id, partner.id, sealer.newDataKey(id)],
  );
  return id;
};
