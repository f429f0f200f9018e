import type { importJson } from "../../http/operator/represent.ts";
import { sheet, table } from "./table.ts";

/** An import as --json prints it: from the database, or from the operator API. */
export type ImportJson = ReturnType<typeof importJson>;

const statusCell = ({ status, closed }: ImportJson) => (closed ? `${status} (${closed})` : status);

export const importSheet = (shown: ImportJson, link: string | null): string =>
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
    "live run": shown.live_run,
    created: shown.created_at,
    "last change": shown.active_at,
    ...(link !== null && { link }),
  });

export const importTable = (shown: readonly ImportJson[]): string =>
  shown.length === 0
    ? "No imports."
    : table(
        ["id", "partner", "from", "to", "status", "last change"],
        shown.map((each) => [
          each.id,
          each.partner_id,
          each.source_tool,
          each.destination_tool,
          statusCell(each),
          each.active_at,
        ]),
      );
