import { askFull } from "../../../features/billing/index.ts";
import { type ImportRecord, listWarnings, moveImport } from "../../../features/imports/index.ts";
import { liveSessions } from "../../../features/links/index.ts";
import { changedFieldLabel, loadResolvedMapping, loadRevision } from "../../../features/mapping/index.ts";
import { findPartner } from "../../../features/partners/index.ts";
import {
  createAddressOf,
  createFixPreview,
  createUndoPreview,
  findReport,
  findReportedRun,
  findRunRevision,
  findUndoneRun,
  includedUntil,
  isWithinWindow,
  listReportRecords,
  listFields,
  reportFields,
  noAddresses,
  type OldLinksService,
  type UndoPreviewNeeds,
  progressOf,
  type QuotaOf,
  reportCsv,
} from "../../../features/runs/index.ts";
import type { Log } from "../../../platform/log.ts";
import type { Signer } from "../../../platform/sign.ts";
import type { WizardRoute } from "../access/route.ts";
import type { FindMatching } from "../matching/matching.ts";
import { controlRun } from "./control-run.ts";
import { askFullRoute, matchingChanged, startOver } from "./decide.ts";
import { listRecordsOfReport } from "./list-report-records.ts";
import { listImportWarnings } from "./list-warnings.ts";
import type { CustomerMove } from "./moved.ts";
import { createProgressFeed, type FeedNeeds, type ProgressFeed } from "./progress-feed.ts";
import { importSummaryJson } from "./represent.ts";
import { oldLinkRoutes } from "./show-old-links.ts";
import { scheduleRoutes } from "./schedule-routes.ts";
import { showFixPreview } from "./show-fix-preview.ts";
import { showLater } from "./show-later.ts";
import { showProgress } from "./show-progress.ts";
import { downloadReport, type ReportNeeds, showReport, showSummary } from "./show-report.ts";
import { showSafeguards } from "./show-safeguards.ts";
import { showUndoPreview } from "./show-undo-preview.ts";
import { showUndoReport } from "./show-undo-report.ts";
import { startRunRoute } from "./start-run.ts";
import { streamProgress } from "./stream-progress.ts";

export interface RunRoutesNeeds extends UndoPreviewNeeds {
  readonly log: Log;
  readonly signer: Signer;
  readonly oldLinks: OldLinksService;
  readonly publicUrl: string;
  readonly findMatching: FindMatching;
  /** The destinations' quotas; omitted: unknown. */
  readonly quotaOf?: QuotaOf;
  /** Fixes the price before the partner's rules decide; omitted: they decide once it is known. */
  readonly fixQuote?: (found: ImportRecord) => Promise<unknown>;
  /** Overrides the default limits. */
  readonly feed?: Partial<FeedNeeds> | undefined;
}

const reports = ({ db, openSide, signer }: RunRoutesNeeds): ReportNeeds => {
  const addressesOf = async ({ id, family }: ImportRecord) => {
    const source = await openSide({ importId: id, side: "source", runId: null });
    return source.kind === "open" ? createAddressOf(source, family) : noAddresses;
  };
  return {
    signer,
    addressesOf,
    labelsOf: async ({ id }) => {
      const mapping = await loadResolvedMapping(db, id);
      return (stream, change) => changedFieldLabel(mapping, stream, change);
    },
    findReport: (found) => findReport(db, found),
    reportCsv: async (found) => {
      const run = await findReportedRun(db, found.id);
      return (
        run && reportCsv(db, found.id, { run, family: found.family, addressOf: await addressesOf(found) })
      );
    },
  };
};

/** The customer starts, controls and follows runs. Close the feed before the server. */
export const runRoutes = (
  needs: RunRoutesNeeds,
): { readonly routes: readonly WizardRoute[]; readonly feed: ProgressFeed } => {
  const { db, log, quotaOf } = needs;
  const options = quotaOf ? { quotaOf } : {};
  const move: CustomerMove = ({ id, partnerId }, event) =>
    moveImport(db, event, { importId: id, partnerId, actor: { kind: "customer" } });
  const feed = createProgressFeed({
    log,
    liveSessions: (hashes) => liveSessions(db, hashes),
    read: async (importIds) =>
      new Map(
        [...(await progressOf(db, importIds, options))].map(([id, summary]) => [
          id,
          {
            text: JSON.stringify(importSummaryJson(summary)),
            closed: summary.closed,
            linkMark: summary.linkMark,
          },
        ]),
      ),
    ...needs.feed,
  });
  const report = reports(needs);
  const untilOf = async ({ partnerId, id }: Pick<ImportRecord, "partnerId" | "id">) =>
    includedUntil(db, id, (await findPartner(db, partnerId))?.includedDays ?? 0);
  const findingsOf = async (id: string) =>
    (await progressOf(db, [id], { causes: true })).get(id)?.findings ?? [];
  const preview = createUndoPreview(needs);
  const fieldsOf = async ({ id, family }: ImportRecord) => reportFields(family, await listFields(db, id));
  const routes = [
    startRunRoute({
      move,
      isWithinWindow: (found) => isWithinWindow(db, found),
    }) as WizardRoute,
    ...scheduleRoutes(db),
    ...controlRun(move),
    askFullRoute({
      ask: async (found, payer) => {
        const { id, partnerId, reference } = found;
        if (payer === "partner_decides" && found.state.status === "sample_completed")
          await needs.fixQuote?.(found);
        return askFull(db, { importId: id, partnerId, reference, payer });
      },
      findPartner: (id) => findPartner(db, id),
    }),
    startOver(move),
    matchingChanged(move),
    showProgress({ loadSummary: async (id) => (await progressOf(db, [id], options)).get(id) }),
    streamProgress(feed),
    showReport(report),
    downloadReport(report),
    showSummary(report),
    showFixPreview({
      findMatching: needs.findMatching,
      findReport: report.findReport,
      addressesOf: report.addressesOf,
      mappingOfRun: async (importId, runId) => {
        const revision = await findRunRevision(db, runId);
        return revision === undefined ? undefined : loadRevision(db, importId, revision);
      },
      previewFix: createFixPreview(needs),
    }) as WizardRoute,
    ...oldLinkRoutes(needs),
    showUndoPreview({
      previewUndo: async (found, signal) =>
        preview({ importId: found.id, ...found, report: await report.findReport(found) }, signal),
      fieldsOf,
    }),
    listImportWarnings({
      listWarnings: (id) => listWarnings(db, id),
      findingsOf,
      addressesOf: report.addressesOf,
    }),
    listRecordsOfReport({
      listRecords: async (found, page) => {
        const run = await findReportedRun(db, found.id);
        return (
          run && listReportRecords(db, found.id, { ...page, run, addressOf: await report.addressesOf(found) })
        );
      },
    }),
    showSafeguards({
      findingsOf,
      guaranteesOf: async ({ id, family }, signal) => {
        const destination = await needs.openSide({ importId: id, side: "destination", runId: null });
        if (destination.kind === "missing") return null;
        const streams = await needs.destinationStreams(destination, family, signal);
        return streams.map(({ guarantees }) => guarantees);
      },
    }),
    showLater({ findingsOf, includedUntil: untilOf }),
    showUndoReport({
      findingsOf,
      findUndone: (id) => findUndoneRun(db, id),
      fieldsOf,
    }),
  ];
  return { routes, feed };
};
