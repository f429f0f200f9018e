// Hot: a report reads all of an import's ledger rows page by page.
import type { Database } from "../../../platform/db.ts";
import { foundAgain, type LedgerState, stateName, stateNumber } from "../ledger/row-state.ts";
import { metAfter } from "../ledger/store-sweep.ts";

/** A record that was not simply written. */
export interface Exception {
  readonly sourceId: string;
  readonly state: LedgerState;
  readonly destId: string | null;
  readonly reason: string | null;
  readonly detail: string | null;
  /** The source no longer had it when it was counted. */
  readonly unseen: boolean;
  /** Copied, and since deleted in the source. */
  readonly deleted: boolean;
}

export interface ExceptionPage {
  readonly rows: readonly Exception[];
  /** The last row read; null: there are no more. */
  readonly last: string | null;
}

/**
 * Reads a page of a stream's rows and answers those that a person may ask about. The page counts rows read, not rows
 * found: among millions of fine rows each query stays short.
 */
export const listExceptions = async (
  db: Database,
  { leaf, importId, sweptBy }: { leaf: string; importId: string; sweptBy: number | null },
  { stream, after, limit }: { stream: string; after: string; limit: number },
): Promise<ExceptionPage> => {
  const { rows } = await db.pool.query<{
    looked: number;
    last: string | null;
    found: (Omit<Exception, "state" | "deleted"> & { state: number })[] | null;
  }>({
    name: `list-exceptions-${leaf}`,
    text: `with page as materialized (
             select source_id, state, dest_id, reason, detail,
               $5::int is not null and swept is distinct from $5 and swept is distinct from $6 as unseen
             from ${leaf} where import_id = $1 and stream = $2 and source_id > $3 order by source_id limit $4)
           select (select count(*) from page)::int as looked, (select max(source_id) from page) as last,
             (select json_agg(json_build_object('sourceId', source_id, 'state', state, 'destId', dest_id,
                'reason', reason, 'detail', detail, 'unseen', unseen) order by source_id) from page
              where state <> ${stateNumber("undone")}
                and (state <> ${stateNumber("written")} or unseen
                  or (reason is not null and reason <> '${foundAgain}'))) as found`,
    values: [importId, stream, after, limit, sweptBy, sweptBy === null ? null : metAfter(sweptBy)],
  });
  const [page] = rows;
  return {
    rows: (page?.found ?? []).map((row) => {
      const state = stateName(row.state);
      return { ...row, state, deleted: row.unseen && (state === "written" || state === "matched") };
    }),
    last: page === undefined || page.looked < limit ? null : page.last,
  };
};
