export { createChooseMapping } from "./prepare/choose-mapping.ts";
export { createRuns, type Runs, type RunsNeeds } from "./create-runs.ts";
export { includedUntil } from "./lifecycle/included-window.ts";
export { progressOf, type QuotaOf, type RunProgress, type Standing } from "./progress/progress.ts";
export { createQuotaOf, type QuotaNeeds } from "./progress/quota.ts";
export { reasons } from "./progress/reasons.ts";
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
export { createLoadMapping } from "./prepare/run-mapping.ts";
export { createAddToSample } from "./sample/add-to-sample.ts";
export { listSampleResults } from "./sample/list-results.ts";
export { listSampleChanges } from "./sample/sample-changes.ts";
export { countSample } from "./sample/store-results.ts";
export { eraseOldSamples, findSampleCoverage } from "./sample/store-review.ts";
export { createStandingsOf, type Shown, type StandingsOf } from "./progress/standings.ts";
export { countCopied } from "./ledger/store-ledger.ts";
export { findLatestRun, type LatestRun } from "./progress/store-latest-run.ts";
export { dropLedgerMonths, ensureLedgerMonth } from "./ledger/store-months.ts";
export { createUndoPreview, type PreviewNeeds, type UndoPreview } from "./undo/undo-preview.ts";
export {
  warningsFromFindings,
  worstFirst,
} from "./progress/warnings-from-findings.ts";
export type { OpenedSide, OpenSide, Plant, RunMapping } from "./chunk/chunk-context.ts";
