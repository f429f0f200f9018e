import type { ReportSummary } from "@portage/contract/report-summary";
import type { ImportRecord } from "../../imports/index.ts";
import { addsUp, type CauseCount, type Report, streamAddsUp } from "./report.ts";

const byCause = (causes: readonly CauseCount[]) =>
  Object.fromEntries(causes.map(({ code, count }) => [code, count]));

/** The report in short, without any record's id: safe to sign and to share. */
export const summaryOf = (
  found: Pick<ImportRecord, "id" | "reference" | "sourceTool" | "destinationTool" | "family">,
  report: Report,
  now: Date,
): ReportSummary => ({
  version: 1,
  import_id: found.id,
  reference: found.reference,
  source_tool: found.sourceTool,
  destination_tool: found.destinationTool,
  family: found.family,
  run: {
    number: report.run.number,
    kind: report.run.kind as ReportSummary["run"]["kind"],
    started_at: report.run.startedAt.toISOString(),
    ended_at: report.run.endedAt.toISOString(),
  },
  undone: report.undone,
  streams: report.streams.map((stream) => ({
    stream: stream.stream,
    source: stream.source,
    written: stream.written,
    matched: stream.matched,
    skipped: byCause(stream.skipped),
    failed: byCause(stream.failed),
    deleted_at_source: stream.deletedAtSource,
    compared: stream.verified.compared,
    differs: stream.verified.differs,
    gone: stream.verified.gone,
    differing_fields: Object.fromEntries(stream.verified.fields.map(({ field, count }) => [field, count])),
    changed_at_source: stream.verified.changedAtSource,
    refused: stream.verified.refused,
    sampled_one_of: stream.verified.oneOf,
    ...(stream.verified.files ? { files: stream.verified.files } : {}),
    doubled: stream.verified.doubled,
    adds_up: streamAddsUp(stream),
  })),
  left_behind: report.leftBehind.map(({ stream, code, count }) => ({ stream, reason: code, count })),
  silence: report.silence && {
    records: report.silence.records,
    messages: report.silence.messages.length,
    measured_at: report.silence.at.toISOString(),
  },
  adds_up: addsUp(report),
  made_at: now.toISOString(),
});
