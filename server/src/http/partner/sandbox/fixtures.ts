import {
  type CreatedImport,
  type ImportDetail,
  type ImportEntry,
  type ImportEvent,
  type ImportReport,
  type OldLink,
  type StatusCode,
  statusTexts,
  type WebhookDelivery,
  type WebhookEndpoint,
} from "@portage/contract";
import type { ReportSummary } from "@portage/contract/report-summary";
import type { ImportFilter } from "../../../features/imports/index.ts";
import { type Report, type StreamReport, summaryOf } from "../../../features/runs/index.ts";
import type { SourceTool } from "../../../features/tools/index.ts";
import { testPayload } from "../../../features/webhooks/index.ts";
import { createSigner } from "../../../platform/sign.ts";
import { nothingCounted } from "../represent.ts";
import { toReport } from "../represent-report.ts";

const eventTime = 1_708_989_523_402;

/** In the sandbox an import's id is its status code, and its link opens a page that names the sandbox. */
const sandboxToken = "5a4d0b0c5a4d0b0c5a4d0b0c5a4d0b0c";

export const sandboxTools: readonly SourceTool[] = [
  { name: "redmine", label: "Redmine", families: ["projects", "helpdesk"] },
  { name: "request-tracker", label: "Request Tracker", families: ["helpdesk"] },
];

const sampleCounts = {
  items: { tickets: 20, contacts: 17 },
  users: { source_tool: 5, destination_tool: 4, matched: 3 },
};

const fullCounts = {
  items: { tickets: 1204, contacts: 317 },
  users: { source_tool: 5, destination_tool: 4, matched: 3 },
};

type Fixture = Pick<ImportDetail, "items" | "users" | "sponsorship"> & Partial<ImportDetail>;

const fixtures: Readonly<Record<StatusCode, Fixture>> = {
  collecting_credentials: { ...nothingCounted, sponsorship: "undecided" },
  waiting_for_sample: { ...nothingCounted, sponsorship: "undecided" },
  sample_in_progress: {
    items: { tickets: 8 },
    users: sampleCounts.users,
    sponsorship: "undecided",
    progress: {
      phase: "sample",
      state: "running",
      done: 37,
      failed: 0,
      skipped: 1,
      total: 58,
      eta_seconds: 12,
    },
  },
  sample_completed: {
    ...sampleCounts,
    sponsorship: "undecided",
    warnings: [
      {
        code: "user_unmatched",
        message: "2 people could not be matched to anyone in the new tool.",
        stream: "users",
        count: 2,
      },
    ],
  },
  in_preparation: { ...sampleCounts, sponsorship: "accepted" },
  migration_in_progress: {
    items: { tickets: 611, contacts: 317 },
    users: fullCounts.users,
    sponsorship: "accepted",
    progress: {
      phase: "full",
      state: "running",
      done: 928,
      failed: 0,
      skipped: 3,
      total: 1524,
      eta_seconds: 140,
    },
  },
  migration_completed: { ...fullCounts, sponsorship: "accepted" },
  undo_in_progress: {
    items: { tickets: 402, contacts: 317 },
    users: fullCounts.users,
    sponsorship: "accepted",
    progress: {
      phase: "undo",
      state: "running",
      done: 802,
      failed: 0,
      skipped: 0,
      total: 1521,
      eta_seconds: 90,
    },
  },
  migration_cleaned: { items: {}, users: fullCounts.users, sponsorship: "accepted" },
};

const sandboxUrl = (publicUrl: string, code: StatusCode) => `${publicUrl}/imports/${code}/${sandboxToken}`;

export const sandboxImport = (publicUrl: string, code: StatusCode): ImportDetail => ({
  id: code,
  token: sandboxToken,
  status: statusTexts[code],
  status_code: code,
  source_tool: "request-tracker",
  redirect_url: sandboxUrl(publicUrl, code),
  reference: null,
  created_at: new Date(eventTime).toISOString(),
  updated_at: new Date(eventTime).toISOString(),
  family: "helpdesk",
  ...fixtures[code],
});

export const sandboxCreated = (publicUrl: string, code: StatusCode): CreatedImport => ({
  id: code,
  token: sandboxToken,
  redirect_url: sandboxUrl(publicUrl, code),
});

const toEntry = ({ family: _, progress: __, warnings: ___, ...entry }: ImportDetail): ImportEntry => entry;

const isAsked = (
  entry: ImportDetail,
  { usernames, status, references, family, createdAfter }: ImportFilter,
) =>
  usernames?.includes("nobody@example.com") !== true &&
  (status === undefined || entry.status_code === status) &&
  (references === undefined || (entry.reference !== null && references.includes(entry.reference))) &&
  (family === undefined || entry.family === family) &&
  (createdAfter === undefined || eventTime >= createdAfter.getTime());

/** The imports of every customer in the sandbox, besides the one who has none. */
export const sandboxEntries = (publicUrl: string, filter?: ImportFilter): readonly ImportEntry[] =>
  (["sample_completed", "migration_completed"] as const)
    .map((code) => sandboxImport(publicUrl, code))
    .filter((entry) => !filter || isAsked(entry, filter))
    .map(toEntry);

