import type { Database } from "../../server/src/platform/db.ts";
import { newId } from "../../server/src/platform/ids.ts";

/** A minimal import for the outbox and for runs. */
export const givenImport = async (db: Database): Promise<string> => {
  const partnerId = newId("prt");
  const importId = newId("imp");
  await db.pool.query("insert into partners (id, name, destination_tool) values ($1, 'Acme', 'redmine')", [
    partnerId,
  ]);
  await db.pool.query(
    `insert into imports (id, partner_id, source_tool, destination_tool, family, data_key, link_token, status, sponsorship, start_full)
     values ($1, $2, 'redmine', 'redmine', 'helpdesk', '', '', 'sample_in_progress', 'undecided', false)`,
    [importId, partnerId],
  );
  return importId;
};

/** Writes an effect as a change of the import would. */
export const givenEffect = async (db: Database, importId: string, effect: object): Promise<number> => {
  const { rows } = await db.pool.query<{ id: number }>(
    "insert into outbox (import_id, effect) values ($1, $2) returning id",
    [importId, JSON.stringify(effect)],
  );
  return rows[0]?.id as number;
};
