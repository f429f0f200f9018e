import {
  childStream,
  eachById,
  type FamilyRecord,
  type FamilyStream,
  helpdesk,
  isNumericId,
  listStream,
  projects,
  readPages,
  type SourceStream,
} from "@portage/connector-kit";
import { urlOf } from "./addresses.ts";
import { customFieldsOf } from "./custom-values.ts";
import { toTask, toTicket } from "./issue-records.ts";
import { commentId, parseCommentId } from "./names.ts";
import { rangeQuery } from "./range-query.ts";
import type { IssueRow, JournalRow, RelationRow } from "./rows.ts";
import type { RedmineIo, Settings } from "./settings.ts";
import { issueTable, relationTable } from "./tables.ts";
import { isComment, toTaskComment, toTicketComment } from "./text-records.ts";
import { askIssue, countOf, issuePages, keyOfRow, signedIn } from "./walks.ts";

const wholeIssue = "attachments,watchers";

const anyStatus = { status_id: "*" };

const issues = <T extends FamilyRecord>(
  stream: FamilyStream<T>,
  toRecord: (io: RedmineIo, row: IssueRow) => Promise<T>,
): SourceStream<T, Settings> =>
  signedIn(
    listStream<Pick<IssueRow, "id">, T, Settings>({
      stream,
      delta: true,
      pages: issuePages("", 50),
      key: keyOfRow,
      // Lists don't contain watchers, so this loads each issue.
      async toRecord({ id }, io) {
        const row = await askIssue(io, id, wholeIssue);
        return row && toRecord(io, row);
      },
      byIds: async (_io, ids) => ids.filter(isNumericId).map((id) => ({ id: Number(id) })),
      count: (io) => countOf(io, issueTable, anyStatus),
      countWithin: async (io, range) =>
        (await countOf(io, issueTable, { ...anyStatus, ...rangeQuery(range) })).value,
      urlOf: urlOf(stream),
      customFields: (io) => customFieldsOf(io, "issue"),
    }),
  );

export const tasks = issues(projects.tasks, toTask);
export const tickets = issues(helpdesk.tickets, toTicket);

/** A comment, and the issue that it belongs to. */
export interface Comment {
  readonly issue: IssueRow;
  readonly journal: JournalRow;
}

export const idOfComment = ({ issue, journal }: Comment): string => commentId(issue.id, journal.id);

/** All journals of an issue; none if it is gone. */
export const journalsOf = async (
  io: RedmineIo,
  issueId: string,
  include: string,
): Promise<readonly Comment[]> => {
  const issue = await askIssue(io, issueId, include);
  return issue ? issue.journals.map((journal) => ({ issue, journal })) : [];
};

/** Loads each issue once, however many of its comments the caller asks for. */
export const commentsById =
  (include: string) =>
  async (io: RedmineIo, ids: readonly string[]): Promise<readonly Comment[]> => {
    const issueIds = new Set(ids.flatMap((id) => parseCommentId(id)?.issueId ?? []));
    const all = await Promise.all([...issueIds].map((id) => journalsOf(io, id, include)));
    return all.flat().filter((comment) => ids.includes(idOfComment(comment)));
  };

const comments = <T extends FamilyRecord>(
  stream: FamilyStream<T>,
  perParent: string,
  toRecord: (io: RedmineIo, issue: IssueRow, journal: JournalRow) => Promise<T>,
): SourceStream<T, Settings> =>
  signedIn(
    // No delta: editing a comment updates no time that a query could filter by.
    childStream<Comment, T, Settings>({
      stream,
      perParent,
      key: idOfComment,
      list: (io, issueId) => journalsOf(io, issueId, "journals,attachments"),
      toRecord: ({ issue, journal }, io) => (isComment(journal) ? toRecord(io, issue, journal) : null),
      byIds: commentsById("journals,attachments"),
      urlOf: urlOf(stream),
    }),
  );

export const taskComments = comments(projects.comments, "tasks", toTaskComment);
export const ticketComments = comments(helpdesk.comments, "tickets", toTicketComment);

const kinds = ["relates", "duplicates", "blocks", "precedes", "copied_to"] as const;

export const toRelation = (row: RelationRow) =>
  projects.relations.make({
    id: String(row.id),
    fromTaskId: String(row.issue_id),
    toTaskId: String(row.issue_to_id),
    kind: kinds.find((each) => each === row.relation_type) ?? "relates",
    delayDays: row.delay ?? null,
  });

type Relation = ReturnType<typeof toRelation>;

export const relations: SourceStream<Relation, Settings> = signedIn({
  stream: projects.relations,
  delta: false,
  readPage: readPages<IssueRow, Relation, Settings>(issuePages("relations", 100), {
    key: keyOfRow,
    // Both issues list the relation; it belongs to the one that it starts from.
    toRecord: ({ id, relations: rows }) => rows.filter(({ issue_id }) => issue_id === id).map(toRelation),
  }),
  readByIds: async (io, ids) => (await eachById(relationTable.one)(io, ids)).map(toRelation),
  async readByParents(io, parents) {
    const ends = await Promise.all(parents.map(({ id }) => askIssue(io, id, "relations")));
    const rows = ends.flatMap((issue) => issue?.relations ?? []);
    return [...new Map(rows.map((row) => [row.id, row])).values()].map(toRelation);
  },
});
