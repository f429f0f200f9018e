import type { WizardReport } from "@portage/contract/wizard";
import type { Unsent } from "../represent.ts";
import { Readable } from "node:stream";
import type { ImportRecord } from "../../../features/imports/index.ts";
import {
  addsUp,
  type AddressOf,
  bytesField,
  type CauseCount,
  type Report,
  type StreamReport,
  streamAddsUp,
  summaryOf,
} from "../../../features/runs/index.ts";
import type { Signer } from "../../../platform/sign.ts";
import { ok, Problem } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";

type LabelOf = (stream: string, change: { readonly field: string; readonly why: string }) => string;

export interface ReportNeeds {
  /** Undefined: no copy has completed yet. */
  readonly findReport: (found: ImportRecord) => Promise<Report | undefined>;
  readonly addressesOf: (found: ImportRecord) => Promise<AddressOf>;
  /** The display name of a field that changed. */
  readonly labelsOf: (found: ImportRecord) => Promise<LabelOf>;
  readonly reportCsv: (found: ImportRecord) => Promise<AsyncIterable<string> | undefined>;
  readonly signer: Signer;
}

export const reportNotFound = () =>
  new Problem(
    "not_found",
    "There is no report yet. It appears at the end of a copy, once everything is verified.",
  );

const exampleJson = (stream: string, addressOf: AddressOf) => (id: string) => ({
  id,
  address: addressOf(stream, id),
});

const streamJson = (
  { keptFromBefore: _, ...stream }: StreamReport,
  addressOf: AddressOf,
  labelOf: LabelOf,
) => {
  const example = exampleJson(stream.stream, addressOf);
  const causes = (all: readonly CauseCount[]) =>
    all.map(({ code, count, examples }) => ({ code, count, examples: examples.map(example) }));
  const { examples, fields, ...verified } = stream.verified;
  return {
    ...stream,
    skipped: causes(stream.skipped),
    failed: causes(stream.failed),
    behind: causes(stream.behind),
    changes: stream.changes.map((change) => ({ ...change, label: labelOf(stream.stream, change) })),
    verified: {
      ...verified,
      fields: fields.map((each) => ({
        ...each,
        label:
          each.field === bytesField
            ? "File contents"
            : labelOf(stream.stream, { field: each.field, why: "" }),
        examples: each.examples.map(example),
      })),
      examples: {
        differs: examples.differs.map(example),
        gone: examples.gone.map(example),
        doubled: examples.doubled.map(example),
        changedAtSource: examples.changedAtSource.map(example),
        refused: examples.refused.map(example),
      },
    },
    addsUp: streamAddsUp(stream),
  };
};

/** The outcome of every record, and whether the counts add up. */
export const showReport = ({ findReport, addressesOf, labelsOf }: ReportNeeds): WizardRoute => ({
  method: "GET",
  path: "/report",
  handle: async ({ import: found }) => {
    const report = await findReport(found);
    if (!report) throw reportNotFound();
    const addressOf = await addressesOf(found);
    const labelOf = await labelsOf(found);
    return ok({
      run: report.run,
      undone: report.undone,
      addsUp: addsUp(report),
      leftBehind: report.leftBehind,
      createdFields: report.createdFields,
      silence: report.silence && { ...report.silence, messages: report.silence.messages.length },
      streams: report.streams.map((stream) => streamJson(stream, addressOf, labelOf)),
    } satisfies Unsent<WizardReport>);
  },
});

/** The CSV of all records that were not simply written. */
export const downloadReport = ({ reportCsv }: ReportNeeds): WizardRoute => ({
  method: "GET",
  path: "/report.csv",
  handle: async ({ import: found }) => {
    const lines = await reportCsv(found);
    if (!lines) throw reportNotFound();
    return ok(Readable.from(lines), {
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": `attachment; filename="report-${found.id}.csv"`,
      "x-content-type-options": "nosniff",
    });
  },
});

/** A signed summary of the report, which the customer can show to others. */
export const showSummary = ({ findReport, signer }: ReportNeeds): WizardRoute => ({
  method: "GET",
  path: "/report/summary",
  handle: async ({ import: found }) => {
    const report = await findReport(found);
    if (!report) throw reportNotFound();
    const summary = summaryOf(found, report, new Date());
    return ok({ summary, jws: signer.sign(summary) });
  },
});
