import { families, statusCodes } from "@portage/contract";
import {
  flag,
  linkSchema,
  listedImport,
  next,
  page,
  queryTime,
  recordFindings,
  recordSchema,
  recordStates,
  reportSchema,
  shownImport,
  undoPreviewSchema,
  waitedFor,
} from "@portage/contract/operator";
import { z } from "zod";
import { listAccounts } from "../../features/connections/index.ts";
import {
  type ImportFilter,
  type ImportRecord,
  listImports as list,
  listAudit,
  listWarnings,
  redirectUrl,
} from "../../features/imports/index.ts";
import { findStuck, listRuns, type Stuck, stuckCauses } from "../../features/operations/index.ts";
import {
  createUndoPreview,
  findReport,
  findReportedRun,
  listReportRecords,
  noAddresses,
  progressOf,
  type QuotaOf,
  readRecordsCursor,
  recordsCursorText,
  type UndoPreviewNeeds,
} from "../../features/runs/index.ts";
import { type AuditEntry, isByApiToken, listStaffAudit } from "../../features/staff/index.ts";
import { findAccountHealth } from "../../features/tool-limits/index.ts";
import { listDeliveries } from "../../features/webhooks/index.ts";
import type { Database } from "../../platform/db.ts";
import { firstIdAt } from "../../platform/ids.ts";
import type { Sealer } from "../../platform/seal.ts";
import { Problem } from "../answer.ts";
import { knownImport, knownPartner, partnerNotFound } from "./find.ts";
import { InvalidInput } from "./invalid-input.ts";
import { type OperatorRoute, operatorRoute } from "./operation.ts";
import { pageOf } from "../../platform/page-of.ts";
import {
  accountJson,
  deliveryJson,
  importJson,
  detailedProgressJson,
  reportJson,
  runJson,
  stuckJson,
} from "./represent.ts";
import { findingsWithoutRecords, runWithoutRecords } from "./without-records.ts";

export interface ImportReadsNeeds {
  readonly sealer: Sealer;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  /** The destinations' quotas; omitted: unknown. */
  readonly quotaOf?: QuotaOf;
}

export interface PreviewUndoNeeds extends Pick<UndoPreviewNeeds, "openSide" | "destinationStreams"> {
  readonly sealer: Sealer;
}

const filters = z.object({
  status: z.enum(statusCodes, { error: `must be one of ${statusCodes.join(", ")}` }).optional(),
  partner: z.string().optional().describe("The partner's id."),
  tool: z.string().optional().describe("The source or the destination."),
  family: z.enum(families, { error: `must be one of ${families.join(", ")}` }).optional(),
  stuck: flag.optional().describe("Only those that are stuck, or only those that are not."),
  waits_for: z
    .enum(waitedFor, { error: `must be one of ${waitedFor.join(", ")}` })
    .optional()
    .describe("Only those that are stuck and wait for this."),
  running: flag.optional().describe("Only those with a live run, or only those without."),
  closed: flag.optional(),
  text: z
    .string()
    .optional()
    .describe("An import's id, a reference or a destination username, each in full."),
  reference: z.string().optional(),
  destination_username: z.string().optional(),
  created_since: queryTime.optional(),
  created_until: queryTime.optional(),
  before: z.string().optional().describe("The last id of the page before."),
  ...page,
});