/** Of the sandbox's completed migration. */
export const sandboxOldLinks: readonly OldLink[] = ["7", "12"].map((id) => ({
  stream: "tickets",
  old_id: id,
  old_address: `https://redmine.acme.example/issues/${id}`,
  new_id: `10${id}`,
  new_address: `https://desk.acme.example/tickets/10${id}`,
}));

const reportedStream = (
  stream: string,
  label: string,
  written: number,
  others: Partial<StreamReport> = {},
): StreamReport => ({
  stream,
  label,
  source: written,
  written,
  matched: 0,
  keptFromBefore: 0,
  skipped: [],
  failed: [],
  behind: [],
  deletedAtSource: 0,
  changes: [],
  verified: {
    oneOf: 1,
    compared: written,
    same: written,
    differs: 0,
    gone: 0,
    doubled: 0,
    changedAtSource: 0,
    refused: 0,
    fields: [],
    files: null,
    examples: { differs: [], gone: [], doubled: [], changedAtSource: [], refused: [] },
  },
  ...others,
});

const reportedRun = { id: "", startedAt: new Date(eventTime - 600_000), endedAt: new Date(eventTime) };

const reportOf = (run: "sample" | "full", undone: boolean): Report => ({
  importId: "",
  run: { ...reportedRun, number: run === "full" ? 2 : 1, kind: run },
  undone,
  leftBehind: [{ stream: "articles", label: "Articles", code: "not_selected", count: 12 }],
  createdFields: [],
  silence: null,
  streams:
    run === "full"
      ? [
          reportedStream("contacts", "Contacts", fullCounts.items.contacts),
          reportedStream("tickets", "Tickets", fullCounts.items.tickets, {
            source: fullCounts.items.tickets + 3,
            skipped: [{ code: "too_large", count: 1, examples: [] }],
            failed: [{ code: "rejected", count: 2, examples: [] }],
            changes: [{ field: "subject", change: "truncated", why: "", count: 4 }],
          }),
        ]
      : [
          reportedStream("contacts", "Contacts", sampleCounts.items.contacts),
          reportedStream("tickets", "Tickets", sampleCounts.items.tickets),
        ],
});

/** The sandbox's reports, of the last copy that an import of this status has. */
const reports: Readonly<Partial<Record<StatusCode, Report>>> = {
  sample_completed: reportOf("sample", false),
  in_preparation: reportOf("sample", false),
  migration_in_progress: reportOf("sample", false),
  migration_completed: reportOf("full", false),
  undo_in_progress: reportOf("full", false),
  migration_cleaned: reportOf("full", true),
};

const reported = (id: string) => ({
  id,
  reference: null,
  sourceTool: "request-tracker",
  destinationTool: "redmine",
  family: "helpdesk" as const,
});

export const sandboxReport = (code: StatusCode): ImportReport | undefined => {
  const report = reports[code];
  return report && toReport(reported(code), report);
};

/** Signs for the sandbox and the simulator. Everyone can derive its key, so it is never among the published ones. */
export const sandboxSigner = createSigner([{ id: "sandbox", key: Buffer.alloc(32) }]);

export const sandboxSummary = (code: StatusCode): { summary: ReportSummary; jws: string } | undefined => {
  const report = reports[code];
  if (!report) return undefined;
  const summary = summaryOf(reported("imp_00000000000000000000000000"), report, new Date(eventTime));
  return { summary, jws: sandboxSigner.sign(summary) };
};

/** The sandbox's endpoint. */
export const sandboxEndpoint: WebhookEndpoint = {
  url: "https://acme.example/webhooks/portage",
  event_types: null,
  ordered: true,
  progress: false,
  enabled: true,
  disabled_since: null,
  disabled_because: null,
  failing_since: null,
  old_secret_until: null,
  created_at: new Date(eventTime).toISOString(),
};
/** Signs nothing. */
export const sandboxSecret = `whsec_${"A".repeat(43)}=`;

export const sandboxEventId = "evt_00000000000000000000000000";
/** Of the event that a test of the endpoint sends: no list of events has it. */
export const sandboxTestId = "evt_00000000000000000000000001";

/** The sandbox's only event. */
export const sandboxEvent: ImportEvent = {
  event_id: sandboxEventId,
  type: "import.status_changed",
  ...testPayload,
  previous_status: statusTexts.sample_in_progress,
  timestamp: eventTime,
};

export const sandboxTestEvent: ImportEvent = {
  event_id: sandboxTestId,
  type: "webhook.test",
  ...testPayload,
  timestamp: eventTime,
};

const deliveryOf = ({ event_id, type, id, timestamp }: ImportEvent): WebhookDelivery => ({
  event_id,
  type,
  id,
  state: "delivered",
  next_attempt: null,
  attempts: [{ timestamp, status: 200, duration_ms: 84, error: null, answer: "" }],
  timestamp,
});

/** Newest first. */
export const sandboxDeliveries = [deliveryOf(sandboxTestEvent), deliveryOf(sandboxEvent)] as const;
