import {
  childStream,
  eachById,
  type FamilyRecord,
  type FamilyStream,
  helpdesk,
  listStream,
  projects,
  type SourceStream,
} from "@portage/connector-kit";
import { urlOf } from "./addresses.ts";
import { askWholeList } from "./ask.ts";
import { customFieldsOf } from "./custom-values.ts";
import { listOfModule } from "./project-lists.ts";
import {
  type TimeEntry,
  toAgent,
  toGroup,
  toMember,
  toProject,
  toTimeEntry,
  toVersion,
  type Version,
} from "./project-records.ts";
import {
  isVisitor,
  type ProjectRow,
  type TimeEntryRow,
  type UserRow,
  type VersionRow,
  versionRow,
} from "./rows.ts";
import type { RedmineIo, Settings } from "./settings.ts";
import { projectTable, timeEntryTable, userTable, versionTable } from "./tables.ts";
import {
  countOf,
  keyOfRow,
  openOrClosed,
  projectPages,
  signedIn,
  timeEntryPages,
  userPages,
} from "./walks.ts";

const users = <T extends FamilyRecord>(
  stream: FamilyStream<T>,
  toRecord: (io: RedmineIo, row: UserRow) => Promise<T>,
): SourceStream<T, Settings> =>
  signedIn(
    listStream<UserRow, T, Settings>({
      stream,
      pages: userPages,
      key: keyOfRow,
      toRecord: (row, io) => (isVisitor(row) ? null : toRecord(io, row)),
      byIds: eachById(userTable.one),
      count: (io) => countOf(io, userTable, { status: "" }),
      urlOf: urlOf(stream),
      customFields: (io) => customFieldsOf(io, "user"),
    }),
  );

export const members = users(projects.users, toMember);
export const agents = users(helpdesk.users, toAgent);

const projectStream = <T extends FamilyRecord>(
  stream: FamilyStream<T>,
  toRecord: (io: RedmineIo, row: ProjectRow) => Promise<T>,
): SourceStream<T, Settings> =>
  signedIn(
    listStream<ProjectRow, T, Settings>({
      stream,
      pages: projectPages(50),
      key: keyOfRow,
      toRecord: (row, io) => toRecord(io, row),
      byIds: eachById(projectTable.one),
      count: (io) => countOf(io, projectTable, { status: openOrClosed }),
      urlOf: urlOf(stream),
      customFields: (io) => customFieldsOf(io, "project"),
    }),
  );

export const allProjects = projectStream(projects.projects, toProject);
export const groups = projectStream(helpdesk.groups, toGroup);

/** The list of a project also contains versions that other projects share. */
export const askVersions = async (io: RedmineIo, projectId: string): Promise<readonly VersionRow[]> => {
  const rows = await askWholeList(io, `projects/${projectId}/versions.json`, "versions", versionRow);
  return rows.filter(({ project }) => String(project.id) === projectId);
};

export const versions = signedIn(
  childStream<VersionRow, Version, Settings>({
    stream: projects.versions,
    perParent: "projects",
    key: keyOfRow,
    list: (io, id) => listOfModule(io, id, "issue_tracking", () => askVersions(io, id)),
    toRecord: (row, io) => toVersion(io, row),
    byIds: eachById(versionTable.one),
    urlOf: urlOf(projects.versions),
    customFields: (io) => customFieldsOf(io, "version"),
  }),
);

export const timeEntries = signedIn(
  listStream<TimeEntryRow, TimeEntry, Settings>({
    stream: projects.timeEntries,
    pages: timeEntryPages,
    key: keyOfRow,
    toRecord: (row, io) => toTimeEntry(io, row),
    byIds: eachById(timeEntryTable.one),
    count: (io) => countOf(io, timeEntryTable),
    urlOf: urlOf(projects.timeEntries),
    customFields: (io) => customFieldsOf(io, "time_entry"),
  }),
);
