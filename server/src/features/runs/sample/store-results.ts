import type { FamilyRecord, FieldChange } from "@portage/connector-kit";
import { sql } from "kysely";
import type { Database } from "../../../platform/db.ts";
import type { Sealer } from "../../../platform/seal.ts";
import { Secret } from "../../../platform/secret.ts";
import type { Lease } from "../chunk/lease.ts";
import { type LedgerState, stateName, stateNumber } from "../ledger/row-state.ts";
import type { Why } from "./choose-work.ts";
import { loadDataKey } from "./store-review.ts";

/** What people look at: sealed as one. */
export interface ResultContent {
  /** As read; null: it is gone, or could not be read. */
  readonly source: FamilyRecord | null;
  /** As sent, mapped and with the destination's ids. */
  readonly written: FamilyRecord | null;
  /** As the destination has it. */
  readonly destination: FamilyRecord | null;
  readonly changes: readonly FieldChange[];
  /** "Open in the old tool", "open in the new tool". */
  readonly sourceUrl: string | null;
  readonly destinationUrl: string | null;
  /** Why it was not written, in the tool's words. */
  readonly message: string | null;
  /** Fields of which only the beginning is kept. */
  readonly shortened: readonly string[];
}

export interface ResultToSave {
  readonly sourceId: string;
  readonly state: LedgerState;
  readonly reason: string | null;
  readonly destId: string | null;
  readonly parent: { readonly stream: string; readonly id: string } | null;
  /** The run of the ledger's row. */
  readonly runNumber: number;
  readonly content: ResultContent;
}

/** Bound to its record, so that no result can be shown as another's. */
const contentField = (stream: string, sourceId: string) => `sample-result:${stream}:${sourceId}`;

/** Replaces earlier results. False: another attempt has the partition. */
export const saveResults = async (
  db: Database,
  sealer: Sealer,
  lease: Lease,
  results: readonly ResultToSave[],
): Promise<boolean> => {
  const { importId, stream } = lease;
  const dataKey = await loadDataKey(db, importId);
  const sealed = results.map(({ sourceId, content }) =>
    sealer.seal(importId, dataKey, contentField(stream, sourceId), new Secret(JSON.stringify(content))),
  );
  const { rows } = await sql<{ held: boolean }>`
    with held as materialized (select 1 from partitions
      where run_id = ${lease.runId} and no = ${lease.partition} and is_held(lease_token, ${lease.token}) for update),
    kept as (insert into sample_results (import_id, stream, source_id, run_number, state, reason, dest_id,
        parent_stream, parent_id, changes, content)
      select ${importId}, ${stream}, u.* from held, unnest(
        ${results.map(({ sourceId }) => sourceId)}::text[],
        ${results.map(({ runNumber }) => runNumber)}::int[],
        ${results.map(({ state }) => stateNumber(state))}::smallint[],
        ${results.map(({ reason }) => reason)}::text[],
        ${results.map(({ destId }) => destId)}::text[],
        ${results.map(({ parent }) => parent?.stream ?? null)}::text[],
        ${results.map(({ parent }) => parent?.id ?? null)}::text[],
        ${results.map(({ content }) => content.changes.length)}::int[],
        ${sealed}::bytea[]) u
      on conflict (import_id, stream, source_id) do update set run_number = excluded.run_number,
        state = excluded.state, reason = excluded.reason, dest_id = excluded.dest_id,
        parent_stream = excluded.parent_stream, parent_id = excluded.parent_id, changes = excluded.changes,
        content = excluded.content)
    select exists (select 1 from held) as held`.execute(db.sql);
  return rows[0]?.held === true;
};

export interface StaleResult {
  readonly sourceId: string;
  readonly state: LedgerState;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly destId: string | null;
  readonly runNumber: number;
}

