import type { ImportReport } from "@portage/contract";
import type { ImportRecord } from "../../features/imports/index.ts";
import {
  addsUp,
  type CauseCount,
  findingSentence,
  type Report,
  streamAddsUp,
  type StreamReport,
} from "../../features/runs/index.ts";

/** An import as its report names it. */
export type ReportedImport = Pick<
  ImportRecord,
  "id" | "reference" | "sourceTool" | "destinationTool" | "family"
>;

type Wire = ImportReport["streams"][number];

/** The same field may have changed for several reasons, which only the customer's report tells. */
const changedFields = (changes: StreamReport["changes"]): Wire["changed_fields"] => {
  const fields = new Map<string, Wire["changed_fields"][number]>();
  for (const { field, change, count } of changes) {
    const known = fields.get(`${change}|${field}`);
    fields.set(`${change}|${field}`, { field, change, count: (known?.count ?? 0) + count });
  }
  return [...fields.values()];
};

const toStream = (family: ImportReport["family"], report: StreamReport): Wire => {
  const { stream, label, source, written, matched, verified } = report;
  const causes = (kind: "skipped" | "failed" | "kept", counts: readonly CauseCount[]) =>
    counts.map(({ code, count }) => ({
      code,
      message: findingSentence(family, { stream, kind, code, count }),
      count,
    }));
  return {
    stream,
    label,
    source,
    written,
    matched,
    skipped: causes("skipped", report.skipped),
    failed: causes("failed", report.failed),
    behind: causes("kept", report.behind),
    deleted_at_source: report.deletedAtSource,
    changed_fields: changedFields(report.changes),
    verified: {
      sampled_one_of: verified.oneOf,
      compared: verified.compared,
      same: verified.same,
      differs: verified.differs,
      gone: verified.gone,
      doubled: verified.doubled,
      changed_at_source: verified.changedAtSource,
      refused: verified.refused,
      differing_fields: verified.fields.map(({ field, count }) => ({ field, count })),
      files: verified.files,
    },
    adds_up: streamAddsUp(report),
  };
};

/** The customer's report without its examples: no record's id leaves it, and nothing of a record's content. */
export const toReport = (found: ReportedImport, report: Report): ImportReport => ({
  id: found.id,
  reference: found.reference,
  source_tool: found.sourceTool,
  destination_tool: found.destinationTool,
  family: found.family,
  run: {
    number: report.run.number,
    kind: report.run.kind as ImportReport["run"]["kind"],
    started_at: report.run.startedAt.toISOString(),
    ended_at: report.run.endedAt.toISOString(),
  },
  undone: report.undone,
  adds_up: addsUp(report),
  streams: report.streams.map((stream) => toStream(found.family, stream)),
  left_behind: report.leftBehind.map(({ stream, label, code, count }) => ({
    stream,
    label,
    reason: code,
    count,
  })),
  created_fields: report.createdFields.map(({ stream, name, type, state }) => ({
    stream,
    name,
    type,
    state,
  })),
  silence: report.silence && {
    records: report.silence.records,
    messages: report.silence.messages.length,
    measured_at: report.silence.at.toISOString(),
  },
});
