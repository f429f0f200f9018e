import type { Database } from "../../../platform/db.ts";
import type { FindingKind } from "../../imports/index.ts";
import { findingKindOf } from "../progress/finding-kind.ts";
import type { LedgerState } from "../ledger/row-state.ts";
import { causeOf } from "./explain-exception.ts";
import type { AddressOf } from "./source-address.ts";
import { type Exception, listExceptions } from "./store-exceptions.ts";
import type { ReportedRun } from "./store-report.ts";

/** A record that was not simply written. */
export interface ReportRecord {
  readonly stream: string;
  readonly id: string;
  readonly address: string | null;
  readonly destinationId: string | null;
  readonly state: Exclude<LedgerState, "undone">;
  readonly code: string;
  /** The tool's own words; null: its code says everything. */
  readonly detail: string | null;
}

/** Where a list continues: after this id of this stream. */
export interface RecordsCursor {
  readonly stream: string;
  readonly after: string;
}

export interface RecordsPage {
  readonly records: readonly ReportRecord[];
  /** Null: there are no more. */
  readonly next: RecordsCursor | null;
}

const rowsPerPage = 2_000;
/** Rows read for one answer: among millions of fine rows a page comes back short rather than late. */
const maxLookedAt = 20_000;

/** Whether the import's findings of this kind count the record: by the check those that the source has, by an undo all that stayed. */
const isCounted = (row: Exception, finding: FindingKind, { undone }: ReportedRun): boolean =>
  row.reason !== null &&
  (undone || !row.unseen) &&
  findingKindOf({ state: row.state, code: row.reason }) === finding;

/** The records in these states, stream by stream in the order of their ids, from where the last page ended. */
export const listReportRecords = async (
  db: Database,
  importId: string,
  {
    run,
    addressOf,
    states,
    finding,
    stream: only,
    code,
    limit,
    from,
  }: {
    readonly run: ReportedRun;
    readonly addressOf: AddressOf;
    readonly states: ReadonlySet<LedgerState>;
    /** Omitted: whether or not a finding counts them. */
    readonly finding?: FindingKind | undefined;
    /** Omitted: all streams. */
    readonly stream?: string | undefined;
    /** Omitted: all causes. */
    readonly code?: string | undefined;
    readonly limit: number;
    readonly from: RecordsCursor | null;
  },
): Promise<RecordsPage> => {
  const checks = run.parts.filter(
    ({ task, stream }) => task === "verify" && (only === undefined || stream === only),
  );
  const first = from === null ? 0 : checks.findIndex(({ stream }) => stream === from.stream);
  const records: ReportRecord[] = [];
  let looked = 0;
  for (const { stream, sweptBy } of first < 0 ? [] : checks.slice(first)) {
    let after: string | null = from?.stream === stream ? from.after : "";
    while (after !== null) {
      const page = await listExceptions(
        db,
        { leaf: run.leaf, importId, sweptBy },
        { stream, after, limit: rowsPerPage },
      );
      looked += rowsPerPage;
      for (const row of page.rows) {
        if (row.state === "undone" || !states.has(row.state)) continue;
        if (finding !== undefined && !isCounted(row, finding, run)) continue;
        const { sourceId: id, destId: destinationId, state } = row;
        const cause = causeOf(row);
        if (code !== undefined && cause.code !== code) continue;
        records.push({
          stream,
          id,
          destinationId,
          state,
          ...cause,
          address: addressOf(stream, id),
        });
        if (records.length === limit) return { records, next: { stream, after: id } };
      }
      after = page.last;
      if (after !== null && looked >= maxLookedAt) return { records, next: { stream, after } };
    }
  }
  return { records, next: null };
};