/** Records of the sample without a result, or with one from before their last change. */
export const listStaleResults = async (
  db: Database,
  { leaf, importId, stream }: Lease,
  limit: number,
): Promise<readonly StaleResult[]> => {
  const { rows } = await sql<Omit<StaleResult, "state"> & { state: number }>`
    select l.source_id, l.state, l.reason, l.detail, l.dest_id, l.run_number
    from sample_records s
    join ${sql.table(leaf)} l
      on l.import_id = ${importId} and l.stream = ${stream} and l.source_id = s.source_id
    left join sample_results r
      on r.import_id = ${importId} and r.stream = ${stream} and r.source_id = s.source_id
    where s.import_id = ${importId} and s.stream = ${stream}
      and (r.run_number is distinct from l.run_number or r.state <> l.state)
    order by s.source_id limit ${limit}`.execute(db.sql);
  return rows.map((row) => ({ ...row, state: stateName(row.state) }));
};

export interface ResultsPage {
  readonly stream: string;
  /** Only parts of this record. */
  readonly of?: { readonly stream: string; readonly id: string };
  /** Only records that are in the sample for these reasons. */
  readonly why?: readonly Why[];
  /** The last id of the previous page; null: from the start. */
  readonly after: string | null;
  readonly limit: number;
}

export interface StoredResult extends ResultContent {
  readonly stream: string;
  readonly sourceId: string;
  readonly why: Why;
  readonly state: LedgerState;
  readonly reason: string | null;
  /** Its id in the destination. */
  readonly destId: string | null;
  /** The mapping revision that it was made with. */
  readonly mappingRevision: number;
}

interface ResultRow {
  readonly sourceId: string;
  readonly why: Why;
  readonly state: number;
  readonly reason: string | null;
  readonly destId: string | null;
  readonly mappingRevision: number;
  readonly content: Buffer;
  readonly dataKey: Buffer;
}

/** A page of results in the order of their ids. */
export const listStoredResults = async (
  db: Database,
  sealer: Sealer,
  importId: string,
  { stream, of, why, after, limit }: ResultsPage,
): Promise<readonly StoredResult[]> => {
  const { rows } = await sql<ResultRow>`
    select r.source_id, s.why, r.state, r.reason, r.dest_id, r.content, i.data_key,
      coalesce(n.mapping_revision, 0) as mapping_revision
    from sample_results r
    join sample_records s on s.import_id = ${importId} and s.stream = ${stream} and s.source_id = r.source_id
    join imports i on i.id = ${importId}
    left join runs n on n.import_id = ${importId} and n.number = r.run_number
    where r.import_id = ${importId} and r.stream = ${stream} and r.source_id > ${after ?? ""}
      and ${of ? sql`r.parent_stream = ${of.stream} and r.parent_id = ${of.id}` : sql`true`}
      and ${why ? sql`s.why = any(${why})` : sql`true`}
    order by r.source_id limit ${limit}`.execute(db.sql);
  return rows.map(({ sourceId, why: reasonToBe, state, content, dataKey, ...row }) => ({
    ...row,
    stream,
    sourceId,
    why: reasonToBe,
    state: stateName(state),
    ...(JSON.parse(
      sealer.open(importId, dataKey, contentField(stream, sourceId), content).reveal(),
    ) as ResultContent),
  }));
};

export interface SampleCount {
  readonly stream: string;
  readonly why: Why;
  /** Null: still to be copied. */
  readonly state: LedgerState | null;
  readonly records: number;
  /** How many of those have changed fields. */
  readonly changed: number;
}

/** The number of the sample's records by outcome. */
export const countSample = async (db: Database, importId: string): Promise<readonly SampleCount[]> => {
  const { rows } = await sql<Omit<SampleCount, "state"> & { state: number | null }>`
    select s.stream, s.why, r.state, count(*)::int as records,
      (count(*) filter (where r.changes > 0))::int as changed
    from sample_records s
    left join sample_results r on r.import_id = s.import_id and r.stream = s.stream and r.source_id = s.source_id
    where s.import_id = ${importId} group by 1, 2, 3 order by 1, 2, 3`.execute(db.sql);
  return rows.map((row) => ({ ...row, state: row.state === null ? null : stateName(row.state) }));
};
