import type { Family } from "@portage/contract";
import type { Database } from "../../../platform/db.ts";
import { explainState, reasonText } from "../progress/reasons.ts";
import { countedStream } from "../progress/warnings-from-findings.ts";
import { listFields } from "../ledger/store-fields.ts";
import { fieldLines, reportFields } from "./created-fields.ts";
import { csvLine } from "../../../platform/csv-line.ts";
import { explainException } from "./explain-exception.ts";
import { type LeftBehind, leftBehind, makeReport, type StreamReport } from "./report.ts";
import type { AddressOf } from "./source-address.ts";
import { type Exception, listExceptions } from "./store-exceptions.ts";
import type { ReportedRun } from "./store-report.ts";

const rowsPerPage = 2_000;

const columns = [
  "stream",
  "source_id",
  "source_address",
  "destination_id",
  "state",
  "reason",
  "explanation",
] as const;

const lineOf = (stream: string, row: Exception, addressOf: AddressOf) => {
  const { code, explanation } = explainException(row);
  return csvLine([
    stream,
    row.sourceId,
    addressOf(stream, row.sourceId) ?? "",
    row.destId ?? "",
    row.state,
    code,
    explanation,
  ]);
};

/** A kind that was not moved has one line, without an id. */
const leftLine = (family: Family, { stream, label, code, count }: LeftBehind) => {
  const who = count === null ? label : countedStream(family, stream, count);
  return csvLine([stream, "", "", "", "left_behind", code, `${who} ${reasonText("skipped", code)}.`]);
};

/** What the comparison with the source found: the first few of each kind, as the counts of the report have no ids. */
const comparedLines = ({ stream, verified }: StreamReport, addressOf: AddressOf): string => {
  const { examples, fields } = verified;
  const line = (id: string, code: string, explanation: string) =>
    csvLine([stream, id, addressOf(stream, id) ?? "", "", "written", code, explanation]);
  const fieldsOf = (id: string) =>
    fields.filter((each) => each.examples.includes(id)).map(({ field }) => field);
  return [
    ...examples.differs.map((id) =>
      line(id, "copy_differs", `This copy differs from the old tool in: ${fieldsOf(id).join(", ") || "?"}.`),
    ),
    ...(["gone", "refused"] as const).flatMap((kind) => {
      const code = kind === "gone" ? "copy_gone" : "copy_unread";
      return examples[kind].map((id) => line(id, code, explainState("written", code)));
    }),
  ].join("");
};

/** Every record that was not simply written, every kind not moved at all, and every created field; keeps only a few pages in memory. */
export async function* reportCsv(
  db: Database,
  importId: string,
  {
    run,
    family,
    addressOf,
  }: { readonly run: ReportedRun; readonly family: Family; readonly addressOf: AddressOf },
): AsyncGenerator<string> {
  yield csvLine(columns);
  const checks = run.parts.filter(({ task }) => task === "verify");
  for (const { stream, sweptBy } of checks) {
    for (let after: string | null = ""; after !== null; ) {
      const { rows, last } = await listExceptions(
        db,
        { leaf: run.leaf, importId, sweptBy },
        { stream, after, limit: rowsPerPage },
      );
      // Also if empty: the generator notices between two pages that the reader has stopped.
      yield rows.map((row) => lineOf(stream, row, addressOf)).join("");
      after = last;
    }
  }
  for (const stream of makeReport({ importId, family }, run).streams) yield comparedLines(stream, addressOf);
  yield leftBehind(family, run)
    .map((kind) => leftLine(family, kind))
    .join("");
  yield fieldLines(reportFields(family, await listFields(db, importId)));
}
