import type { IssueRow } from "./rows.ts";

/** Fields of an issue, by the names that a write uses. */
export type Fields = Readonly<Record<string, unknown>>;

interface CustomValue {
  readonly id: number;
  readonly value?: string | readonly string[] | null | undefined;
}

/** The current values of the fields that a second write can set. */
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

/** A form that is equal for a write and for the resulting issue. The text is not part of it: `checksumOf` adds it. */
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

/** The sealed fields of a write. */
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

/** The same fields of an issue as Redmine returns it. */
export const sealedOfRow = (row: IssueRow): unknown =>
  plainly(row.subject, row.estimated_hours, heldBy(row), row.custom_fields);