/** The newest of several lists that are sorted newest first. */
const merge = (lists: readonly (readonly ImportRecord[])[], limit: number) =>
  [...new Map(lists.flat().map((each) => [each.id, each])).values()]
    .toSorted((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, limit);

const allows = (wanted: readonly string[] | undefined, text: string) =>
  wanted === undefined || wanted.includes(text);

/** What an index finds each; an import is listed if one of them does. */
const alternatives = (filter: ImportFilter, tool: string | undefined, text: string | undefined) => {
  const byTool: readonly ImportFilter[] =
    tool === undefined
      ? [filter]
      : [
          { ...filter, sourceTool: tool },
          { ...filter, destinationTool: tool },
        ];
  if (text === undefined) return byTool;
  return byTool.flatMap((each): readonly ImportFilter[] => [
    ...(allows(filter.ids, text) ? [{ ...each, ids: [text] }] : []),
    ...(allows(filter.references, text) ? [{ ...each, references: [text] }] : []),
    ...(allows(filter.usernames, text) ? [{ ...each, usernames: [text] }] : []),
  ]);
};

const listImports = (needs: ImportReadsNeeds) =>
  operatorRoute(
    {
      id: "listImports",
      method: "GET",
      path: "/imports",
      area: "imports",
      role: "viewer",
      partner: true,
      summary: "List imports",
      description:
        "Imports of all partners, newest first, closed ones included. `stuck` says why nothing happens though something " +
        "should, since when, and who or what the import waits for; null: it is not stuck. Go on with `before` = `next`.",
      query: filters,
      answer: z.object({ imports: z.array(listedImport), next: next("before") }),
    },
    async ({ db, query, session }) => {
      const { limit, tool } = query;
      const { partnerId } = session;
      if (partnerId !== null && query.partner !== undefined && query.partner !== partnerId)
        throw partnerNotFound();
      if (query.partner !== undefined) await knownPartner(db, query.partner);
      const stuckNow =
        query.stuck === undefined && query.waits_for === undefined ? null : await findStuck(db);
      const until = query.created_until && firstIdAt("imp", query.created_until.getTime());
      const before = [query.before, until].filter((id) => id !== undefined).toSorted()[0] ?? null;
      const isWanted = ({ cause }: Stuck) =>
        query.waits_for === undefined || stuckCauses[cause].waitsFor === query.waits_for;
      const filter: ImportFilter = {
        partnerId: partnerId ?? query.partner,
        status: query.status,
        family: query.family,
        closed: query.closed,
        running: query.running,
        references: query.reference === undefined ? undefined : [query.reference],
        usernames: query.destination_username === undefined ? undefined : [query.destination_username],
        createdAfter: query.created_since,
        ...(stuckNow &&
          (query.stuck === true || query.waits_for !== undefined) && {
            ids: [...stuckNow.values()].filter(isWanted).map(({ importId }) => importId),
          }),
        ...(query.stuck === false && stuckNow && { exceptIds: [...stuckNow.keys()] }),
      };
      const window = { before, limit: limit + 1 };
      const lists: (readonly ImportRecord[])[] = [];
      for (const each of alternatives(filter, tool, query.text))
        lists.push(await list(db, needs.sealer, each, window));
      const found = merge(lists, limit + 1);
      const { rows, next: goOn } = pageOf(found, limit, ({ id }) => id);
      const stuck =
        stuckNow ??
        (await findStuck(
          db,
          rows.map(({ id }) => id),
        ));
      return {
        body: {
          imports: rows.map((each) => ({ ...importJson(each), stuck: stuckJson(stuck.get(each.id)) })),
          next: goOn,
        },
      };
    },
  );

const maxDeliveries = 20;
const maxStaffCalls = 200;

const eventsOf = async (db: Database, importId: string) =>
  (await listAudit(db, importId)).map(({ at, event, actor, fromStatus, toStatus }) => ({
    at,
    kind: "event" as const,
    what: event.type,
    by: actor,
    from_status: fromStatus,
    to_status: toStatus,
    reason: null,
    request_id: null,
  }));

const callsAbout = (db: Database, importId: string) =>
  listStaffAudit(db, { targetId: importId, changes: true, limit: maxStaffCalls });

/** What the partner changed with an API token. */
const byToken = (calls: readonly AuditEntry[], partnerId: string) =>
  calls.filter(isByApiToken).map(({ at, action, requestId }) => ({
    at,
    kind: "event" as const,
    what: action,
    by: `partner:${partnerId}`,
    from_status: null,
    to_status: null,
    reason: null,
    request_id: requestId,
  }));

/** For people of partners: who of the staff did something, and why, is not theirs to read. */
const partnerTimelineOf = async (db: Database, { id, partnerId }: ImportRecord) =>
  [
    ...(await eventsOf(db, id)).map((event) => ({
      ...event,
      by: event.by.replace(/^operator:.*/, "operator"),
    })),
    ...byToken(await callsAbout(db, id), partnerId),
  ].toSorted((a, b) => b.at.getTime() - a.at.getTime());

/** Everything that happened to the import and that the staff did about it, newest first. Reads are left to the audit log. */
const timelineOf = async (db: Database, { id, partnerId }: ImportRecord) => {
  const events = await eventsOf(db, id);
  const calls = await callsAbout(db, id);
  const ofStaff = calls.filter((call) => !isByApiToken(call));
  const staff = ofStaff.map(({ at, action, outcome, staffName, machineUser, reason, requestId }) => ({
    at,
    kind: "staff" as const,
    what: outcome === "done" ? action : `${action}: ${outcome}`,
    by: staffName ?? machineUser ?? "",
    from_status: null,
    to_status: null,
    reason,
    request_id: requestId,
  }));
  return [...events, ...byToken(calls, partnerId), ...staff].toSorted(
    (a, b) => b.at.getTime() - a.at.getTime(),
  );
};

/** How full the quotas are of the accounts that it uses. */
const accountsOf = async (db: Database, importId: string) => {
  const connected = (await listAccounts(db, importId)).filter(({ state }) => state !== "disconnected");
  const health = await findAccountHealth(db, connected);
  return connected.flatMap(({ side, tool, accountId }) =>
    health
      .filter((each) => each.tool === tool && each.accountId === accountId)
      .map((each) => ({ side, tool, ...accountJson(each) })),
  );
};

const showImport = (needs: ImportReadsNeeds) =>
  operatorRoute(
    {
      id: "showImport",
      method: "GET",
      path: "/imports/:id",
      area: "imports",
      role: "viewer",
      partner: true,
      summary: "Show an import",
      description:
        "All that is known: what it waits for and since when, its runs with their partitions, leases and positions, how long " +
        "the live run still takes, records by state and cause, the quotas of its accounts, webhooks, and the timeline of events, calls of the staff and changes by the partner's API tokens. " +
        "The customer link is not in it: read it by itself. People of partners read counts and causes, and nothing that names a record.",
      answer: shownImport,
    },
    async ({ db, params, session }) => {
      const { id = "" } = params;
      const { sealer, quotaOf } = needs;
      const found = await knownImport(db, sealer, id);
      const isPartner = session.partnerId !== null;
      const timeline = isPartner ? partnerTimelineOf : timelineOf;
      const summary = (await progressOf(db, [id], { causes: true, ...(quotaOf && { quotaOf }) })).get(id);
      const asked = { after: null, limit: maxDeliveries, eventId: null, importId: id };
      const findings = summary?.findings ?? [];
      const runs = await listRuns(db, id);
      return {
        body: {
          ...importJson(found),
          stuck: stuckJson((await findStuck(db, [id])).get(id)),
          accounts: isPartner ? [] : await accountsOf(db, id),
          warnings: await listWarnings(db, id),
          progress: detailedProgressJson(summary?.progress ?? null),
          items: summary?.items ?? found.counted.items,
          findings: isPartner ? findingsWithoutRecords(findings) : findings,
          runs: (isPartner ? runs.map(runWithoutRecords) : runs).map(runJson),
          deliveries: (await listDeliveries(db, found.partnerId, asked)).map(deliveryJson),
          timeline: await timeline(db, found),
        },
        target: { kind: "import", id },
      };
    },
  );

const showLink = (needs: ImportReadsNeeds) =>
  operatorRoute(
    {
      id: "showImportLink",
      method: "GET",
      path: "/imports/:id/link",
      area: "imports",
      role: "operator",
      summary: "Show the customer link",
      description: "Its holder can act as the customer: the audit log keeps who read it.",
      answer: linkSchema,
      conflict: "The import is closed: its link leads nowhere.",
    },
    async ({ db, params }) => {
      const { id = "" } = params;
      const { sealer, publicUrl } = needs;
      const found = await knownImport(db, sealer, id);
      if (found.state.closed)
        throw new Problem("conflict", `The import is ${found.state.closed}: it has no link.`);
      return {
        body: { id, redirect_url: redirectUrl(publicUrl, id, found.linkToken) },
        target: { kind: "import", id },
      };
    },
  );

/** As long as the wizard waits: records unchecked by then are reported as unchecked. */
const previewMs = 8_000;

export const previewUndo = ({ sealer, openSide, destinationStreams }: PreviewUndoNeeds): OperatorRoute =>
  operatorRoute(
    {
      id: "previewUndo",
      method: "GET",
      path: "/imports/:id/undo-preview",
      area: "imports",
      role: "viewer",
      summary: "Preview an undo",
      description:
        "What an undo would remove and what it would leave, by stream. `looked` is false if the destination did not answer: " +
        "then it is unknown what people have edited since.",
      answer: undoPreviewSchema,
    },
    async ({ db, params }) => {
      const { id = "" } = params;
      const found = await knownImport(db, sealer, id);
      const report = await findReport(db, found);
      const preview = createUndoPreview({ db, openSide, destinationStreams });
      const { looked, streams } = await preview(
        { importId: id, ...found, report },
        AbortSignal.timeout(previewMs),
      );
      return { body: { import: importJson(found), looked, streams }, target: { kind: "import", id } };
    },
  );

const showReport = (needs: ImportReadsNeeds) =>
  operatorRoute(
    {
      id: "showReport",
      method: "GET",
      path: "/imports/:id/report",
      area: "imports",
      role: "viewer",
      partner: true,
      summary: "Show the report of the last copy",
      description:
        "What became of the records of the source, by stream and cause, and what a second reading of both tools showed.",
      answer: reportSchema,
    },
    async ({ db, params }) => {
      const { id = "" } = params;
      const report = await findReport(db, await knownImport(db, needs.sealer, id));
      if (!report) throw new Problem("not_found", "There is no report: no copy has completed yet.");
      return { body: reportJson(report), target: { kind: "import", id } };
    },
  );

const wantedRecords = z.object({
  state: z
    .enum(recordStates, { error: `must be one of ${recordStates.join(", ")}` })
    .optional()
    .describe("Omitted: all of them."),
  finding: z
    .enum(recordFindings, { error: `must be one of ${recordFindings.join(", ")}` })
    .optional()
    .describe(
      "Only those that the import's findings of this kind count. A copy that stays as it is, or could not be brought up to " +
        "date, has the state `written`; what the source has deleted since is not counted.",
    ),
  stream: z.string().optional(),
  code: z.string().optional().describe("The cause."),
  before: z.string().optional().describe("The `next` of the page before."),
  ...page,
});

const listRecords = (needs: ImportReadsNeeds) =>
  operatorRoute(
    {
      id: "listRecords",
      method: "GET",
      path: "/imports/:id/records",
      area: "imports",
      role: "viewer",
      summary: "List records by state and cause",
      description:
        "The records behind the findings and the report of the last copy: those that were not simply written, stream by " +
        "stream in the order of their ids. A page may be short although there are more: go on with `before` = `next`.",
      query: wantedRecords,
      answer: z.object({ records: z.array(recordSchema), next: next("before") }),
    },
    async ({ db, params, query: { state, finding, stream, code, before, limit } }) => {
      const { id } = await knownImport(db, needs.sealer, params["id"] ?? "");
      const from = before === undefined ? null : readRecordsCursor(before);
      if (from === "invalid") throw new InvalidInput({ before: ["is not one of ours"] });
      const run = await findReportedRun(db, id);
      if (!run) throw new Problem("not_found", "There is no list of records: no copy has completed yet.");
      const found = await listReportRecords(db, id, {
        run,
        addressOf: noAddresses,
        states: new Set(state === undefined ? recordStates : [state]),
        finding,
        stream,
        code,
        limit,
        from,
      });
      return {
        body: {
          records: found.records.map((each) => ({
            stream: each.stream,
            id: each.id,
            destination_id: each.destinationId,
            state: each.state,
            code: each.code,
            detail: each.detail,
          })),
          next: found.next && recordsCursorText(found.next),
        },
        target: { kind: "import", id },
      };
    },
  );

export const importReads = (needs: ImportReadsNeeds): readonly OperatorRoute[] => [
  listImports(needs),
  showImport(needs),
  showReport(needs),
  listRecords(needs),
  showLink(needs),
];
