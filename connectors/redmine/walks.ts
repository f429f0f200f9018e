import { type At, type Cursor, keysetPager, offsetPager, type Page } from "@portage/connector-kit";
import { askList, askOne } from "./ask.ts";
import { catalogOf } from "./catalog.ts";
import { type IssueRow, issueRow, type ProjectRow, projectRow, type UserRow, userRow } from "./rows.ts";
import type { RedmineIo, Settings } from "./settings.ts";

export type ReadPage<T> = (io: RedmineIo, at: At) => Promise<Page<T>>;

/** With a wrong key Redmine answers as to a visitor, without an error: so each step first checks the key's owner. */
export const known =
  <T>(read: ReadPage<T>): ReadPage<T> =>
  async (io, at) => {
    await catalogOf(io).account();
    return read(io, at);
  };

const flat = <T>({ records, ...page }: Page<readonly T[]>): Page<T> => ({ ...page, records: records.flat() });

/** Rounded down to whole seconds, since Redmine's times have no fractions. */
const sinceText = (since: Date) => `>=${since.toISOString().slice(0, 19)}Z`;

export const askIssue = (io: RedmineIo, id: string | number, include: string): Promise<IssueRow | null> =>
  /^\d{1,9}$/.test(String(id))
    ? askOne(io, `issues/${id}.json`, "issue", issueRow, { include })
    : Promise.resolve(null);

interface IssueWalk<T> {
  readonly include: string;
  readonly size: number;
  toRecords(io: RedmineIo, row: IssueRow): Promise<readonly T[]>;
}

/** Reads all issues in the order of their ids; changes during the walk do not affect it. */
export const walkIssues = <T>({ include, size, toRecords }: IssueWalk<T>): ReadPage<T> => {
  const read = keysetPager<IssueRow, readonly T[], Settings>({
    size,
    key: ({ id }) => id,
    toRecord: (row, io) => toRecords(io, row),
    fetch: async (io, { since }, { after, size: limit }) => {
      const { rows } = await askList(io, "issues.json", "issues", issueRow, {
        status_id: "*",
        sort: "id",
        limit,
        include,
        issue_id: `>=${Number(after ?? 0) + 1}`,
        updated_on: since ? sinceText(since) : undefined,
      });
      return rows;
    },
  });
  return known(async (io, at) => flat(await read(io, at)));
};

interface ProjectWalk<T> {
  readonly size: number;
  toRecords(io: RedmineIo, row: ProjectRow): Promise<readonly T[]>;
}

const openOrClosed = "1|5";

/** All projects except archived ones, which Redmine never shows. */
export const walkProjects = <T>({ size, toRecords }: ProjectWalk<T>): ReadPage<T> => {
  const read = offsetPager<ProjectRow, readonly T[], Settings>({
    size,
    sortedByKey: false,
    key: ({ id }) => id,
    toRecord: (row, io) => toRecords(io, row),
    fetch: (io, _at, { offset, size: limit }) =>
      askList(io, "projects.json", "projects", projectRow, {
        status: openOrClosed,
        sort: "created_on:asc",
        offset,
        limit,
      }),
  });
  return known(async (io, at) => flat(await read(io, at)));
};

/** Several walks in sequence; the cursor names the current one. */
export const inPhases =
  <T>(phases: readonly ReadPage<T>[]): ReadPage<T> =>
  async (io, at) => {
    const { phase, ...rest } = (at.cursor ?? {}) as Record<string, Cursor[string]>;
    const now = typeof phase === "number" ? phase : 0;
    const read = phases[now];
    if (!read) return { records: [], next: null };
    const cursor = Object.keys(rest).length > 0 ? rest : null;
    const page = await read(io, { ...at, cursor });
    if (page.next) return { ...page, next: { ...page.next, phase: now } };
    return { ...page, next: now + 1 < phases.length ? { phase: now + 1 } : null };
  };

/** Active, registered, locked: the list does not contain the status but can be filtered by it. */
const userStatuses = [1, 3, 2] as const;

export const walkUsers = <T>(
  toRecord: (io: RedmineIo, row: UserRow, active: boolean) => Promise<T>,
): ReadPage<T> =>
  known(
    inPhases(
      userStatuses.map((status) =>
        offsetPager<UserRow, T, Settings>({
          size: 99,
          sortedByKey: false,
          key: ({ id }) => id,
          toRecord: (row, io) => toRecord(io, row, status === 1),
          fetch: (io, _at, { offset, size: limit }) =>
            askList(io, "users.json", "users", userRow, { status, sort: "login", offset, limit }),
        }),
      ),
    ),
  );

export const countOf = async (
  io: RedmineIo,
  url: string,
  query: Readonly<Record<string, string>> = {},
): Promise<{ value: number; exact: boolean }> => {
  await catalogOf(io).account();
  const name = url.replace(/\.json$/, "").replace(/.*\//, "");
  const { total } = await askList(io, url, name, userRow.pick({ id: true }), { ...query, limit: 1 });
  return { value: total, exact: true };
};
