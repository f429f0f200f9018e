export { createChooseMapping } from "./choose-mapping.ts";
export { createRuns, type Runs, type RunsNeeds } from "./create-runs.ts";
export { includedUntil } from "./included-window.ts";
export { progressOf, type QuotaOf, type RunProgress, type Standing } from "./progress.ts";
export { createQuotaOf, type QuotaNeeds } from "./quota.ts";
export { reasons } from "./reasons.ts";
export {
  listReportRecords,
  type RecordsCursor,
  type RecordsPage,
} from "./report/list-report-records.ts";
export { csvLine } from "./report/csv-line.ts";
export { reportCsv } from "./report/report-csv.ts";
export {
  addsUp,
  type CauseCount,
  makeReport,
  type Report,
  streamAddsUp,
  type StreamReport,
} from "./report/report.ts";
export { type AddressOf, createAddressOf, noAddresses } from "./report/source-address.ts";
export { findReportedRun } from "./report/store-report.ts";
export { findUndoneRun, type UndoneRun } from "./report/store-undone.ts";
export { summaryOf } from "./report/summary.ts";
export type { ChunkToSend } from "./run.ts";
export { createLoadMapping } from "./run-mapping.ts";
export { createAddToSample } from "./sample/add-to-sample.ts";
export { listSampleResults } from "./sample/list-results.ts";
export { listSampleChanges } from "./sample/sample-changes.ts";
export { countSample } from "./sample/store-results.ts";
export { eraseOldSamples, findSampleCoverage } from "./sample/store-review.ts";
export { createStandingsOf, type Shown, type StandingsOf } from "./standings.ts";
export { countCopied } from "./store-copied.ts";
export { findLatestRun, type LatestRun } from "./store-latest-run.ts";
export { dropLedgerMonths, ensureLedgerMonth } from "./store-months.ts";
export { createUndoPreview, type PreviewNeeds, type UndoPreview } from "./undo-preview/undo-preview.ts";
export {
  warningsFromFindings,
  worstFirst,
} from "./warnings-from-findings.ts";
export type { OpenedSide, OpenSide, Plant, RunMapping } from "./workplace.ts";
