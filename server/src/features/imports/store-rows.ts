import { hash } from "node:crypto";
import type { Selectable } from "kysely";
import { Secret } from "../../platform/secret.ts";
import type { Imports } from "../../platform/schema.ts";
import { dataKeyContext, type Sealer, SealError } from "../../platform/seal.ts";
import type { SealedColumn } from "../../platform/sealed-column.ts";
import type { Counted } from "./figures.ts";
import type { ImportRecord } from "./import.ts";
import type { ImportState } from "./state.ts";

export type ImportRow = Omit<Selectable<Imports>, "findings">;

/** An import as `importColumns` selects it. */
export type FoundRow = ImportRow & { bought: boolean };

/** Of the table `i`, in SQL. */
export const importColumns = `i.id, i.partner_id as "partnerId", i.source_tool as "sourceTool", i.destination_tool as "destinationTool",
  i.family, i.reference, i.destination_instance_url as "destinationInstanceUrl",
  i.destination_username as "destinationUsername", i.data_key as "dataKey", i.link_token as "linkToken", i.status,
  i.sponsorship, i.start_full as "startFull", i.asked, i.sponsored_full_started as "sponsoredFullStarted",
  i.source_connected as "sourceConnected", i.destination_connected as "destinationConnected",
  i.sample_copy as "sampleCopy", i.full_copy as "fullCopy", i.live_run as "liveRun", i.stopping, i.closed,
  i.closed_at as "closedAt", i.created_at as "createdAt", i.active_at as "activeAt", i.items, i.source_people as "sourcePeople",
  i.destination_people as "destinationPeople", i.matched_people as "matchedPeople",
  coalesce((select sum(e.amount) > 0 from money_entries e where e.import_id = i.id and e.account = 'customer_paid'), false) as bought`;

/** The data keys of all that is sealed for an import. */
export const dataKeys: SealedColumn = {
  what: "data keys of imports",
  table: "imports",
  column: "data_key",
  key: ["id"],
  about: ([id = ""]) => dataKeyContext(id),
};

export const linkTokenField = "link-token";
export const destinationTokenField = "destination-token";

export const toState = (row: Omit<ImportRow, "linkToken">, bought: boolean): ImportState => ({
  status: row.status as ImportState["status"],
  sponsorship: row.sponsorship as ImportState["sponsorship"],
  bought,
  asked: row.asked,
  startFull: row.startFull,
  sponsoredFullStarted: row.sponsoredFullStarted,
  sourceConnected: row.sourceConnected,
  destinationConnected: row.destinationConnected,
  sampleCopy: row.sampleCopy as ImportState["sampleCopy"],
  fullCopy: row.fullCopy as ImportState["fullCopy"],
  liveRun: row.liveRun as ImportState["liveRun"],
  stopping: row.stopping as ImportState["stopping"],
  closed: row.closed as ImportState["closed"],
});

/** The columns that hold a state; `bought` has none, it is the sum of the money rows. */
export const stateColumns = ({ bought: _, ...columns }: ImportState) => columns;

/** The token of an import's link; empty, which no request can send, if the import was erased. */
export const openLinkToken = (
  sealer: Sealer,
  row: Pick<ImportRow, "id" | "dataKey" | "linkToken">,
): Secret =>
  row.linkToken.length === 0
    ? new Secret("")
    : sealer.open(row.id, row.dataKey, linkTokenField, row.linkToken);

/** For lists, empty also if no key opens it: one import must not hide all others. Asked for alone, it is an error. */
export const linkTokenIfKnown = (...given: Parameters<typeof openLinkToken>): Secret => {
  try {
    return openLinkToken(...given);
  } catch (error) {
    if (error instanceof SealError) return new Secret("");
    throw error;
  }
};

export type CountedColumns = Pick<
  ImportRow,
  "items" | "sourcePeople" | "destinationPeople" | "matchedPeople"
>;

export const toCounted = (row: CountedColumns): Counted => ({
  items: row.items as Counted["items"],
  people: {
    source: row.sourcePeople,
    destination: row.destinationPeople,
    matched: row.matchedPeople,
  },
});

export const toRecord = (
  sealer: Sealer,
  row: ImportRow,
  bought: boolean,
  linkToken: Secret = openLinkToken(sealer, row),
): ImportRecord => ({
  id: row.id,
  partnerId: row.partnerId,
  sourceTool: row.sourceTool,
  destinationTool: row.destinationTool,
  family: row.family as ImportRecord["family"],
  reference: row.reference,
  destinationInstanceUrl: row.destinationInstanceUrl,
  destinationUsername: row.destinationUsername,
  linkToken,
  // Like sha256(link_token) in SQL: sealing never makes the same bytes twice.
  linkMark: hash("sha256", row.linkToken, "hex"),
  state: toState(row, bought),
  counted: toCounted(row),
  createdAt: row.createdAt,
  activeAt: row.activeAt,
  closedAt: row.closedAt,
});
