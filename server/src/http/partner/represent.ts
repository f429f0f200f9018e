import {
  type CreatedImport,
  type ImportDetail,
  type ImportEntry,
  statusTexts,
  type Warning,
} from "@portage/contract";
import {
  type Counted,
  type ImportRecord,
  type ImportWithWarnings,
  noFigures,
  redirectUrl,
} from "../../features/imports/index.ts";
import { progressJson, type ShownImport, warningsFromFindings } from "../../features/runs/index.ts";
import { findStream } from "../../features/tools/index.ts";
import type { Secret } from "../../platform/secret.ts";

/** The counts of items in the destination and of matched people. */
export const toCounts = ({ items, people }: Counted): Pick<ImportEntry, "items" | "users"> => ({
  items: { ...items },
  users: { source_tool: people.source, destination_tool: people.destination, matched: people.matched },
});

/** The counts before the first run: no items in the destination and no people matched. */
export const nothingCounted = toCounts(noFigures);

export const toCreated = (publicUrl: string, made: { id: string; linkToken: Secret }): CreatedImport => ({
  id: made.id,
  token: made.linkToken.reveal(),
  redirect_url: redirectUrl(publicUrl, made.id, made.linkToken),
});

export const toEntry = (publicUrl: string, record: ImportRecord, shown: ShownImport): ImportEntry => {
  const { status, sponsorship, activeAt } = shown.standing ?? { ...record.state, activeAt: record.activeAt };
  return {
    id: record.id,
    token: record.linkToken.reveal(),
    status: statusTexts[status],
    status_code: status,
    source_tool: record.sourceTool,
    ...toCounts(shown),
    // Without its token it would lead nowhere.
    redirect_url: record.linkToken.reveal() === "" ? "" : redirectUrl(publicUrl, record.id, record.linkToken),
    sponsorship,
    reference: record.reference,
    created_at: record.createdAt.toISOString(),
    updated_at: activeAt.toISOString(),
  };
};

/** Many warnings are about a run, a side or a sign-in, which only we tell apart. */
const knownStream = ({ family }: ImportRecord, { stream }: Warning) =>
  stream !== null && findStream(family, stream) ? stream : null;

export const toDetail = (publicUrl: string, record: ImportWithWarnings, shown: ShownImport): ImportDetail => {
  const own = (shown.standing ?? record).warnings.map((warning) => ({
    ...warning,
    stream: knownStream(record, warning),
  }));
  const warnings = [...own, ...warningsFromFindings(record.family, shown.findings)];
  return {
    ...toEntry(publicUrl, record, shown),
    family: record.family,
    ...(shown.progress && { progress: progressJson(shown.progress) }),
    ...(warnings.length > 0 && { warnings }),
  };
};
