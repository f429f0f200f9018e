/**
 * An import and its status: the state machine, its audit log, the customer's link, sign-ins and warnings.
 * Entry points: `createImport`, `moveImport` and `moveWithin` (apply an event), `connectSide`, `disconnectSide`,
 * `beginSignIn`, `finishSignIn`, `requireSignIn`, `findImport`, `listImports`; for retention `archiveIdleImports` and
 * `eraseFinishedSignIns`; for a planned start `scheduleStart`, `cancelSchedule` and `runScheduledStarts`.
 * Invariants: A status changes only by a row of the transition table, through the pure `step` (machine.ts). One
 * transaction under the import's lock writes status, audit row, events, outbox and money (move.ts, store-changes.ts).
 * A closed import accepts only the end of its live run and a refund (machine.ts); its credentials are purged once no
 * run is live. A planned start is a row that lives while the import is in preparation: taking it up and what ends it are one
 * transaction each (schedule-start.ts, store-changes.ts). While copies exist or a run is live, a side can't switch to another account (connect-side.ts).
 */
export { archiveIdleImports } from "./archive-idle.ts";
export { type Connected, connectSide } from "./connect-side.ts";
export { type Created, createImport } from "./create.ts";
export { type Disconnected, disconnectSide } from "./disconnect-side.ts";
export { eraseFinishedSignIns, signInKeptDays } from "./erase-finished.ts";
export {
  type Counted,
  type Figures,
  type RunFinding,
  type FindingKind,
  noFigures,
  type PeopleCounted,
} from "./figures.ts";
export {
  type Actor,
  type ImportRecord,
  type ImportFilter,
  type ImportWithWarnings,
  usernameKey,
} from "./import.ts";
export { holdUndo } from "./hold-undo.ts";
export { leftOver } from "./left-over.ts";
export { newLinkToken, redirectUrl, reissueLink } from "./link.ts";
export { step } from "./machine.ts";
export { type Moved, moveImport, moveWithin } from "./move.ts";
export { forgetRefusals, pauseForRefusals, refusalsNeedYou } from "./pause-for-refusals.ts";
export { requireSignIn } from "./require-sign-in.ts";
export { runControls } from "./run-controls.ts";
export {
  cancelSchedule,
  runScheduledStarts,
  scheduleStart,
} from "./schedule-start.ts";
export { findSchedule, type Schedule } from "./store-schedule.ts";
export { beginSignIn, finishSignIn, type SignInFinished } from "./sign-in.ts";
export { signOut } from "./sign-out.ts";
export { findGiven, signInNeeded } from "./store-connecting.ts";
export { lockImport } from "./store-changes.ts";
export { saveFigures, savePeopleFound } from "./store-figures.ts";
export { preflightFailed, type PreflightWarning, replacePreflightWarnings } from "./store-preflight.ts";
export { type CountedColumns, dataKeys, linkTokenIfKnown, openLinkToken, toCounted } from "./store-rows.ts";
export { firstImportAt, signInsErasedAt } from "./store-retention.ts";
export {
  type ImportEvent,
  type ImportState,
  isPaid,
  newImportState,
  type RunEnd,
  type RunCause,
  type RunKind,
  type Side,
} from "./state.ts";
export { findAnyImport, findImport, findPartnerId } from "./store.ts";
export { listImports } from "./store-list.ts";
export { listAudit } from "./store-audit.ts";
export { forgetUndoHeld } from "./store-undo-held.ts";
export { listWarnings, warningsOfImport } from "./store-warnings.ts";
export { newImportRefused, validateNewImport } from "./validate-new.ts";
export { whyNotControlled, whyNotStarted } from "./why-refused.ts";
export { isTimeZone, localTimePattern, momentOf } from "./zoned-time.ts";
export { type PreflightCode, preflightTexts, warningTexts } from "./warnings.ts";
