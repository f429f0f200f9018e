import type { OperatorImport, OperatorImportDetail, OperatorStuck } from "@portage/contract/operator";
import { liveRunText } from "./live-run-shown.ts";
import { dateOf, dateText, sheet, table } from "./table.ts";

/** A signed receipt of an erasure. */
export interface Receipt {
  readonly receipt: {
    readonly import: string;
    readonly partner: string;
    readonly erased_at: string;
    readonly data_key: string;
    readonly cleared: readonly string[];
    readonly erased: Readonly<Record<string, number>>;
    readonly kept: readonly {
      readonly what: string;
      readonly tables: readonly string[];
      readonly why: string;
      readonly until: string;
    }[];
  };
  readonly jws: string;
}

const statusCell = ({ status, closed }: OperatorImport) => (closed ? `${status} (${closed})` : status);

const importSheet = (shown: OperatorImport, link: string | null): string =>
  sheet({
    id: shown.id,
    partner: shown.partner_id,
    status: statusCell(shown),
    "source tool": shown.source_tool,
    "destination tool": shown.destination_tool,
    family: shown.family,
    reference: shown.reference,
    "destination address": shown.destination_instance_url,
    "destination username": shown.destination_username,
    sponsorship: shown.sponsorship,
    bought: shown.bought,
    "full requested": shown.asked,
    "starts with full": shown.start_full,
    connected:
      [shown.source_connected && "source", shown.destination_connected && "destination"]
        .filter(Boolean)
        .join(", ") || "none",
    created: dateOf(shown.created_at),
    "last change": dateOf(shown.active_at),
    ...(link !== null && { link }),
  });

const stuckLine = ({ cause, since, waits_for, text }: OperatorStuck) =>
  `Stuck since ${dateText(new Date(since))} (${cause}, waits for ${waits_for}): ${text}`;

export const importListText = (shown: readonly OperatorImport[]): string =>
  shown.length === 0
    ? "No imports."
    : [
        table(
          ["id", "partner", "from", "to", "status", "last change"],
          shown.map((each) => [
            each.id,
            each.partner_id,
            each.source_tool,
            each.destination_tool,
            statusCell(each),
            dateOf(each.active_at),
          ]),
        ),
        ...shown.flatMap(({ id, stuck }) => (stuck ? [`${id}: ${stuckLine(stuck)}`] : [])),
      ].join("\n");

export const importText = (json: OperatorImportDetail, link: string | null): string => {
  const [last] = json.runs;
  return [
    importSheet(json, link),
    `\n${liveRunText(json)}`,
    ...(json.stuck ? [`\n${stuckLine(json.stuck)}`] : []),
    ...json.warnings.map(({ code, message }) => `\nWarning ${code}: ${message}`),
    ...(last?.failure
      ? [`\nThe last run (${last.kind}) failed: ${last.failure.code}. ${last.failure.message}`]
      : []),
    `\n${table(
      ["at", "what", "by", "status", "reason"],
      json.timeline.map(({ at, what, by, to_status, reason }) => [dateOf(at), what, by, to_status, reason]),
    )}`,
  ].join("\n");
};

export const receiptSheet = ({ receipt, jws }: Receipt): string =>
  [
    sheet({
      import: receipt.import,
      partner: receipt.partner,
      erased: receipt.erased_at,
      "data key": receipt.data_key,
      "cleared of the import": receipt.cleared.join(", "),
    }),
    table(["table", "rows deleted"], Object.entries(receipt.erased)),
    table(
      ["kept", "in", "why", "until"],
      receipt.kept.map(({ what, tables, why, until }) => [what, tables.join(", "), why, until]),
    ),
    `signed receipt: ${jws}`,
  ].join("\n\n");
