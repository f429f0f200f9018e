import {
  type FamilyRecord,
  inPhases,
  keysetPager,
  offsetPager,
  type Pages,
  type QueryValue,
  type SourceStream,
} from "@portage/connector-kit";
import { accountOf } from "./catalog.ts";
import {
  activeStatus,
  type IssueRow,
  lockedStatus,
  type ProjectRow,
  type TimeEntryRow,
  type UserRow,
} from "./rows.ts";
import type { RedmineIo, Settings } from "./settings.ts";
import { issueTable, projectTable, timeEntryTable, userTable } from "./tables.ts";

/** With a wrong key Redmine answers as to a visitor, without an error: so each step first checks the key's owner. */
export const signedIn = <T extends FamilyRecord>(
  stream: SourceStream<T, Settings>,
): SourceStream<T, Settings> => ({
  ...stream,
  async readPage(io, at) {
    await accountOf(io);
    return stream.readPage(io, at);
  },
});

export const keyOfRow = ({ id }: { readonly id: number }): number => id;

/** Rounded down to whole seconds, since Redmine's times have no fractions. */
const sinceText = (since: Date) => `>=${since.toISOString().slice(0, 19)}Z`;

export const askIssue = (io: RedmineIo, id: string | number, include: string): Promise<IssueRow | null> =>
  issueTable.one(io, id, { include });

/** Reads all issues in the order of their ids; changes during the walk do not affect it. */
export const issuePages =
  (include: string, size: number): Pages<IssueRow, Settings> =>
  (rows) =>
    keysetPager({
      ...rows,
      size,
      fetch: async (io, { since }, { after, size: limit }) => {
        const query = { status_id: "*", sort: "id", limit, include, issue_id: `>=${Number(after ?? 0) + 1}` };
        const changed = since ? { updated_on: sinceText(since) } : {};
        return (await issueTable.list(io, { ...query, ...changed })).rows;
      },
    });

/** By creation or login, then by id: almost always the order of ids, but without a guarantee. */
const offsetPages =
  <R extends { readonly id: number }>(
    list: (
      io: RedmineIo,
      query: { offset: number; limit: number },
    ) => Promise<{ rows: readonly R[]; total: number }>,
    size: number,
  ): Pages<R, Settings> =>
  (rows) =>
    offsetPager({
      ...rows,
      size,
      sortedByKey: false,
      fetch: (io, _at, { offset, size: limit }) => list(io, { offset, limit }),
    });

export const openOrClosed = "1|5";

/** All projects except archived ones, which Redmine never shows. */
export const projectPages = (size: number): Pages<ProjectRow, Settings> =>
  offsetPages(
    (io, query) => projectTable.list(io, { ...query, status: openOrClosed, sort: "created_on:asc" }),
    size,
  );

export const timeEntryPages: Pages<TimeEntryRow, Settings> = offsetPages(
  (io, query) => timeEntryTable.list(io, { ...query, sort: "created_on:asc" }),
  99,
);

const usersWith = (status: number) =>
  offsetPages<UserRow>(async (io, query) => {
    const { rows, total } = await userTable.list(io, { ...query, status, sort: "login" });
    return { rows: rows.map((row) => ({ ...row, status })), total };
  }, 99);

/** Active, locked, registered: the list does not contain the status. */
export const userPages: Pages<UserRow, Settings> = (rows) =>
  inPhases([activeStatus, lockedStatus, 2].map((status) => usersWith(status)(rows)));

interface Countable {
  list(io: RedmineIo, query: Readonly<Record<string, QueryValue>>): Promise<{ readonly total: number }>;
}

export const countOf = async (
  io: RedmineIo,
  { list }: Countable,
  query: Readonly<Record<string, string>> = {},
): Promise<{ value: number; exact: boolean }> => {
  await accountOf(io);
  return { value: (await list(io, { ...query, limit: 1 })).total, exact: true };
};
