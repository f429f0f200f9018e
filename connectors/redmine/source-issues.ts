import { type FamilyRecord, helpdesk, projects, type SourceStream } from "@portage/connector-kit";
import { customFieldsOf } from "./custom-values.ts";
import { toTask, toTicket } from "./issue-records.ts";
import { parseCommentId } from "./names.ts";
import { type IssueRow, type JournalRow, type RelationRow, relationRow } from "./rows.ts";
import type { RedmineIo, Settings } from "./settings.ts";
import { isComment, toTaskComment, toTicketComment } from "./text-records.ts";
import { rangeQuery } from "./range-query.ts";
import { askIssue, countOf, known, walkIssues } from "./walks.ts";
import { askOne } from "./ask.ts";

const wholeIssue = "attachments,watchers";

const urlOfIssue = ({ instanceUrl }: Settings, id: string) =>
  `${instanceUrl.replace(/\/+$/, "")}/issues/${id}`;

const issues = <T extends FamilyRecord>(
  stream: SourceStream<T>["stream"],
  toRecord: (io: RedmineIo, row: IssueRow) => Promise<T>,
): SourceStream<T, Settings> => ({
  stream,
  delta: true,
  // Lists don't contain watchers, so this loads each issue.
  readPage: walkIssues({
    include: "",
    size: 50,
    toRecords: async (io, { id }) => {
      const row = await askIssue(io, id, wholeIssue);
      return row ? [await toRecord(io, row)] : [];
    },
  }),
  async readByIds(io, ids) {
    const rows = await Promise.all(ids.map((id) => askIssue(io, id, wholeIssue)));
    return Promise.all(rows.filter((row) => row !== null).map((row) => toRecord(io, row)));
  },
  count: (io) => countOf(io, "issues.json", { status_id: "*" }),
  countWithin: async (io, range) =>
    (await countOf(io, "issues.json", { status_id: "*", ...rangeQuery(range) })).value,
  urlOf: (settings, { id }) => urlOfIssue(settings, id),
  customFields: (io) => customFieldsOf(io, "issue"),
});

export const tasks = issues(projects.tasks, toTask);
export const tickets = issues(helpdesk.tickets, toTicket);

const comments = <T extends FamilyRecord>(
  stream: SourceStream<T>["stream"],
  perParent: string,
  toRecord: (io: RedmineIo, issue: IssueRow, journal: JournalRow) => Promise<T>,
): SourceStream<T, Settings> => {
  const ofIssue = async (io: RedmineIo, issueId: string) => {
    const issue = await askIssue(io, issueId, "journals,attachments");
    return Promise.all(
      (issue?.journals ?? []).filter(isComment).map((one) => toRecord(io, issue as IssueRow, one)),
    );
  };
  return {
    stream,
    perParent,
    // Editing a comment updates no time that a query could filter by.
    delta: false,
    readPage: known(async (io, { parentId }) => ({
      records: await ofIssue(io, parentId ?? ""),
      next: null,
    })),
    async readByIds(io, ids) {
      const wanted = ids.map(parseCommentId).filter((id) => id !== null);
      const found = await Promise.all(
        [...new Set(wanted.map(({ issueId }) => issueId))].map((id) => ofIssue(io, id)),
      );
      return found.flat().filter(({ id }) => ids.includes(id));
    },
    urlOf: (settings, { id }) => {
      const place = parseCommentId(id);
      return `${urlOfIssue(settings, place?.issueId ?? "")}#change-${place?.journalId}`;
    },
  };
};

export const taskComments = comments(projects.comments, "tasks", toTaskComment);
export const ticketComments = comments(helpdesk.comments, "tickets", toTicketComment);

const kinds = ["relates", "duplicates", "blocks", "precedes", "copied_to"] as const;

export const toRelation = (row: RelationRow) => {
  const kind = kinds.find((each) => each === row.relation_type) ?? "relates";
  return projects.relations.make({
    id: String(row.id),
    fromTaskId: String(row.issue_id),
    toTaskId: String(row.issue_to_id),
    kind,
    delayDays: row.delay ?? null,
  });
};

export const askRelation = (io: RedmineIo, id: string) =>
  /^\d{1,9}$/.test(id) ? askOne(io, `relations/${id}.json`, "relation", relationRow) : Promise.resolve(null);

export const relations: SourceStream<ReturnType<typeof toRelation>, Settings> = {
  stream: projects.relations,
  delta: false,
  readPage: walkIssues({
    include: "relations",
    size: 100,
    // Both issues list the relation; it belongs to the one that it starts from.
    toRecords: async (_io, { id, relations: rows }) =>
      rows.filter(({ issue_id }) => issue_id === id).map(toRelation),
  }),
  async readByIds(io, ids) {
    const rows = await Promise.all(ids.map((id) => askRelation(io, id)));
    return rows.filter((row) => row !== null).map(toRelation);
  },
  async readByParents(io, parents) {
    const ends = await Promise.all(parents.map(({ id }) => askIssue(io, id, "relations")));
    const rows = ends.flatMap((issue) => issue?.relations ?? []);
    return [...new Map(rows.map((row) => [row.id, row])).values()].map(toRelation);
  },
};
