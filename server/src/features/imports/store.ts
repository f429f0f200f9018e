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

/** What an operator looks for; absent: any. */
export interface ImportFilter {
  readonly partnerId?: string | null | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly exceptIds?: readonly string[] | undefined;
  readonly status?: string | undefined;
  readonly sourceTool?: string | undefined;
  readonly destinationTool?: string | undefined;
  readonly family?: string | undefined;
  readonly reference?: string | undefined;
  readonly destinationUsername?: string | undefined;
  /** Whether it is closed. */
  readonly closed?: boolean | undefined;
  /** The smallest id of those wanted: ids tell when an import was created. */
  readonly fromId?: string | undefined;
}

/** For the operator: of one partner or of all, closed ones included, newest first. */
export const listAllImports = async (
  db: Database,
  sealer: Sealer,
  { before, limit, ...filter }: ImportFilter & { before: string | null; limit: number },
): Promise<readonly ImportRecord[]> => {
  const { destinationUsername } = filter;
  // Not prepared: a condition without a value is gone before the planner chooses an index.
  const { rows } = await db.pool.query<FoundRow>(
    `select ${columns} from imports i
     where ($1::text is null or i.partner_id = $1) and ($2::text is null or i.id < $2)
       and ($4::text[] is null or i.id = any($4)) and ($5::text is null or i.status = $5)
       and ($6::text is null or i.source_tool = $6) and ($7::text is null or i.destination_tool = $7)
       and ($8::text is null or i.family = $8) and ($9::text is null or i.reference = $9)
       and ($10::text is null or i.username_key = $10) and ($11::boolean is null or (i.closed is not null) = $11)
       and ($12::text is null or i.id >= $12) and ($13::text[] is null or i.id <> all($13))
     order by i.id desc limit $3`,
    [
      filter.partnerId ?? null,
      before,
      limit,
      filter.ids ?? null,
      filter.status ?? null,
      filter.sourceTool ?? null,
      filter.destinationTool ?? null,
      filter.family ?? null,
      filter.reference ?? null,
      destinationUsername === undefined ? null : usernameKey(destinationUsername),
      filter.closed ?? null,
      filter.fromId ?? null,
      filter.exceptIds ?? null,
    ],
  );
  return rows.map((row) => toRecord(sealer, row, row.bought));
};
