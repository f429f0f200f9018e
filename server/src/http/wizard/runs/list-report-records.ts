import type { WizardReportRecord, WizardReportRecords } from "@portage/contract/wizard";
import type { ImportRecord } from "../../../features/imports/index.ts";
import {
  readRecordsCursor,
  type RecordsCursor,
  recordsCursorText,
  type RecordsPage,
} from "../../../features/runs/index.ts";
import { invalid, ok } from "../../answer.ts";
import { limitRule, readLimit } from "../../page-limit.ts";
import type { Query } from "../../query.ts";
import type { WizardRoute } from "../access/route.ts";
import { reportNotFound } from "./show-report.ts";

type State = WizardReportRecord["state"];

interface Needs {
  /** Undefined: no copy has completed yet. */
  readonly listRecords: (
    found: ImportRecord,
    page: {
      readonly states: ReadonlySet<State>;
      readonly limit: number;
      readonly from: RecordsCursor | null;
    },
  ) => Promise<RecordsPage | undefined>;
}

const states = ["failed", "skipped", "matched", "written", "kept"] as const satisfies readonly State[];

const isState = (name: string): name is State => (states as readonly string[]).includes(name);

const readStates = (query: Query): ReadonlySet<State> | null => {
  const names = (query.get("state")?.text ?? states.join(",")).split(",");
  return names.every(isState) ? new Set(names) : null;
};

const readCursor = (query: Query): RecordsCursor | null | "invalid" => {
  const text = query.get("cursor")?.text;
  return text === undefined ? null : readRecordsCursor(text);
};

/** Pages through the records that were not simply written. */
export const listRecordsOfReport = ({ listRecords }: Needs): WizardRoute => ({
  method: "GET",
  path: "/report/records",
  handle: async ({ import: found, query }) => {
    const limit = readLimit(query);
    if (limit === null) return invalid({ limit: [limitRule] });
    const wanted = readStates(query);
    if (!wanted) return invalid({ state: [`must be some of ${states.join(", ")}`] });
    const from = readCursor(query);
    if (from === "invalid") return invalid({ cursor: ["is not one of ours"] });
    const page = await listRecords(found, { states: wanted, limit, from });
    if (!page) throw reportNotFound();
    const { records, next } = page;
    return ok({
      records,
      next: next && recordsCursorText(next),
    } satisfies WizardReportRecords);
  },
});
