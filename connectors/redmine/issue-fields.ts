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

const settable = [
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

/** The sealed fields of an issue that a write of these fields creates. */
export const sealedOfWrite = (fields: Fields, projectId: string): unknown => {
  const given = Object.fromEntries(settable.map((name) => [name, fields[name]]));
  const custom = fields["custom_fields"] as readonly CustomValue[];
  return [projectId, plainly(String(fields["subject"]), fields["estimated_hours"], given, custom)];
};

/** The same fields of an issue, as Redmine shows it after a write of these fields. */
export const sealedAfter = (row: IssueRow, fields: Fields): unknown => {
  const given = (fields["custom_fields"] ?? []) as readonly CustomValue[];
  const custom = new Map([...row.custom_fields, ...given].map(({ id, value }) => [id, value]));
  const { subject, estimated_hours } = row;
  const all = { ...heldBy(row), subject, estimated_hours, ...fields };
  const custom_fields = Array.from(custom, ([id, value]) => ({ id, value }));
  return sealedOfWrite({ ...all, custom_fields }, String(row.project.id));
};

export const sealedOfRow = (row: IssueRow): unknown => sealedAfter(row, {});

/** What the copies of earlier releases are sealed with. */
export const sealedOnce = (row: IssueRow): unknown =>
  plainly(row.subject, row.estimated_hours, heldBy(row), row.custom_fields);
