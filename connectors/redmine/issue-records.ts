import { helpdesk, projects, type RecordOf, type RichText } from "@portage/connector-kit";
import { prioritiesOf, statusesOf, trackersOf } from "./catalog.ts";
import { externalIdField, keyOf, readCustomValues } from "./custom-values.ts";
import { priorityKind, taskStatusKind, ticketStatusKind } from "./kinds.ts";
import { dayOf, minutesOf, momentOf } from "./moments.ts";
import { helpdeskNames, type Names, projectNames } from "./names.ts";
import { splitLine } from "./origin.ts";
import { whoOf } from "./people.ts";
import { type Place, readText } from "./read-text.ts";
import type { IssueRow } from "./rows.ts";
import type { RedmineIo } from "./settings.ts";

export type Task = RecordOf<typeof projects.tasks>;
export type Ticket = RecordOf<typeof helpdesk.tickets>;

/** `original`: as the source reads it. `copy`: for comparing our copy, without the line that we added. */
export type View = "original" | "copy";

export const bodyOf = (
  io: RedmineIo,
  text: string | null | undefined,
  view: View,
  place: Place,
): RichText | null => {
  if (view === "original") return text ? readText(io, text, place) : null;
  const own = splitLine(io, text)?.text ?? text;
  // Files are written after the text that names them: without them a copy reads the same before and after.
  return own ? readText(io, own, { ...place, attachments: [] }) : null;
};

export const placeOfIssue = (row: IssueRow, names: Names): Place => ({
  names,
  stream: names.issues,
  id: String(row.id),
  projectId: String(row.project.id),
  attachments: row.attachments,
});

const statusOf = async (io: RedmineIo, { status }: IssueRow) => {
  const known = (await statusesOf(io)).find(({ id }) => id === status.id);
  return known ?? { ...status, is_closed: status.is_closed ?? false };
};

const shared = async (io: RedmineIo, row: IssueRow, view: View, names: Names) => {
  const customFields = await readCustomValues(io, row.custom_fields);
  const own = view === "copy" ? await externalIdField(io) : null;
  if (own) delete customFields[keyOf(own)];
  return {
    id: String(row.id),
    createdAt: momentOf(row.created_on),
    updatedAt: momentOf(row.updated_on),
    customFields,
    description: bodyOf(io, row.description, view, placeOfIssue(row, names)),
    type: row.tracker.name,
    status: row.status.name,
    priority: row.priority.name,
    priorityKind: priorityKind(row.priority.id, await prioritiesOf(io)),
    author: await whoOf(io, row.author),
    assignee: await whoOf(io, row.assigned_to),
    visibility: row.is_private ? ("internal" as const) : ("public" as const),
  };
};

/** Sorted: Redmine lists them in no order, and a record that is read twice must look the same. */
const userIds = async (io: RedmineIo, named: readonly { id: number; name: string }[]) => {
  const people = await Promise.all(named.toSorted((a, b) => a.id - b.id).map((one) => whoOf(io, one)));
  return people.flatMap((who) => (who?.id ? [who.id] : []));
};

/** Needs `include=attachments,watchers`. */
export const toTask = async (io: RedmineIo, row: IssueRow, view: View = "original"): Promise<Task> =>
  projects.tasks.make({
    ...(await shared(io, row, view, projectNames)),
    projectId: String(row.project.id),
    parentTaskId: row.parent ? String(row.parent.id) : null,
    versionId: row.fixed_version ? String(row.fixed_version.id) : null,
    title: row.subject,
    statusKind: taskStatusKind(await statusOf(io, row), await trackersOf(io)),
    category: row.category?.name ?? null,
    watcherIds: await userIds(io, row.watchers),
    startsOn: dayOf(row.start_date),
    dueOn: dayOf(row.due_date),
    closedAt: momentOf(row.closed_on),
    estimatedMinutes: typeof row.estimated_hours === "number" ? minutesOf(row.estimated_hours) : null,
    donePercent: row.done_ratio ?? null,
  });

export const toTicket = async (io: RedmineIo, row: IssueRow, view: View = "original"): Promise<Ticket> =>
  helpdesk.tickets.make({
    ...(await shared(io, row, view, helpdeskNames)),
    subject: row.subject,
    statusKind: ticketStatusKind(await statusOf(io, row), await trackersOf(io)),
    requester: await whoOf(io, row.author),
    groupId: String(row.project.id),
    followers: (await userIds(io, row.watchers)).map((id) => ({ stream: "users", id })),
    dueAt: row.due_date ? `${row.due_date}T00:00:00.000Z` : null,
    solvedAt: momentOf(row.closed_on),
  });
