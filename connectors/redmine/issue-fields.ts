import type { IssueRow } from "./rows.ts";

/** Fields of an issue in the words of a write. */
export type Fields = Readonly<Record<string, unknown>>;

interface CustomValue {
  readonly id: number;
  readonly value?: string | readonly string[] | null | undefined;
}

/** What an issue holds of all that can be set by sending it again. */
export const heldBy = (row: IssueRow): Fields => ({
  status_id: row.status.id,
  tracker_id: row.tracker.id,
  priority_id: row.priority.id,
  category_id: row.category?.id ?? "",
  fixed_version_id: row.fixed_version?.id ?? "",
  assigned_to_id: row.assigned_to?.id ?? "",
  parent_issue_id: row.parent?.id ?? "",
  start_date: row.start_date ?? "",
  due_date: row.due_date ?? "",
  is_private: row.is_private,
  done_ratio: row.done_ratio ?? 0,
});

/** The same for a write and for the issue that came of it; the text, and what it is sealed with, is apart. */
const plainly = (subject: string, hours: unknown, fields: Fields, custom: readonly CustomValue[]) => [
  subject,
  hours === "" || hours === null || hours === undefined ? "" : Math.round(Number(hours) * 60),
  ...Object.entries(fields)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${String(value)}`),
  ...custom
    .map(({ id, value }) => [id, String(value ?? "")] as const)
    .filter(([, value]) => value !== "")
    .toSorted(([a], [b]) => a - b),
];

/** What is sealed of an issue that is being written. */
export const sealedOfWrite = (fields: Fields): unknown => {
  const names = [
    "status_id",
    "tracker_id",
    "priority_id",
    "category_id",
    "fixed_version_id",
    "assigned_to_id",
    "parent_issue_id",
    "start_date",
    "due_date",
    "is_private",
    "done_ratio",
  ];
  const settable = Object.fromEntries(names.map((name) => [name, fields[name]]));
  const custom = fields["custom_fields"] as readonly CustomValue[];
  return plainly(String(fields["subject"]), fields["estimated_hours"], settable, custom);
};

/** What would have been sealed of an issue as it is. */
export const sealedOfRow = (row: IssueRow): unknown =>
  plainly(row.subject, row.estimated_hours, heldBy(row), row.custom_fields);
