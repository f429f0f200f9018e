import { helpdesk, projects, type RecordOf, withoutMarker } from "@portage/connector-kit";
import { askWholeList } from "./ask.ts";
import { readCustomValues } from "./custom-values.ts";
import { bodyOf, type View } from "./issue-records.ts";
import { dayOf, minutesOf, momentOf } from "./moments.ts";
import { projectNames } from "./names.ts";
import { splitLine } from "./origin.ts";
import { nameOf, whoOf } from "./people.ts";
import {
  activeStatus,
  memberRow,
  type ProjectRow,
  type TimeEntryRow,
  type UserRow,
  type VersionRow,
} from "./rows.ts";
import type { RedmineIo } from "./settings.ts";

export type Project = RecordOf<typeof projects.projects>;
export type Group = RecordOf<typeof helpdesk.groups>;
export type Version = RecordOf<typeof projects.versions>;
export type TimeEntry = RecordOf<typeof projects.timeEntries>;

const closed = 5;

export const memberIds = async (io: RedmineIo, projectId: number): Promise<readonly string[]> => {
  const rows = await askWholeList(io, `projects/${projectId}/memberships.json`, "memberships", memberRow);
  const people = await Promise.all(rows.map(({ user }) => whoOf(io, user)));
  return people.flatMap((who) => (who?.id ? [who.id] : [])).toSorted((a, b) => Number(a) - Number(b));
};

export const toProject = async (io: RedmineIo, row: ProjectRow, view: View = "original"): Promise<Project> =>
  projects.projects.make({
    id: String(row.id),
    createdAt: momentOf(row.created_on),
    updatedAt: momentOf(row.updated_on),
    customFields: await readCustomValues(io, row.custom_fields),
    name: row.name,
    key: row.identifier,
    description: bodyOf(io, row.description, view, {
      names: projectNames,
      stream: "projects",
      id: String(row.id),
      projectId: String(row.id),
      attachments: [],
    }),
    parentProjectId: row.parent ? String(row.parent.id) : null,
    archived: row.status === closed,
    visibility: row.is_public ? "public" : "internal",
    memberIds: [...(await memberIds(io, row.id))],
  });

/** A project corresponds to a help desk's queue: each ticket is in one, and its members answer. */
export const toGroup = async (io: RedmineIo, row: ProjectRow, view: View = "original"): Promise<Group> => {
  const text = view === "copy" ? (splitLine(io, row.description)?.text ?? row.description) : row.description;
  return helpdesk.groups.make({
    id: String(row.id),
    createdAt: momentOf(row.created_on),
    updatedAt: momentOf(row.updated_on),
    customFields: await readCustomValues(io, row.custom_fields),
    name: row.name,
    description: text || null,
    memberIds: [...(await memberIds(io, row.id))],
  });
};

export const toVersion = async (io: RedmineIo, row: VersionRow, view: View = "original"): Promise<Version> =>
  projects.versions.make({
    id: String(row.id),
    createdAt: momentOf(row.created_on),
    updatedAt: momentOf(row.updated_on),
    customFields: await readCustomValues(io, row.custom_fields),
    projectId: String(row.project.id),
    name: row.name,
    description: view === "copy" ? withoutMarker(row.description) : row.description || null,
    state: row.status,
    dueOn: dayOf(row.due_date),
  });

export const toTimeEntry = async (
  io: RedmineIo,
  row: TimeEntryRow,
  view: View = "original",
): Promise<TimeEntry> =>
  projects.timeEntries.make({
    id: String(row.id),
    createdAt: momentOf(row.created_on),
    updatedAt: momentOf(row.updated_on),
    customFields: await readCustomValues(io, row.custom_fields),
    projectId: String(row.project.id),
    taskId: row.issue ? String(row.issue.id) : null,
    author: await whoOf(io, row.user),
    spentOn: row.spent_on,
    minutes: minutesOf(row.hours),
    activity: row.activity?.name ?? null,
    note: view === "copy" ? withoutMarker(row.comments) : row.comments || null,
  });

const userFields = async (io: RedmineIo, row: UserRow) => ({
  id: String(row.id),
  createdAt: momentOf(row.created_on),
  updatedAt: momentOf(row.updated_on),
  customFields: await readCustomValues(io, row.custom_fields),
  name: nameOf(row),
  email: row.mail || null,
  active: row.status === activeStatus,
});

export const toMember = async (io: RedmineIo, row: UserRow) => projects.users.make(await userFields(io, row));

export const toAgent = async (io: RedmineIo, row: UserRow) =>
  helpdesk.users.make({ ...(await userFields(io, row)), role: row.admin ? "admin" : "agent" });
