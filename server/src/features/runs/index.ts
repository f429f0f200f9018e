/**
 * Executes the work of an import: sample, full, delta, retry of failures and undo, as partitions worked on in chunks.
 * Entry points: `createRuns` (all that an engine calls: start, work on a chunk, stop, pause, resume, find overdue),
 * `progressOf`, `createLoadImportSummaries`, `makeReport`, `reportCsv`, `createUndoPreview`, `createFixPreview`,
 * `createAddToSample`, `createOldLinks` (the resolver), `addMessage` (a mail that a canary caused).
 * Invariants: An import has at most one live run (unique index runs_one_live). Only the newest attempt moves a
 * partition: claim, settle, hand-over and end check its lease's token (chunk/store-lease.ts, ledger/). One statement
 * commits a page: rows, cursor, counters and batch (ledger/store-settle.ts). A batch in doubt is settled before its
 * records are written again (copy/settle-doubt.ts), and a row never forgets its copy (copy/keep-copy.ts). If commits may
 * be lost, every record is looked up before it is created (lifecycle/store-servers.ts, copy/look-first.ts). A person's
 * edit is never overwritten (copy/edited-since.ts) or removed (undo/removable.ts). The engine gets no customer data
 * (run.ts).
 * Stages:
 * - chunk: what a task gets for one chunk: lease, context, budget, tallies.
 * - ledger: one row per source record: claim, settle, keys, monthly tables.
 * - prepare: chooses the mapping and plans the run's steps.
 * - silence: measures, before anything is copied, that the destination sends no messages.
 * - copy: reads pages, plans and writes records, settles batches in doubt.
 * - linking: sets links whose targets came later; removes replaced copies of people.
 * - verify: counts the source independently and reads copies back.
 * - undo: previews and removes copies.
 * - sample: chooses a small representative set and keeps its review.
 * - progress: figures, findings and estimates of live and ended runs.
 * - report: accounts for every record after a run.
 * - fix: previews what a changed mapping makes of records that failed.
 * - old-links: leads from the old tool's addresses to the copies, without a sign-in.
 * - lifecycle: starts, controls, recovers and ends runs; work-chunk.ts is the durable step.
 */
export { createChooseMapping } from "./prepare/choose-mapping.ts";
export { createRuns, type RunService, type RunsNeeds } from "./create-runs.ts";
export { includedUntil } from "./lifecycle/included-window.ts";
export {
  isWithinWindow,
  needsWindow,
  runRequest,
  type RunRequest,
  runRequestEvent,
} from "./lifecycle/request-run.ts";
export { findRunRevision } from "./lifecycle/store-runs.ts";
export { recognizeLoss } from "./lifecycle/store-servers.ts";
export { progressOf, type QuotaOf, type RunProgress, type ImportSummary } from "./progress/progress.ts";
export { progressJson } from "./progress/progress-json.ts";
export { createQuotaOf, type QuotaNeeds } from "./progress/quota.ts";
export { reasons } from "./progress/reasons.ts";
export {
  listReportRecords,
  type RecordsCursor,
  type RecordsPage,
} from "./report/list-report-records.ts";
export { readRecordsCursor, recordsCursorText } from "./report/records-cursor.ts";
export { reportFields, type ReportedField } from "./report/created-fields.ts";
export { listFields } from "./ledger/store-fields.ts";
export { createFixPreview, type FixPreview, type FixQuestion } from "./fix/preview-fix.ts";
export { findReport } from "./report/find-report.ts";
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
export { bytesField } from "./verify/compare-copies.ts";
export { findReportedRun } from "./report/store-report.ts";
export { findUndoneRun, type UndoneRun } from "./report/store-undone.ts";
export { summaryOf } from "./report/summary.ts";
export type { ChunkEnd, ChunkRef, ChunkToSend, RunCause, RunKind, Side } from "./run.ts";
export { createLoadMapping } from "./prepare/run-mapping.ts";
export { createAddToSample } from "./sample/add-to-sample.ts";
export { listSampleResults } from "./sample/list-results.ts";
export { listSampleChanges } from "./sample/sample-changes.ts";
export { countSample } from "./sample/store-results.ts";
export { eraseOldSamples, findChoosing, findSampleCoverage } from "./sample/store-review.ts";
export { streamIn, tokenIn } from "./silence/canary-address.ts";
export { canaryStreams, type SilenceNeeds } from "./silence/measured-by.ts";
export {
  addMessage,
  type CaughtMessage,
  findSilence,
  isKnownToken,
  noteMailboxChange,
} from "./silence/store-silence.ts";
export { recordTitle } from "./sample/record-title.ts";
export {
  createLoadImportSummaries,
  type ShownImport,
  type LoadImportSummaries,
} from "./progress/load-import-summaries.ts";
export { countCopied } from "./ledger/store-ledger.ts";
export { findLatestRun, type LatestRun } from "./progress/store-latest-run.ts";
export {
  createOldLinks,
  type OldLink,
  oldLinkJson,
  type OldLinksCursor,
  type OldLinksService,
} from "./old-links/create-old-links.ts";
export { deleteExpiredOldLinks } from "./old-links/store-old-links.ts";
export { dropLedgerMonths, ensureLedgerMonth } from "./ledger/store-months.ts";
export { createUndoPreview, type UndoPreviewNeeds, type UndoPreview } from "./undo/undo-preview.ts";
export {
  findingSentence,
  warningsFromFindings,
  worstFirst,
} from "./progress/warnings-from-findings.ts";
export type { OpenedSide, OpenRunSide, RunMapping } from "./chunk/chunk-context.ts";
