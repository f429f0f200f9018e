// Hot: every request of a partner or of the wizard reads an import.
import { importIdPattern, type Warning } from "@portage/contract";
import { sql } from "kysely";
import type { Database } from "../../platform/db.ts";
import { firstIdAt } from "../../platform/ids.ts";
import type { Sealer } from "../../platform/seal.ts";
import type { RunFinding } from "./figures.ts";
import { type ImportRecord, type ImportsFilter, type ImportWithWarnings, usernameKey } from "./import.ts";
import { type ImportRow, toRecord } from "./store-rows.ts";

type FoundRow = ImportRow & { bought: boolean };

const columns = `i.id, i.partner_id as "partnerId", i.source_tool as "sourceTool", i.destination_tool as "destinationTool",
  i.family, i.reference, i.destination_instance_url as "destinationInstanceUrl",
  i.destination_username as "destinationUsername", i.data_key as "dataKey", i.link_token as "linkToken", i.status,
  i.sponsorship, i.start_full as "startFull", i.asked, i.sponsored_full_started as "sponsoredFullStarted",
  i.source_connected as "sourceConnected", i.destination_connected as "destinationConnected",
  i.sample_copy as "sampleCopy", i.full_copy as "fullCopy", i.live_run as "liveRun", i.stopping, i.closed,
  i.closed_at as "closedAt", i.created_at as "createdAt", i.active_at as "activeAt", i.items, i.source_people as "sourcePeople",
  i.destination_people as "destinationPeople", i.matched_people as "matchedPeople",
  coalesce((select sum(e.amount) > 0 from money_entries e where e.import_id = i.id and e.account = 'customer_paid'), false) as bought`;

/** One open import of a partner, with its warnings, in one prepared query: the API's busiest. */
export const findImport = async (
  db: Database,
  sealer: Sealer,
  partnerId: string,
  id: string,
): Promise<ImportWithWarnings | undefined> => {
  if (!importIdPattern.test(id)) return undefined;
  const { rows } = await db.pool.query<FoundRow & { findings: RunFinding[]; warnings: Warning[] | null }>({
    name: "find-import",
    text: `select ${columns}, i.findings,
             (select json_agg(json_build_object('code', w.code, 'message', w.message, 'stream', nullif(w.stream, ''),
                'count', w.count) order by w.created_at, w.code, w.stream)
              from import_warnings w where w.import_id = i.id) as warnings
           from imports i where i.id = $1 and i.partner_id = $2 and i.closed is null`,
    values: [id, partnerId],
  });
  const [row] = rows;
  return (
    row && { ...toRecord(sealer, row, row.bought), warnings: row.warnings ?? [], findings: row.findings }
  );
};

/** Any import, open or closed, of any partner: for the operator and for the customer's link. */
export const findAnyImport = async (
  db: Database,
  sealer: Sealer,
  id: string,
): Promise<ImportRecord | undefined> => {
  if (!importIdPattern.test(id)) return undefined;
  const { rows } = await db.pool.query<FoundRow>(`select ${columns} from imports i where i.id = $1`, [id]);
  const [row] = rows;
  return row && toRecord(sealer, row, row.bought);
};

export interface ImportsPage {
  readonly limit: number | null;
  /** The id after which the page starts; ids are time-ordered, newest first. */
  readonly before: string | null;
}

/** Server clocks differ a little: an id may be of another moment than its row. */
const clockSkewMs = 60_000;

/** The open imports of a partner, newest first. */
export const listImports = async (
  db: Database,
  sealer: Sealer,
  partnerId: string,
  { usernames, status, reference, family, createdAfter }: ImportsFilter,
  page: ImportsPage,
): Promise<readonly ImportRecord[]> => {
  const keys = usernames && [...new Set(usernames.map(usernameKey))];
  const since = createdAfter && firstIdAt("imp", createdAfter.getTime() - clockSkewMs);
  // Only what is asked for: a condition on a parameter that may be null would keep the indexes out of the plan.
  const conditions = [
    sql`i.partner_id = ${partnerId} and i.closed is null`,
    ...(keys ? [sql`i.username_key = any(${keys})`] : []),
    ...(status ? [sql`i.status = ${status}`] : []),
    ...(reference === null ? [] : [sql`i.reference = ${reference}`]),
    ...(family ? [sql`i.family = ${family}`] : []),
    ...(createdAfter ? [sql`i.id >= ${since} and i.created_at >= ${createdAfter}`] : []),
    ...(page.before === null ? [] : [sql`i.id < ${page.before}`]),
  ];
  const { rows } = await sql<FoundRow>`
    select ${sql.raw(columns)} from imports i where ${sql.join(conditions, sql` and `)}
    order by i.id desc limit ${page.limit}`.execute(db.sql);
  return rows.map((row) => toRecord(sealer, row, row.bought));
};

/** For the operator: of one partner or of all, closed ones included. */
export const listAllImports = async (
  db: Database,
  sealer: Sealer,
  { partnerId, before, limit }: { partnerId: string | null; before: string | null; limit: number },
): Promise<readonly ImportRecord[]> => {
  const { rows } = await db.pool.query<FoundRow>(
    `select ${columns} from imports i
     where ($1::text is null or i.partner_id = $1) and ($2::text is null or i.id < $2) order by i.id desc limit $3`,
    [partnerId, before, limit],
  );
  return rows.map((row) => toRecord(sealer, row, row.bought));
};
