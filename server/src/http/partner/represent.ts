import { type CreatedImport, type ImportDetail, type ImportEntry, statusTexts } from "@portage/contract";
import { type ImportRecord, type ImportWithWarnings, redirectUrl } from "../../features/imports/index.ts";
import type { Secret } from "../../platform/secret.ts";

/** Before anything is counted: nothing is in the destination yet and nobody was looked for. */
export const nothingCounted = { items: {}, users: { source_tool: 0, destination_tool: 0, matched: 0 } };

export const toCreated = (publicUrl: string, made: { id: string; linkToken: Secret }): CreatedImport => ({
  id: made.id,
  token: made.linkToken.reveal(),
  redirect_url: redirectUrl(publicUrl, made.id, made.linkToken),
});

export const toEntry = (publicUrl: string, record: ImportRecord): ImportEntry => ({
  id: record.id,
  token: record.linkToken.reveal(),
  status: statusTexts[record.state.status],
  ...nothingCounted,
  redirect_url: redirectUrl(publicUrl, record.id, record.linkToken),
  sponsorship: record.state.sponsorship,
  reference: record.reference,
});

export const toDetail = (publicUrl: string, record: ImportWithWarnings): ImportDetail => ({
  ...toEntry(publicUrl, record),
  family: record.family,
  ...(record.warnings.length > 0 && { warnings: [...record.warnings] }),
});
