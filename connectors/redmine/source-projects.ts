import {
  type FamilyRecord,
  helpdesk,
  offsetPager,
  projects,
  type SourceStream,
} from "@portage/connector-kit";
import { askList, askOne, askWholeList } from "./ask.ts";
import { customFieldsOf } from "./custom-values.ts";
import { listOfModule } from "./project-lists.ts";
import {
  toAgent,
  toGroup,
  toMember,
  toProject,
  toTimeEntry,
  toVersion,
  type TimeEntry,
} from "./project-records.ts";
import {
  type ProjectRow,
  projectRow,
  type TimeEntryRow,
  timeEntryRow,
  type UserRow,
  isVisitor,
  userRow,
  versionRow,
} from "./rows.ts";
import type { RedmineIo, Settings } from "./settings.ts";
import { countOf, known, walkProjects, walkUsers } from "./walks.ts";

const base = ({ instanceUrl }: Settings) => instanceUrl.replace(/\/+$/, "");
const isId = (id: string) => /^\d{1,9}$/.test(id);

/** Loads rows by id, without those that no longer exist. */
export const askEach = async <R>(
  ids: readonly string[],
  ask: (id: string) => Promise<R | null>,
): Promise<readonly R[]> => {
  const rows = await Promise.all(ids.filter(isId).map(ask));
  return rows.filter((row) => row !== null);
};

const users = <T extends FamilyRecord>(
  stream: SourceStream<T>["stream"],
  toRecord: (io: RedmineIo, row: UserRow, active: boolean) => Promise<T>,
): SourceStream<T, Settings> => ({
  stream,
  delta: false,
  readPage: walkUsers(toRecord),
  async readByIds(io, ids) {
    const rows = await askEach(ids, (id) => askOne(io, `users/${id}.json`, "user", userRow));
    const people = rows.filter((row) => !isVisitor(row));
    return Promise.all(people.map((row) => toRecord(io, row, row.status === 1)));
  },
  count: (io) => countOf(io, "users.json", { status: "" }),
  urlOf: (settings, { id }) => `${base(settings)}/users/${id}`,
  customFields: (io) => customFieldsOf(io, "user"),
});

export const members = users(projects.users, toMember);
export const agents = users(helpdesk.users, toAgent);

const projectStream = <T extends FamilyRecord>(
  stream: SourceStream<T>["stream"],
  toRecord: (io: RedmineIo, row: ProjectRow) => Promise<T>,
): SourceStream<T, Settings> => ({
  stream,
  delta: false,
  readPage: walkProjects({ size: 50, toRecords: async (io, row) => [await toRecord(io, row)] }),
  async readByIds(io, ids) {
    const rows = await askEach(ids, (id) => askOne(io, `projects/${id}.json`, "project", projectRow));
    return Promise.all(rows.map((row) => toRecord(io, row)));
  },
  count: (io) => countOf(io, "projects.json", { status: "1|5" }),
  urlOf: (settings, { id }) => `${base(settings)}/projects/${id}`,
  customFields: (io) => customFieldsOf(io, "project"),
});

export const allProjects = projectStream(projects.projects, toProject);
export const groups = projectStream(helpdesk.groups, toGroup);

export const versions: SourceStream<Awaited<ReturnType<typeof toVersion>>, Settings> = {
  stream: projects.versions,
  perParent: "projects",
  delta: false,
  readPage: known(async (io, { parentId }) => {
    const rows = await listOfModule(io, parentId ?? "", "issue_tracking", () =>
      askWholeList(io, `projects/${parentId}/versions.json`, "versions", versionRow),
    );
    // The list also contains versions that other projects share.
    const own = rows.filter(({ project }) => String(project.id) === parentId);
    return { records: await Promise.all(own.map((row) => toVersion(io, row))), next: null };
  }),
  async readByIds(io, ids) {
    const rows = await askEach(ids, (id) => askOne(io, `versions/${id}.json`, "version", versionRow));
    return Promise.all(rows.map((row) => toVersion(io, row)));
  },
  urlOf: (settings, { id }) => `${base(settings)}/versions/${id}`,
  customFields: (io) => customFieldsOf(io, "version"),
};

export const timeEntries: SourceStream<TimeEntry, Settings> = {
  stream: projects.timeEntries,
  delta: false,
  readPage: known(
    offsetPager<TimeEntryRow, TimeEntry, Settings>({
      size: 99,
      // By creation time, then by id: almost always the order of ids, but without a guarantee.
      sortedByKey: false,
      key: ({ id }) => id,
      toRecord: (row, io) => toTimeEntry(io, row),
      fetch: (io, _at, { offset, size: limit }) =>
        askList(io, "time_entries.json", "time_entries", timeEntryRow, {
          sort: "created_on:asc",
          offset,
          limit,
        }),
    }),
  ),
  async readByIds(io, ids) {
    const rows = await askEach(ids, (id) =>
      askOne(io, `time_entries/${id}.json`, "time_entry", timeEntryRow),
    );
    return Promise.all(rows.map((row) => toTimeEntry(io, row)));
  },
  count: (io) => countOf(io, "time_entries.json"),
  urlOf: (settings, { id }) => `${base(settings)}/time_entries/${id}/edit`,
  customFields: (io) => customFieldsOf(io, "time_entry"),
};
