import { type ImportDetail, type StatusCode, statusTexts } from "@portage/contract";
import type { SourceTool } from "../../../features/tools/index.ts";
import { nothingCounted } from "../represent.ts";

/** In the sandbox an import's id is its status code, and its link opens a page that names the sandbox. */
export const sandboxToken = "5a4d0b0c5a4d0b0c5a4d0b0c5a4d0b0c";

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

export const sandboxUrl = (publicUrl: string, code: StatusCode) =>
  `${publicUrl}/imports/${code}/${sandboxToken}`;

export const sandboxImport = (publicUrl: string, code: StatusCode): ImportDetail => ({
  id: code,
  token: sandboxToken,
  status: statusTexts[code],
  redirect_url: sandboxUrl(publicUrl, code),
  reference: null,
  family: "helpdesk",
  ...fixtures[code],
});
